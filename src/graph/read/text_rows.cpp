/// Recognises the format of a text, and sends pieces of it through the parser.
#include "graph/read/text_rows.hpp"

#include <fmt/format.h>

#include <utility>

#include "exec/parallel.hpp"
#include "graph/graph_rows.hpp"
#include "graph/read/igraph_file.hpp"
#include "quarry/error.hpp"
#include "util/ascii.hpp"
#include "util/files/byte_source.hpp"
#include "util/files/file_name.hpp"
#include "util/files/line_reader.hpp"

namespace quarry {
namespace {

constexpr std::size_t kCheckedBytes = 4096;
constexpr const char* kFormats = "edges, names, adjlist, mtx, metis, labelled, graphml, gml, pajek, qgraph";

bool has_ending(const std::string& path, std::initializer_list<std::string_view> endings) {
  const std::string_view name = without_compression(path);
  return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

/// Refuses a file whose first bytes are not text.
void check_text(std::string_view text, const std::string& name) {
  if (text.starts_with("QUARRYGR")) {
    throw InputError(fmt::format("{} is a .qgraph file: it must be a file on disk and not compressed", name));
  }
  const auto first = text.substr(0, kCheckedBytes);
  const auto bad = std::ranges::find_if(first, [](char c) { return (c >= 0 && c < '\t') || c == 0x7f; });
  if (bad == first.end()) return;
  const unsigned char byte = *bad;
  throw InputError(
      fmt::format("{} is no graph: byte {} is {:#04x}, which no text has", name, bad - first.begin(), byte));
}

/// Does the labelled format begin so? A header, or the line of a vertex.
bool begins_labelled(std::string_view line) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  if (line.size() < 2 || !is_blank(line[1])) return false;
  const std::size_t second = line.find_first_not_of(" \t", 1);
  return line[0] == 't' || (line[0] == 'v' && second < line.size() && is_digit(line[second]));
}

std::string recognised_format(const std::string& path, std::string_view text) {
  if (text.starts_with("%%") || has_ending(path, {".mtx"})) return "mtx";
  if (const std::string format = igraph_format("", text, input_name(path)); !format.empty())
    throw InputError(fmt::format("{} begins as a file of the format {}: name the format", input_name(path), format),
                     "format");
  if (const std::string_view start = trimmed(text.substr(0, kCheckedBytes)); !start.empty())
    if (start.front() == '{' || start.front() == '[')
      throw InputError(fmt::format("{} begins with {} as JSON does, which is no format of graphs here ({})",
                                   input_name(path), start.front(), kFormats),
                       "format");
  GraphReport ignored;
  std::string_view line;
  HeaderLines{text}.next_row(line, ignored);
  if (begins_labelled(trimmed(line))) return "labelled";
  if (has_ending(path, {".graph", ".metis"})) return "metis";
  return holds_names(text) ? "names" : "edges";
}

std::unique_ptr<TextFormat> make_format(const std::string& format, std::string_view text,
                                        const GraphReadOptions& options) {
  if (format == "edges") return edge_list_format(options);
  if (format == "names") return named_rows_format(options, false);
  if (format == "adjlist") {
    if (options.edge_labels) throw InputError("an adjacency list has no labels of edges: leave out the edge labels");
    return holds_names(text) ? named_rows_format(options, true) : adjacency_list_format();
  }
  if (format == "mtx") return matrix_market_format(options);
  if (format == "metis") return metis_format();
  if (format == "labelled") return labelled_format();
  throw InputError(fmt::format("'{}' is not a format of graphs ({})", format, kFormats));
}

/// Some lines of the file on their way through the pipeline.
struct TextPiece {
  std::string text;
  std::size_t begin = 0;  // of the rows in the text
  Index bytes_read = 0;   // of the file, when the text was read
  ParsedLines parsed;
};

class RowReader {
 public:
  RowReader(const std::string& path, const GraphReadOptions& options, const MemoryBudget& budget, GraphReport& report)
      : path_(path),
        name_(input_name(path)),
        options_(options),
        budget_(budget),
        report_(report),
        lines_(path, resolve_threads(options.threads)),
        bytes_total_(lines_.bytes_total()) {}

  TextRows read(std::unique_ptr<TextFormat> format) {
    rows_.format = std::move(format);
    std::string first;
    if (!lines_.next_lines(first, piece_bytes())) throw InputError(name_ + " is empty");
    const std::size_t begin = read_header(first);
    std::vector<TextPiece> pieces(2 * resolve_threads(options_.threads) + 1);
    run_pipeline(
        options_.threads, pieces, [&](TextPiece& piece) { return next(piece, first, begin); },
        [&](TextPiece& piece) {
          const auto text = std::string_view(piece.text).substr(piece.begin);
          rows_.format->parse(text, !options_.skip_bad, piece.parsed = {});
        },
        [&](TextPiece& piece) {
          deliver(piece.parsed);
          foresee_memory(piece.bytes_read);
        });
    refuse_unless_empty(rows_.format->finish(report_));
    return std::move(rows_);
  }

 private:
  void refuse_unless_empty(const std::string& reason) const {
    if (!reason.empty()) throw InputError(fmt::format("{}: {}", name_, reason));
  }

  /// Larger where its rows get a file of their own, of which a process can have some ten thousand.
  std::size_t piece_bytes() const { return options_.scratch.empty() ? text_piece_bytes : 4 * text_piece_bytes; }

  std::size_t read_header(std::string_view first) {
    check_text(first, name_);
    if (!rows_.format) {
      report_.format = options_.format.empty() ? recognised_format(path_, first) : options_.format;
      rows_.format = make_format(report_.format, first, options_);
    }
    HeaderLines header{first};
    const std::string reason = rows_.format->read_header(header, report_);
    if (!reason.empty()) throw InputError(fmt::format("{}, line {}: {}", name_, header.line, reason));
    report_.lines = header.line;
    if (rows_.format->numbered()) {
      const Index num_vertices = *report_.stated_vertices;
      if (num_vertices > kMaxVertices) throw CapacityError(name_ + ": vertices of a graph", kMaxVertices, num_vertices);
      require_memory(num_vertices, rows_.format->stated_rows());
    }
    return first.size() - header.rest.size();
  }

  [[noreturn]] void refuse_list(Index line) const {
    throw InputError(
        fmt::format(
            "{}, line {}: the rows have different numbers of columns{}, as in an adjacency list. Name the format: "
            "adjlist where a row is a vertex and its neighbours, {} where it is an edge and the rest may be "
            "ignored",
            name_, line, rows_.format->names() ? "" : ", all of them whole numbers", report_.format),
        "format");
  }

  void require_memory(Index num_vertices, Index num_rows) const {
    const std::string vertices = num_vertices > 0 ? fmt::format("{} vertices and ", num_vertices) : "";
    budget_.require(build_bytes(num_vertices, options_.scratch.empty() ? num_rows : 0, rows_.format->labels_edges()),
                    fmt::format("{}, with {}{} rows", name_, vertices, num_rows));
  }

  bool next(TextPiece& piece, std::string& first, std::size_t begin) {
    const bool is_first = !std::exchange(first_taken_, true);
    if (is_first) piece.text = std::move(first);
    piece.begin = is_first ? begin : 0;
    if (!is_first && !lines_.next_lines(piece.text, piece_bytes())) return false;
    piece.bytes_read = lines_.bytes_read();
    if (options_.progress) options_.progress(piece.bytes_read, bytes_total_);
    return true;
  }

  void deliver(ParsedLines& parsed) {
    if (parsed.list_line > 0) refuse_list(report_.lines + parsed.list_line);
    for (RejectedRow& row : parsed.rejected_rows) {
      row.line += report_.lines;
      if (!options_.skip_bad) throw InputError(fmt::format("{}, line {}: {}", name_, row.line, row.reason));
      if (std::ssize(report_.rejected_rows) < kMaxNamedRows) report_.rejected_rows.push_back(std::move(row));
    }
    parsed.rejected_rows.clear();
    refuse_unless_empty(rows_.format->accept(parsed));
    report_.lines += parsed.lines;
    report_.comments += parsed.comments;
    report_.blank += parsed.blank;
    report_.rejected += parsed.rejected;
    report_.ignoring_rows += parsed.ignoring_rows;
    report_.ignored_columns = std::max(report_.ignored_columns, parsed.ignored_columns);
    report_.ragged_rows += parsed.ragged_rows;
    report_.ok += parsed.num_rows();
    report_.rows = report_.ok + report_.rejected;
    rows_.parsed.push_back(std::move(parsed));
  }

  /// Requires the memory for the rows so far. After the first piece, also half of what the whole file would take at
  /// this rate; only half, because later lines have larger ids and are longer.
  void foresee_memory(Index bytes_read) const {
    require_memory(0, report_.rows);
    if (rows_.parsed.size() > 1 || bytes_read == 0 || bytes_total_ == 0) return;
    const double rows = report_.rows, share_read = 1.0 * bytes_read / bytes_total_;
    require_memory(0, 0.5 * rows / share_read);
  }

  const std::string path_, name_;
  const GraphReadOptions& options_;
  const MemoryBudget& budget_;
  GraphReport& report_;
  LineReader lines_;  // used by one thread at a time, but not always by the one that delivers
  const Index bytes_total_;
  bool first_taken_ = false;
  TextRows rows_;
};

}  // namespace

TextRows read_text_rows(const std::string& path, std::unique_ptr<TextFormat> format, const GraphReadOptions& options,
                        const MemoryBudget& budget, GraphReport& report) {
  return RowReader(path, options, budget, report).read(std::move(format));
}

}  // namespace quarry
