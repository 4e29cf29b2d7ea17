#include "output/subgraph_table.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "output/text.hpp"

namespace quarry::cli {

char table_separator(const std::string& path) {
  const std::string extension = std::filesystem::path(name_without_compression(path)).extension();
  if (extension == ".csv") return ',';
  if (path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/self/fd/") || extension == ".tsv" ||
      extension == ".txt")
    return '\t';
  throw InputError(fmt::format("'{}' names no output format: use .tsv or .csv, each also with .gz or .zst", path));
}

SubgraphTable::SubgraphTable(const std::string& path, const Graph& graph, const GraphPattern& pattern)
    : graph_(graph), width_(pattern.vertices.size()), separator_(table_separator(path)), output_(path) {
  for (std::size_t vertex = 0; vertex < width_; ++vertex) {
    // A column named by a number alone would look like an index.
    const char first = pattern.vertices[vertex].front();
    if (first >= '0' && first <= '9') text_ += 'v';
    text_ += pattern.vertices[vertex];
    text_ += vertex + 1 == width_ ? '\n' : separator_;
  }
  output_.write(text_);
}

std::string vertex_name(const Graph& graph, Index vertex, char separator) {
  if (!graph.has_names()) return fmt::format("{}", graph.id(vertex));
  return separator == ',' ? csv_safe(graph.name(vertex)) : tab_safe(graph.name(vertex));
}

void SubgraphTable::write(std::span<const std::uint32_t> rows) {
  if (graph_.has_names()) {
    text_.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      text_ += vertex_name(graph_, rows[i], separator_);
      text_ += (i + 1) % width_ == 0 ? '\n' : separator_;
    }
    output_.write(text_);
    return;
  }
  constexpr std::size_t kDigits = 20;
  text_.resize(rows.size() * (kDigits + 1));
  char* out = text_.data();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out = std::to_chars(out, out + kDigits, graph_.id(rows[i])).ptr;
    *out++ = (i + 1) % width_ == 0 ? '\n' : separator_;
  }
  output_.write(std::string_view(text_.data(), out - text_.data()));
}

}  // namespace quarry::cli
