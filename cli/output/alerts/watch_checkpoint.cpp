#include "output/alerts/watch_checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "input/json_file.hpp"
#include "quarry/files/output.hpp"

namespace quarry::cli {
namespace {

using watch::PatternTotals;

std::filesystem::path file_in(const std::string& folder) { return std::filesystem::path(folder) / "checkpoint.json"; }

constexpr std::uint64_t PatternTotals::*kSums[] = {&PatternTotals::positive,
                                                   &PatternTotals::negative,
                                                   &PatternTotals::positive_subgraphs,
                                                   &PatternTotals::negative_subgraphs,
                                                   &PatternTotals::nonzero_updates,
                                                   &PatternTotals::truncated,
                                                   &PatternTotals::digest,
                                                   &PatternTotals::hash_positive,
                                                   &PatternTotals::hash_negative};

}  // namespace

void save_checkpoint(const std::string& folder, const WatchCheckpoint& checkpoint) {
  nlohmann::json totals = nlohmann::json::array();
  for (const PatternTotals& of_pattern : checkpoint.totals) {
    nlohmann::json numbers = {of_pattern.automorphisms, of_pattern.max_per_update};
    for (const auto sum : kSums) numbers.push_back(of_pattern.*sum);
    totals.push_back(numbers);
  }
  const nlohmann::json json = {{"job", checkpoint.job},
                               {"graph", checkpoint.graph},
                               {"position", checkpoint.position},
                               {"updates", checkpoint.updates},
                               {"output_length", checkpoint.output_length},
                               {"finished", checkpoint.finished},
                               {"totals", totals}};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw SystemError(fmt::format("'{}' cannot be made: {}", folder, error.message()));
  Output output(file_in(folder));
  output.write(json.dump() + '\n');
  output.finish_at_once();
}

std::optional<WatchCheckpoint> load_checkpoint(const std::string& folder) {
  const std::filesystem::path path = file_in(folder);
  if (!std::filesystem::exists(path)) return {};
  try {
    const nlohmann::json json = read_json_file(path);
    WatchCheckpoint checkpoint;
    json.at("job").get_to(checkpoint.job);
    json.at("graph").get_to(checkpoint.graph);
    json.at("position").get_to(checkpoint.position);
    json.at("updates").get_to(checkpoint.updates);
    json.at("output_length").get_to(checkpoint.output_length);
    json.at("finished").get_to(checkpoint.finished);
    for (const nlohmann::json& numbers : json.at("totals")) {
      PatternTotals& of_pattern = checkpoint.totals.emplace_back();
      numbers.at(0).get_to(of_pattern.automorphisms);
      numbers.at(1).get_to(of_pattern.max_per_update);
      for (std::size_t i = 0; i < std::size(kSums); ++i) numbers.at(2 + i).get_to(of_pattern.*kSums[i]);
    }
    return checkpoint;
  } catch (const nlohmann::json::exception&) {
    throw InputError(fmt::format("'{}' is damaged: remove the folder to begin again", path.string()));
  }
}

void add_totals(std::vector<PatternTotals>& totals, const std::vector<PatternTotals>& before) {
  for (std::size_t i = 0; i < std::min(totals.size(), before.size()); ++i) {
    for (const auto sum : kSums) totals[i].*sum += before[i].*sum;
    totals[i].max_per_update = std::max(totals[i].max_per_update, before[i].max_per_update);
  }
}

Index CheckpointPace::end_of_run(Index begin, Index stop) {
  run_ = {};
  return stop < 0 ? begin + most_ : std::min(stop, begin + most_);
}

bool CheckpointPace::is_due(Index updates) {
  constexpr Index kGrowth = 4, kMost = Index{1} << 40;
  const double seconds = run_.seconds();
  if (seconds > 2 * seconds_)
    most_ = std::max(least_, static_cast<Index>(static_cast<double>(updates) * seconds_ / seconds));
  else if (updates >= most_ && seconds * kGrowth < seconds_)
    most_ = std::min(kGrowth * most_, kMost);
  if (last_.seconds() < seconds_) return false;
  last_ = {};
  return true;
}

}  // namespace quarry::cli
