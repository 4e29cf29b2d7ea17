/// Subgraphs that `quarry mine` found as rows of text: one column for each vertex of the pattern.
#pragma once
#include <span>
#include <string>

#include "quarry/graph.hpp"
#include "quarry/graph_pattern.hpp"
#include "quarry/output.hpp"

namespace quarry::cli {

class SubgraphTable {
 public:
  /// @param path  .tsv or .csv, also .gz or .zst; "-" is tab-separated on standard output
  /// @throws InputError  another extension
  SubgraphTable(const std::string& path, const Graph& graph, const GraphPattern& pattern);
  /// @param rows  one or several subgraphs, each as many vertices as the pattern has
  void write(std::span<const std::uint32_t> rows);
  void finish() { output_.finish(); }

 private:
  const Graph& graph_;
  std::size_t width_;
  char separator_;
  Output output_;
  std::string text_;
};

/// The id of a vertex as the input has it, for a cell of a table.
std::string vertex_name(const Graph& graph, Index vertex, char separator);

/// The character between the columns of a table, by the extension of `path`. @throws InputError  another extension
char table_separator(const std::string& path);

}  // namespace quarry::cli
