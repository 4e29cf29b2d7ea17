#include "input/graph_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common.hpp"
#include "output/progress.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/files/ledger.hpp"
#include "quarry/files/output.hpp"

namespace quarry::cli {
namespace {

void write_rejects(const std::string& path, const GraphReport& report) {
  Output output(path);
  output.write(rows_for_file("line\tid\treason\n", path));
  for (const RejectedRow& row : report.rejected_rows) {
    output.write(rows_for_file(fmt::format("{}\t{}\t{}\n", row.line, tab_safe(row.id), tab_safe(row.reason)), path));
  }
  output.finish();
}

/// Names from a file, as a terminal may show them.
std::string shown_names(const std::vector<std::string>& names) {
  std::string text = joined(names, ", ");
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return text;
}

void print_report(const std::string& path, const GraphReport& report) {
  say(fmt::format("'{}', {}: rows {} = ok {} + rejected {}; {}, {}", path, report.format, report.rows, report.ok,
                  report.rejected, counted(report.vertices, "vertex"), counted(report.edges, "edge")));
  if (report.loops + report.repeated + report.reversed > 0)
    say(fmt::format("; left out: {}, {} repeated, {} reversed", counted(report.loops, "loop"), report.repeated,
                    report.reversed));
  if (report.label_conflicts > 0)
    say(fmt::format("; {} with more than one label, the first one kept", counted(report.label_conflicts, "edge")));
  if (!report.named_by.empty()) say(fmt::format("; vertices are named by {}", report.named_by));
  if (report.directed) say("; directed edges are read as undirected");
  if (!report.edge_data.empty()) say(fmt::format("; data of edges ignored: {}", shown_names(report.edge_data)));
  if (report.header) say("; the first row names the columns");
  if (report.ignoring_rows > 0)
    say(fmt::format("; {} ignored in {}", counted(report.ignored_columns, "column"),
                    counted(report.ignoring_rows, "row")));
  // What weights look like, and lists of neighbours too.
  if (report.format == "edges" && report.ignored_columns == 1 && report.ragged_rows == 0)
    say(" (--edge-labels reads it; --format adjlist takes a row for a vertex and its neighbours)");
  if (report.ragged_rows > 0)
    say(fmt::format("; {} another number of columns than the first ({})",
                    counted(report.ragged_rows, "row") + (report.ragged_rows == 1 ? " has" : " have"), report.columns));
  say("\n");
}

}  // namespace

void GraphOptions::add_to(Arguments& verb) {
  verb.option("--generate", &generate_,
              "Generate the graph: rmat:SCALE:EDGEFACTOR:SEED, er:N:M:SEED, grid:W:H, complete:N, theory:N1-N2-...",
              {.shown_as = "TEXT"});
  verb.option("--save", &save_,
              "Write the graph to a file: .qgraph, or an edge list (.txt, .tsv, also .gz, .zst, .bz2, .xz)",
              {.shown_as = "FILE", .names_file = true, .names_output = true});
  verb.option(
      "--format", &read_.format, "Format of the graph; default: by content and name of the file",
      {.words = {"edges", "names", "adjlist", "mtx", "metis", "labelled", "graphml", "gml", "pajek", "qgraph"}});
  verb.option("--vertex-labels", &read_.vertex_labels, "Edge lists and .mtx: file of vertex labels, rows of `id label`",
              {.shown_as = "FILE", .names_file = true});
  verb.flag("--edge-labels", read_.edge_labels, "Edge lists and .mtx: read edge labels from the third column");
  verb.option(
      "--scratch", &read_.scratch,
      "Folder for the edges while a text is read, for graphs larger than memory: with --save, makes a .qgraph file "
      "of them",
      {.shown_as = "FOLDER"});
  verb.flag("--skip-bad", read_.skip_bad, "Count bad lines and go on, instead of stopping at the first");
  verb.option("--rejects", &rejects_, "With --skip-bad: write the bad lines: line, id, reason",
              {.shown_as = "FILE", .names_file = true, .names_output = true, .needs = {"--skip-bad"}});
}

std::string GraphOptions::text() const {
  return fmt::format("{} {} {} {} {}", generate_, read_.format, read_.edge_labels, read_.vertex_labels, read_.skip_bad);
}

std::string GraphOptions::identity(const std::string& path) const {
  std::string text;
  for (const std::string& file : {path, read_.vertex_labels})
    if (std::filesystem::is_regular_file(file)) text += identity_of_file(file) + ' ';
  return text;
}

LoadedGraph GraphOptions::load(const std::string& path, int threads, bool quiet) const {
  if (is_generated() && (!read_.vertex_labels.empty() || read_.edge_labels))
    throw InputError("--generate makes graphs without labels");
  GraphReadOptions read = read_;
  read.threads = threads;
  const auto make = [&]() -> LoadedGraph {
    ProgressLine progress(is_generated() ? "generating" : "reading", quiet, "byte");
    if (is_generated()) return {generate_graph(generate_, threads), {}};
    read.progress = [&](Index done, Index total) { progress.update(done, done, total); };
    return read_graph(path, read);
  };
  LoadedGraph loaded = make();
  const auto& [graph, report] = loaded;
  if (!is_generated() && !quiet) print_report(path, report);
  note_for_strict(report.rejected, "rejected row");
  note_for_strict(report.ignored_columns, "ignored column");
  note_for_strict(report.ragged_rows, "ragged row");
  note_for_strict(report.label_conflicts, "label conflict");
  if (!rejects_.empty()) write_rejects(rejects_, report);
  if (name_without_compression(save_).ends_with(".qgraph"))
    write_qgraph(graph, save_);
  else if (!save_.empty())
    write_edge_list(graph, save_);
  return loaded;
}

}  // namespace quarry::cli
