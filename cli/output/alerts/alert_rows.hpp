/// What `watch` writes: a row for each match, or for each update and pattern, as TSV, CSV or JSON lines.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "quarry/files/output.hpp"
#include "quarry/watch.hpp"

namespace quarry::cli {

/// How rows are written.
struct AlertFormat {
  bool count = false;      ///< `update sign pattern subgraphs embeddings`, else `update sign pattern vertices...`
  bool json = false;       ///< an object a row
  char separator = '\t';   ///< of the columns, where rows are not objects
  bool truncated = false;  ///< a column says whether there were more matches than were wanted
};

class AlertRows {
 public:
  explicit AlertRows(AlertFormat format) : format_(format) {}
  void add_pattern(const GraphPattern& pattern);

  std::string header() const;
  /// Appends the rows of an alert to `text`. With AlertFormat::truncated the rows of a list wait for its last alert; without,
  /// several threads may call it.
  void append(const watch::Alert& alert, std::string& text);

 private:
  void append_matches(const watch::Alert& alert, std::span<const std::uint64_t> matches, std::string& text) const;
  void append_begin(const watch::Alert& alert, std::string& text) const;
  void begin_column(std::string_view name, std::string& text) const;

  /// Rows of CSV all have the columns of the largest pattern, for readers of tables want them alike.
  bool pads() const { return !format_.json && format_.separator == ','; }

  AlertFormat format_;
  std::vector<std::string> names_;   ///< [patterns] as the format writes them
  std::vector<std::size_t> widths_;  ///< [patterns]
  std::size_t max_width_ = 0;
  std::vector<std::uint64_t> waiting_;
};

}  // namespace quarry::cli
