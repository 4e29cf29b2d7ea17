/// Matches in a graph as rows of text, one column for each vertex of the pattern.
#pragma once
#include <span>
#include <string>

#include "quarry/graph.hpp"
#include "quarry/graph_pattern.hpp"
#include "quarry/output.hpp"

namespace quarry::cli {

class MatchTable {
 public:
  /// @param path  .tsv or .csv, also .gz or .zst; "-" is tab-separated on standard output
  /// @throws InputError  the name says no such format
  MatchTable(const std::string& path, const Graph& graph, const GraphPattern& pattern);
  /// Whole rows of vertices.
  void write(std::span<const std::uint32_t> rows);
  void finish() { output_.finish(); }

 private:
  const Graph& graph_;
  std::size_t width_;
  char separator_;
  Output output_;
  std::string text_;
};

/// The character between columns that the name of a table asks for. @throws InputError  no table
char table_separator(const std::string& path);

}  // namespace quarry::cli
