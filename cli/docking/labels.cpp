#include "docking/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "output/text.hpp"
#include "output/warnings.hpp"

namespace quarry::cli {
namespace {

constexpr double kNoScore = std::numeric_limits<double>::infinity();

/// The first two cells of a line.
std::pair<std::string, std::string> two_cells(const std::string& line) {
  const char* const separators = line.find('\t') != std::string::npos  ? "\t\r"
                                 : line.find(',') != std::string::npos ? ",\r"
                                                                       : " \r";
  const std::size_t start = std::min(line.find_first_not_of(separators), line.size());
  const std::size_t end = std::min(line.find_first_of(separators, start), line.size());
  const std::size_t begin = std::min(line.find_first_not_of(separators, end), line.size());
  const std::size_t last = std::min(line.find_first_of(separators, begin), line.size());
  return {line.substr(start, end - start), line.substr(begin, last - begin)};
}

}  // namespace

Labels::Labels(const std::string& path) : path_(path) {
  std::ifstream file(path);
  if (!file) throw InputError(fmt::format("cannot open {}", path));
  std::string line;
  for (Index number = 1; std::getline(file, line); ++number) {
    const auto [id, label] = two_cells(line);
    if (id.empty() || (number == 1 && id == "id" && label == "label")) continue;
    if (label != "active" && label != "decoy")
      throw InputError(fmt::format("{}, line {}: the label is `active` or `decoy`, not '{}'", path, number, label));
    if (!entries_.emplace(id, Entry{label == "active"}).second)
      throw InputError(fmt::format("{}, line {}: the id '{}' is there already", path, number, id));
  }
  if (file.bad()) throw InputError(fmt::format("cannot read {}", path));
  const Index actives = std::ranges::count_if(entries_, [](const auto& entry) { return entry.second.active; });
  if (actives == 0 || actives == std::ssize(entries_))
    throw InputError(fmt::format("'{}' labels {} and {}: enrichment needs both", path, counted(actives, "active"),
                                 counted(std::ssize(entries_) - actives, "decoy")));
}

/// The further isomers of a molecule are `id_2`, `id_3`: without a label of their own they count for the molecule.
void Labels::add(const std::string& id, std::optional<double> score) {
  auto found = entries_.find(id);
  const std::size_t end = id.find_last_not_of("0123456789");
  const std::string number = end == id.npos || id[end] != '_' ? "" : id.substr(end + 1);
  const bool is_isomer = !number.empty() && number[0] != '0' && number != "1";
  if (found == entries_.end() && is_isomer) found = entries_.find(id.substr(0, end));
  if (found == entries_.end())
    ++num_unlabelled_;
  else
    found->second.score = std::min(found->second.score.value_or(kNoScore), score.value_or(kNoScore));
}

dock::Enrichment Labels::enrichment() const {
  // In order of their ids, for equal scores must not depend on the order of a hash table.
  std::vector<std::pair<std::string, Entry>> entries(entries_.begin(), entries_.end());
  std::ranges::sort(entries, {}, [](const auto& entry) { return entry.first; });
  std::vector<double> scores;
  std::vector<bool> active;
  for (const auto& [id, entry] : entries) {
    if (!entry.score) continue;
    scores.push_back(*entry.score);
    active.push_back(entry.active);
  }
  return dock::enrichment(scores, active);
}

void Labels::warn() const {
  const Index missing = std::ranges::count_if(entries_, [](const auto& entry) { return !entry.second.score; });
  if (num_unlabelled_ > 0)
    cli::warn(fmt::format("{} without a label in '{}' not counted", counted(num_unlabelled_, "molecule"), path_));
  if (missing > 0)
    cli::warn(fmt::format("{} of '{}' without a molecule not counted", counted(missing, "label"), path_));
}

Json json_of(const dock::Enrichment& of) {
  return {{"actives", of.actives}, {"decoys", of.decoys}, {"auc", of.auc},          {"ef1", of.ef1},
          {"ef5", of.ef5},         {"ef10", of.ef10},     {"bedroc20", of.bedroc20}};
}

std::string roc_svg(const dock::Enrichment& of) {
  constexpr double kLeft = 60, kTop = 40, kSide = 320;
  constexpr const char* kText = "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\"";
  const auto x = [](double rate) { return kLeft + rate * kSide; };
  const auto y = [](double rate) { return kTop + (1 - rate) * kSide; };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      kLeft + kSide + 30, kTop + kSide + 60);
  svg += fmt::format("<text x=\"{}\" y=\"22\" {}>AUC {:.3f}, EF 1 % {:.1f}, EF 5 % {:.1f}, BEDROC {:.3f}</text>\n",
                     kLeft, kText, of.auc, of.ef1, of.ef5, of.bedroc20);
  for (int tick = 0; tick <= 5; ++tick) {
    const double rate = tick / 5.0;
    svg += fmt::format("<path d=\"M{0:.1f} {1}V{2}M{3} {4:.1f}H{5}\" stroke=\"#ddd\"/>\n", x(rate), kTop, kTop + kSide,
                       kLeft, y(rate), kLeft + kSide);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\" {}>{:.1f}</text>\n", x(rate),
                       kTop + kSide + 18, kText, rate);
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\" {}>{:.1f}</text>\n", kLeft - 6, y(rate) + 4,
                       kText, rate);
  }
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" {}>false positive rate ({} decoys)</text>\n",
                     kLeft + kSide / 2, kTop + kSide + 40, kText, of.decoys);
  svg += fmt::format(
      "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\" {}>true positive rate ({} "
      "actives)</text>\n",
      kTop + kSide / 2, kText, of.actives);
  svg += fmt::format("<path d=\"M{} {}L{} {}\" stroke=\"#999\" stroke-dasharray=\"4 4\"/>\n", x(0), y(0), x(1), y(1));
  svg += "<polyline fill=\"none\" stroke=\"#1b6ca8\" stroke-width=\"2\" points=\"";
  for (const auto& [false_rate, true_rate] : of.roc) svg += fmt::format("{:.2f},{:.2f} ", x(false_rate), y(true_rate));
  return svg + "\"/>\n</svg>\n";
}

}  // namespace quarry::cli
