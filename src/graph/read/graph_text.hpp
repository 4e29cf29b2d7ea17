/// Graphs as text: what lines become when they are parsed, and what each format says of itself.
#pragma once
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/edge_batch.hpp"
#include "graph/read/line_scanner.hpp"
#include "graph/read/name_table.hpp"
#include "quarry/graph.hpp"

namespace quarry {

/// A vertex that has a line of its own.
struct VertexLabel {
  std::uint64_t id = 0;
  std::uint32_t label = 0;
};

/// What some hundred thousand lines say. Ids are as the file has them, or from 0 where the format numbers its vertices.
struct ParsedLines {
  EdgeBatch edges;                     ///< the rows, where every id has 32 bits,
  BigVector<std::uint64_t> wide_ends;  ///< else here, and `edges` has at most labels
  std::vector<VertexLabel> vertices;
  std::vector<std::uint64_t> lone;  ///< vertices whose row names no edge
  std::unique_ptr<NameTable>
      names;  ///< where ids are text: their numbers, of these lines alone until they are accepted
  std::uint64_t lowest = std::numeric_limits<std::uint64_t>::max(), highest = 0;  ///< of the ids
  Index lines = 0, comments = 0, blank = 0, rejected = 0;
  std::vector<RejectedRow> rejected_rows;        ///< their line numbers start with these lines
  Index ignoring_rows = 0, ignored_columns = 0;  ///< rows with columns that are not used; the most of one row
  Index ragged_rows = 0;                         ///< with another number of columns than the first row of the file
  Index list_line = 0;                           ///< the first that looks like one of an adjacency list; 0: none

  Index num_rows() const { return edges.num_rows() + std::ssize(wide_ends) / 2; }
  Index bytes() const { return 4 * (std::ssize(edges.ends) + std::ssize(edges.labels)) + 8 * std::ssize(wide_ends); }
  void add(std::uint64_t from, std::uint64_t to) {
    lowest = std::min({lowest, from, to});
    highest = std::max({highest, from, to});
    if (wide_ends.empty() && (from | to) <= std::numeric_limits<std::uint32_t>::max()) {
      edges.add(from, to);
    } else {
      add_wide(from, to);
    }
  }
  void add_vertex(std::uint64_t id, std::uint32_t label) {
    lowest = std::min(lowest, id);
    highest = std::max(highest, id);
    vertices.push_back({id, label});
  }
  void add_lone(std::uint64_t id) {
    lowest = std::min(lowest, id);
    highest = std::max(highest, id);
    lone.push_back(id);
  }
  /// Takes the columns of a row that are not used. @return their number
  Index ignore_rest(LineScanner& scanner) {
    if (scanner.at_end()) return 0;
    const Index columns = scanner.count_fields();
    ++ignoring_rows;
    ignored_columns = std::max(ignored_columns, columns);
    return columns;
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

/// The lines before the first row, taken one by one from the front of a text of whole lines.
struct HeaderLines {
  std::string_view rest;
  Index line = 0;  ///< number of the line that `next` returned last

  /// The next line without its end. @return false where none is left
  bool next(std::string_view& text);
  /// The next line that is neither blank nor a comment; counts those that it skips.
  bool next_row(std::string_view& text, GraphReport& report);
  /// As `next`, but does not take the line.
  bool peek(std::string_view& text) const { return HeaderLines(*this).next(text); }
};

/// Is the line blank, or a comment? Counts it if so.
bool is_blank_or_comment(std::string_view line, GraphReport& report);

/// Enters the separator and the number of columns of the first row in the report.
void describe_row(std::string_view line, GraphReport& report);

/// One way to write a graph as text. What is wrong with a file is returned as a sentence, empty where nothing is.
class TextFormat {
 public:
  virtual ~TextFormat() = default;
  /// Takes the lines before the first row and enters in the report what they state. Where something is wrong,
  /// `lines.line` is the bad line.
  virtual std::string read_header(HeaderLines& lines, GraphReport& report) = 0;
  /// Parses whole lines, on any thread. Stops after the first bad line where `strict`.
  virtual void parse(std::string_view lines, bool strict, ParsedLines& parsed) const = 0;
  /// Called with the parsed lines in the order of the file.
  virtual std::string accept(ParsedLines&) { return ""; }
  /// At the end of the file: does it hold what its header states?
  virtual std::string finish(const GraphReport&) const { return ""; }

  /// Does the format number the vertices, from 0 to the number that the header states? Else ids name them.
  virtual bool numbered() const { return true; }
  virtual std::uint64_t first_id() const { return 0; }  ///< of vertex 0, where numbered
  /// Where ids are text: their names. Ids are numbers of this table then.
  virtual std::shared_ptr<NameTable> names() const { return nullptr; }
  virtual bool labels_vertices() const { return false; }
  virtual bool labels_edges() const { return false; }
  /// Number of rows that the header states; 0 where it does not.
  virtual Index stated_rows() const { return 0; }
};

/// A format whose header states the sizes of the graph.
class SizedFormat : public TextFormat {
 public:
  /// The header is the first row.
  std::string read_header(HeaderLines& lines, GraphReport& report) override;
  Index stated_rows() const override { return stated_rows_; }

 protected:
  /// How the header is written, for messages: "t vertices edges".
  virtual const char* header_form() const = 0;
  /// Reads the header. @return what is wrong, or nothing
  virtual std::string read_sizes(LineScanner& header, GraphReport& report) = 0;
  /// Reads the numbers of vertices and edges. @return false, and the reason, where they are not there
  bool take_sizes(LineScanner& header, std::uint64_t highest, GraphReport& report, std::string& reason);
  std::string missing_header() const { return std::string("there is no header '") + header_form() + "'"; }

  std::uint64_t num_vertices_ = 0;
  Index stated_rows_ = 0;
};

std::unique_ptr<TextFormat> edge_list_format(const GraphReadOptions& options);
std::unique_ptr<TextFormat> adjacency_list_format();
/// Is this an edge list or an adjacency list whose ids are text? Its first two rows decide.
bool holds_names(std::string_view text);
/// @param list  an adjacency list, else an edge list
std::unique_ptr<TextFormat> named_rows_format(const GraphReadOptions& options, bool list);
std::unique_ptr<TextFormat> matrix_market_format(const GraphReadOptions& options);
std::unique_ptr<TextFormat> metis_format();
std::unique_ptr<TextFormat> labelled_format();
/// Rows `id label`: the file that GraphReadOptions::vertex_labels names. Each row is a vertex.
std::unique_ptr<TextFormat> vertex_label_format();
/// @param names  of the graph; those that it lacks are added
std::unique_ptr<TextFormat> named_label_format(std::shared_ptr<NameTable> names);

/// Calls `row(scanner, reason)` for each row; it returns false for a bad one, and says why.
/// @param blank_is_row  blank lines are rows too
template <class Row>
void for_each_row(std::string_view lines, bool strict, bool blank_is_row, ParsedLines& parsed, Row&& row) {
  const char *at = lines.data(), *end = lines.data() + lines.size();
  std::string reason;
  while (at < end) {
    LineScanner scanner(at);
    ++parsed.lines;
    const bool blank = scanner.at_end();
    const char first = *scanner.at();
    if (first == '#' || first == '%' || (first == '/' && scanner.at()[1] == '/')) {
      ++parsed.comments;
    } else if (blank && !blank_is_row) {
      ++parsed.blank;
    } else if (!row(scanner, reason)) {
      parsed.reject(std::exchange(reason, ""));
      if (strict) return;
    }
    at = scanner.at();
    while (*at != '\n') ++at;
    ++at;
  }
}

}  // namespace quarry
