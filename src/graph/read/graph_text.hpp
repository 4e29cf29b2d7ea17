/// Graphs as text: what a block of lines becomes, and what a format must say of itself.
#pragma once
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/edge_block.hpp"
#include "graph/read/line_scanner.hpp"
#include "quarry/graph.hpp"

namespace quarry {

/// A vertex with a line of its own.
struct VertexLabel {
  std::uint64_t id = 0;
  std::uint32_t label = 0;
};

/// What the lines of a block say. Ids are as the file has them, or from 0 where the format numbers its vertices.
struct ParsedBlock {
  EdgeBlock edges;                       ///< the rows, where every id has 32 bits,
  std::vector<std::uint64_t> wide_ends;  ///< else here, and `edges` has at most labels
  std::vector<VertexLabel> vertices;
  std::uint64_t lowest = std::numeric_limits<std::uint64_t>::max(), highest = 0;  ///< of the ids
  Index lines = 0, comments = 0, blank = 0, rejected = 0;
  std::vector<RejectedRow> rejected_rows;  ///< lines counted within the block

  Index num_rows() const { return edges.num_rows() + static_cast<Index>(wide_ends.size() / 2); }
  void add(std::uint64_t from, std::uint64_t to) {
    lowest = std::min({lowest, from, to});
    highest = std::max({highest, from, to});
    if (wide_ends.empty() && (from | to) <= std::numeric_limits<std::uint32_t>::max()) {
      edges.ends.push_back(static_cast<std::uint32_t>(from));
      edges.ends.push_back(static_cast<std::uint32_t>(to));
    } else {
      add_wide(from, to);
    }
  }
  void add_vertex(std::uint64_t id, std::uint64_t label) {
    lowest = std::min(lowest, id);
    highest = std::max(highest, id);
    vertices.push_back({id, static_cast<std::uint32_t>(label)});
  }
  void reject(std::string reason) {
    if (++rejected <= kMaxNamedRows) rejected_rows.push_back({lines, "", std::move(reason)});
  }

 private:
  void add_wide(std::uint64_t from, std::uint64_t to) {
    wide_ends.insert(wide_ends.end(), edges.ends.begin(), edges.ends.end());
    edges.ends = {};
    wide_ends.insert(wide_ends.end(), {from, to});
  }
};

/// The lines before the first row, taken one at a time off the front of a text of whole lines.
struct HeaderLines {
  std::string_view rest;
  Index line = 0;  ///< number of the line that `next` gave last

  /// The next line without its end. @return false where none is left
  bool next(std::string_view& text);
  /// The next line that is neither blank nor a comment; those before it are counted.
  bool next_row(std::string_view& text, GraphReport& report);
  /// As `next`, but the line stays.
  bool peek(std::string_view& text) const { return HeaderLines(*this).next(text); }
};

/// Is the line blank, or a comment? Counts it if so.
bool says_nothing(std::string_view line, GraphReport& report);

/// One way to write a graph as text. What is wrong with a file is returned as a sentence, empty where nothing is.
class TextFormat {
 public:
  virtual ~TextFormat() = default;
  /// Takes what is no row off the front of the file, and tells the report of it. `lines.line` is the bad one.
  virtual std::string read_header(HeaderLines& lines, GraphReport& report) = 0;
  /// Reads whole lines, on any thread. Stops behind the first bad line where `strict`.
  virtual void parse(std::string_view lines, bool strict, ParsedBlock& block) const = 0;
  /// Takes blocks in the order of the file.
  virtual std::string place(ParsedBlock&) { return ""; }
  /// At the end of the file: does it hold what its header states?
  virtual std::string finish(const GraphReport&) const { return ""; }

  /// Are vertices numbered by the format, from 0 to the number that the header states? Else they are named by ids.
  virtual bool numbered() const { return true; }
  virtual std::uint64_t first_id() const { return 0; }  ///< of vertex 0, where numbered
  virtual bool labels_vertices() const { return false; }
  virtual bool labels_edges() const { return false; }
  /// Rows that the header states; 0 where it does not.
  virtual Index stated_rows() const { return 0; }
};

std::unique_ptr<TextFormat> edge_list_format(const GraphReadOptions& options);
std::unique_ptr<TextFormat> matrix_market_format(const GraphReadOptions& options);
std::unique_ptr<TextFormat> metis_format();
std::unique_ptr<TextFormat> labelled_format();
/// Rows `id label`: what GraphReadOptions::vertex_labels names. Rows are vertices.
std::unique_ptr<TextFormat> vertex_label_format();

inline constexpr std::uint64_t kHighestId = std::numeric_limits<std::uint64_t>::max();
inline constexpr std::uint64_t kHighestLabel = std::numeric_limits<std::uint32_t>::max();

/// Calls `row(scanner, reason)` for each line; it returns false for a bad one, and says why.
/// @param blank_is_row  blank lines are rows too
template <class Row>
void for_each_row(std::string_view lines, bool strict, bool blank_is_row, ParsedBlock& block, Row&& row) {
  const char *at = lines.data(), *end = lines.data() + lines.size();
  std::string reason;
  while (at < end) {
    LineScanner scanner(at);
    ++block.lines;
    const bool blank = scanner.at_end();
    const char first = *scanner.at();
    if (first == '#' || first == '%' || (first == '/' && scanner.at()[1] == '/')) {
      ++block.comments;
    } else if (blank && !blank_is_row) {
      ++block.blank;
    } else if (!row(scanner, reason)) {
      block.reject(std::exchange(reason, ""));
      if (strict) return;
    }
    at = scanner.at();
    while (*at != '\n') ++at;
    ++at;
  }
}

}  // namespace quarry
