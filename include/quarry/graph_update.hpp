/// Changes of a graph, one after the other, and files that hold them.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "quarry/graph_pattern.hpp"
#include "quarry/index.hpp"
#include "quarry/report.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// One change. Vertices are named by their ids, which may be any numbers.
struct GraphUpdate {
  enum class Kind : std::uint8_t { insert_edge, delete_edge, add_vertex, remove_vertex, unreadable };
  Kind kind = Kind::insert_edge;
  bool adds_ends = false;          ///< insert_edge: an end that the graph does not have is added, with its label
  std::uint32_t label = 0;         ///< of the edge or the vertex; kAnyLabel is 0 where it is new, else whatever it has
  std::uint64_t from = 0, to = 0;  ///< the ends of an edge; a vertex is `from`
  /// Of the ends of an edge. kAnyLabel is 0 where an end is added, else whatever it has.
  std::uint32_t from_label = kAnyLabel, to_label = kAnyLabel;
  Index line = 0;                                      ///< of the file it comes from, from 1; 0: none
  std::chrono::steady_clock::time_point arrival = {};  ///< when it came in; response times are measured from here
};

/// Where updates come from, one thread at a time.
class UpdateSource {
 public:
  virtual ~UpdateSource() = default;
  enum class Next : std::uint8_t { update, nothing_yet, end };
  /// Takes the next update, for which it waits until `deadline` at most.
  virtual Next next(GraphUpdate& update, std::chrono::steady_clock::time_point deadline) = 0;
};

/// How updates are read.
struct UpdateReadOptions {
  /// "updates", "csv", "tsv" or "jsonl"; empty: by the name of the file, else "updates".
  std::string format = {};
  /// Above 0: rows are edges that arrive, with a column `time` that does not descend, of numbers, or of dates (ISO 8601,
  /// and the window is in seconds then). An edge is deleted this long after it was last seen, before the arrivals of that
  /// time; those that expire between two rows are deleted in the order in which they were last seen. A row that repeats a
  /// present edge, with whatever label, only lets it stay longer; it is no update. Edges that the graph had before are not
  /// in the window. Not for the format `updates`.
  double window = 0;
};

/// `rows` are lines that are neither blank, comment nor header. With a window, updates = rows - refreshed + expired.
struct UpdateReport : Report {
  std::vector<RejectedRow> rejected_rows;    ///< lines that could not be read; at most kMaxNamedRows
  Index refreshed = 0;                       ///< rows that repeated a present edge in a window
  Index expired = 0;                         ///< deletions that the window made
  std::vector<std::string> ignored_columns;  ///< names that mean nothing here, of the header or of the first object
};

/// Reads updates from a file, line by line:
/// - `updates`: `e FROM TO [LABEL]` inserts and `-e FROM TO [LABEL]` deletes an edge, `v ID [LABEL]` adds and
///   `-v ID [LABEL]` removes a vertex
/// - `csv`, `tsv`: a header names the columns `from`, `to` (or `source`, `target`), and if they are there `label`,
///   `op` (`+`, `-`, `insert`, `delete`), `time`, `from_label`, `to_label`, and others, which are ignored; edges only,
///   whose ends are added; an empty field states no label
/// - `jsonl`: an object a line with members of the same names, and `vertex` in place of `from` and `to` for vertices
/// Ids have up to 64 bits, labels go up to 4294967294. Without a label, what is new gets 0, and what is there may have
/// any. Blank lines, and lines that begin with `#`, are skipped.
/// Text may be compressed (.gz, .zst, .bz2, .xz), and "-" is standard input, of which each line is read as soon as it is there.
/// A line that cannot be read becomes an update of the kind `unreadable`, so that those after it keep their positions.
class UpdateReader {
 public:
  /// @throws InputError  the file is missing, its header lacks a column that is needed, or options do not fit
  explicit UpdateReader(const std::string& path, const UpdateReadOptions& options = {});
  UpdateReader(UpdateReader&&) noexcept;
  UpdateReader& operator=(UpdateReader&&) noexcept;
  ~UpdateReader();

  /// @return false at the end. @throws InputError  the file is damaged
  bool next(GraphUpdate& update);
  /// Of the lines so far.
  const UpdateReport& report() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads a file of arrival times: a number a line, ascending, in seconds.
/// @throws InputError  a line is no number, or less than the one before (names file and line)
[[nodiscard]] std::vector<double> read_update_times(const std::string& path);

}  // namespace quarry
#pragma GCC visibility pop
