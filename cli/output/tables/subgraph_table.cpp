#include "output/tables/subgraph_table.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "arguments/resume.hpp"
#include "output/text.hpp"

namespace quarry::cli {
namespace {

/// After the last entry of any list, and exact as a number of the ledger.
constexpr Index kEndOfList = Index{1} << 52;

}  // namespace

char table_separator(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension == ".csv") return ',';
  if (path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/self/fd/") || extension == ".tsv" ||
      extension == ".txt")
    return '\t';
  throw InputError(
      fmt::format("'{}' names no output format: use .tsv or .csv, each also with .gz, .zst, .bz2 or .xz", path));
}

SubgraphTable::SubgraphTable(const std::string& path, const Graph& graph, const GraphPattern& pattern, Ledger* ledger)
    : graph_(graph),
      width_(pattern.vertices.size()),
      separator_(table_separator(path)),
      output_(path),
      ledger_(ledger),
      window_(ledger != nullptr ? ledger->num_rows() : 0) {
  output_->write(header(pattern));
}

SubgraphTable::SubgraphTable(const std::string& path, const Graph& graph, const GraphPattern& pattern, ShardSink& shard,
                             bool with_header)
    : graph_(graph), width_(pattern.vertices.size()), separator_(table_separator(path)), shard_(&shard) {
  if (with_header) shard.write(0, header(pattern));
}

std::string SubgraphTable::header(const GraphPattern& pattern) const {
  std::string text;
  for (std::size_t vertex = 0; vertex < width_; ++vertex) {
    // A column named by a number alone would look like an index.
    const char first = pattern.vertices[vertex].front();
    if (first >= '0' && first <= '9') text += 'v';
    text += pattern.vertices[vertex];
    text += vertex + 1 == width_ ? '\n' : separator_;
  }
  return text;
}

std::string vertex_name(const Graph& graph, Index vertex, char separator) {
  if (!graph.has_names()) return fmt::format("{}", graph.id(vertex));
  return cell_of(graph.name(vertex), separator);
}

void SubgraphTable::write(std::span<const std::uint32_t> rows) {
  num_new_rows_ += rows.size() / width_;
  if (graph_.has_names()) {
    text_.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      text_ += vertex_name(graph_, rows[i], separator_);
      text_ += (i + 1) % width_ == 0 ? '\n' : separator_;
    }
    put(text_);
    return;
  }
  constexpr std::size_t kDigits = 20;
  text_.resize(rows.size() * (kDigits + 1));
  char* out = text_.data();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out = std::to_chars(out, out + kDigits, graph_.id(rows[i])).ptr;
    *out++ = (i + 1) % width_ == 0 ? '\n' : separator_;
  }
  put(std::string_view(text_.data(), out - text_.data()));
}

void SubgraphTable::put(std::string_view text) {
  if (shard_ != nullptr) return shard_->write(0, text);
  if (ledger_ == nullptr) return output_->write(text);
  waiting_ += text;
  if (waiting_.size() > kKeepBytes) hand_over();
}

void SubgraphTable::reach(Index entry) {
  if (ledger_ != nullptr && since_kept_.seconds() > kKeepSeconds) keep(entry);
}

void SubgraphTable::hand_over() { ledger_->add({.row = window_, .texts = {std::exchange(waiting_, {})}}); }

void SubgraphTable::keep(Index entry) {
  hand_over();
  ledger_->add_to_sum("entry", static_cast<double>(entry - this->entry()));
  ledger_->add_to_sum("rows", static_cast<double>(std::exchange(num_new_rows_, 0)));
  ledger_->commit();
  window_ = ledger_->num_rows();
  since_kept_ = {};
}

void SubgraphTable::finish(bool truncated) {
  if (ledger_ != nullptr) {
    ledger_->add_to_sum("truncated", truncated ? 1 : 0);
    keep(kEndOfList);
    ledger_->for_each_text(0, false, [&](const std::string& text) { output_->write(text); });
  }
  output_->finish();
}

Index SubgraphTable::sum(const char* name) const { return std::llround(ledger_->sum(name)); }

}  // namespace quarry::cli
