/// Subgraphs that `quarry mine` found as rows of text: one column for each vertex of the pattern.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "output/tables/table_output.hpp"
#include "quarry/files/ledger.hpp"
#include "quarry/graph.hpp"
#include "quarry/graph_pattern.hpp"
#include "quarry/job.hpp"
#include "stopwatch.hpp"

namespace quarry::cli {

class SubgraphTable {
 public:
  /// @param path    .tsv or .csv, also .gz, .zst, .bz2 or .xz; "-" is tab-separated on standard output
  /// @param ledger  keeps the rows until `finish`, or is nullptr
  /// @throws InputError  another extension
  SubgraphTable(const std::string& path, const Graph& graph, const GraphPattern& pattern, Ledger* ledger = nullptr);
  /// Rows go to output 0 of a shard.
  /// @param with_header  for the first one
  SubgraphTable(const std::string& path, const Graph& graph, const GraphPattern& pattern, ShardSink& shard,
                bool with_header);
  /// @param rows  one or several subgraphs, each as many vertices as the pattern has
  void write(std::span<const std::uint32_t> rows);
  /// With a ledger: the rows so far are those before an entry of a list (mine::ListStart).
  void reach(Index entry);
  /// @param truncated  whether a list has more rows
  void finish(bool truncated = false);

  /// Of the ledger: where the list goes on, its rows so far, and whether there were more.
  Index entry() const { return sum("entry"); }
  Index num_rows() const { return sum("rows") + num_new_rows_; }
  bool truncated() const { return sum("truncated") > 0; }

 private:
  std::string header(const GraphPattern& pattern) const;
  void put(std::string_view text);
  Index sum(const char* name) const;
  /// Gives the rows that wait to the ledger; a stop keeps them with the next commit, or none of them.
  void hand_over();
  void keep(Index entry);

  const Graph& graph_;
  std::size_t width_;
  char separator_;
  std::optional<TableOutput> output_;
  ShardSink* shard_ = nullptr;  // where there is no output
  std::string text_;
  // The rest is for a ledger.
  Ledger* ledger_ = nullptr;
  std::string waiting_;
  Index window_ = 0;  // number of the first row of the ledger since the last commit
  Index num_new_rows_ = 0;
  Stopwatch since_kept_;
};

/// The id of a vertex as the input has it, for a cell of a table.
std::string vertex_name(const Graph& graph, Index vertex, char separator);

/// The character between the columns of a table, by the extension of `path`. @throws InputError  another extension
char table_separator(const std::string& path);

}  // namespace quarry::cli
