/// One large graph: undirected and simple, with labels where the input has them.
///
/// Vertices are numbered 0 to n - 1. Every edge is in the rows of both its ends, and the neighbours in a row ascend
/// (compressed sparse rows).
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/error.hpp"
#include "quarry/index.hpp"
#include "quarry/progress.hpp"
#include "quarry/report.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// An edge between two vertices.
struct Edge {
  std::uint32_t from = 0, to = 0;
  std::uint32_t label = 0;
};

/// A graph held in memory or mapped from a `.qgraph` file. Move-only; reading is thread-safe.
class Graph {
 public:
  /// Loops and repeated edges are left out; of repeated edges the label of the first is kept.
  /// @param vertex_labels  [num_vertices], or empty: no labels
  /// @param edge_labels    whether the graph keeps the labels of its edges
  /// @throws InputError     an edge names a vertex that does not exist, or the number of labels is neither 0 nor
  ///                        `num_vertices`
  /// @throws CapacityError  2^32 - 1 vertices or more, or too little memory, which is checked before any is allocated
  [[nodiscard]] static Graph from_edges(Index num_vertices, std::span<const Edge> edges,
                                        std::vector<std::uint32_t> vertex_labels = {}, bool edge_labels = false);

  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;
  ~Graph();

  Index num_vertices() const;
  Index num_edges() const;
  Index degree(Index vertex) const;

  std::span<const std::uint64_t> offsets() const;        ///< [vertices + 1] into `neighbours`
  std::span<const std::uint32_t> neighbours() const;     ///< [2 x edges]
  std::span<const std::uint32_t> vertex_labels() const;  ///< [vertices], or empty
  std::span<const std::uint32_t> edge_labels() const;    ///< [2 x edges] beside `neighbours`, or empty
  std::uint64_t id(Index vertex) const;                  ///< as the input named it; its number where ids are text
  bool has_names() const;                                ///< the ids of the input are text
  std::string_view name(Index vertex) const;             ///< as the input named it, where `has_names`

 private:
  friend struct GraphAccess;  // for the library's own code
  struct Impl;
  explicit Graph(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// How a graph is read.
struct GraphReadOptions {
  /// "edges", "names", "adjlist", "mtx", "metis", "labelled", "graphml", "gml", "pajek" or "qgraph"; empty: recognised
  /// by the content, then by the name.
  std::string format = {};
  bool edge_labels = false;        ///< edges, mtx: the third column is the label of the edge; else it is ignored
  std::string vertex_labels = {};  ///< edges, mtx: a file of rows `id label`, one for every vertex
  bool skip_bad = false;           ///< count a bad line, keep its number and reason, and go on; else: InputError
  Index memory_bytes = 0;          ///< what reading may take; 0: what the machine has to spare
  /// A folder for files without a name that hold the edges, so that a graph may be larger than memory: 8 bytes a vertex, and
  /// ids, are in memory. With many gigabytes of it only one graph of a process should be read so at a time.
  std::string scratch = {};
  int threads = 0;         ///< 0: all cores
  Progress progress = {};  ///< in bytes of the file, as stored
};

/// A report lists at most this many rejected lines; `rejected` counts them all.
inline constexpr Index kMaxNamedRows = 1000;

/// What was in the file, and what was cleaned.
/// rows = ok + rejected, and ok = edges + loops + repeated + reversed.
struct GraphReport : Report {
  std::string format;     ///< as in GraphReadOptions
  std::string separator;  ///< edges: "tab", "space", "comma" or "semicolon"
  Index columns = 0;      ///< edges: of the first row
  bool header = false;    ///< edges: the first row named the columns
  Index ignoring_rows = 0,
        ignored_columns = 0;  ///< edges, mtx: rows with columns that are not used; the most of one row
  Index ragged_rows = 0;      ///< edges: rows with another number of columns than the first
  Index lines = 0, comments = 0, blank = 0;
  std::vector<RejectedRow> rejected_rows;  ///< at most kMaxNamedRows

  Index loops = 0;               ///< rows from a vertex to itself
  Index repeated = 0;            ///< rows that repeat an edge as it was written before
  Index reversed = 0;            ///< rows that write an edge in the opposite direction for the first time
  Index label_conflicts = 0;     ///< edges whose rows have different labels; that of the first is kept
  bool both_directions = false;  ///< every edge is written in both directions

  bool directed = false;  ///< graphml, gml, pajek: its edges have directions, which are not used
  std::vector<std::string>
      edge_data;         ///< graphml, gml, pajek: what its edges hold beside their ends, which is not used
  std::string named_by;  ///< graphml, gml, pajek: "id", "label" or "number"

  std::optional<Index> stated_vertices, stated_edges;  ///< stated by a header, or by a comment before the rows
  bool names = false;                                  ///< the ids are text
  std::uint64_t lowest_id = 0, highest_id = 0;         ///< 0 where they are text
  bool sparse_ids = false;                             ///< some number between lowest_id and highest_id is not an id
  Index vertices = 0, edges = 0, isolated = 0;
};

/// A graph from a file, and what the file held.
struct LoadedGraph {
  Graph graph;
  GraphReport report;
};

/// Reads a graph from a file:
/// - `edges`: rows of two ids of up to 64 bits, separated by blanks, tabs, a comma or a semicolon; more columns may
///   follow. Rows of different numbers of whole numbers are refused unless the format is named: they may be an `adjlist`
/// - `names`: as `edges`, with ids that are text, in quotes or not; a first row of words such as `source,target` names
///   the columns
/// - `adjlist`: rows of an id, a number or text, and the ids of neighbours; never recognised, only named
/// - `mtx`: Matrix Market, coordinate, square
/// - `metis`: a header, then a row of neighbours for each vertex; weights become labels: the first, where there are
///   several
/// - `labelled`: `t vertices edges`, `v id label ...`, `e id id [label]`; without the line `t`, ids may be any numbers
/// - `graphml`, `gml`, `pajek`: by the library igraph; vertices are named by the id of GraphML, by the labels of the others
///   where no two are alike, and else by id or number
/// - `qgraph`: see write_qgraph; mapped, not read
/// Text may be compressed (.gz, .zst, .bz2, .xz), and "-" is standard input. Lines that start with `#`, `%` or `//` are
/// comments. The vertices of an edge list are the ids in its rows, which may be any numbers; `Graph::id` returns them,
/// and `Graph::name` where they are text. Vertices ascend by id or name. Where a comment before the rows states a number
/// of vertices above every id, ids without a row are isolated vertices.
/// @throws InputError     the file is missing, damaged, no graph, or has a bad line (names file, line and reason)
/// @throws CapacityError  2^32 - 1 vertices or more, or too little memory, which is checked before it is allocated
[[nodiscard]] LoadedGraph read_graph(const std::string& path, const GraphReadOptions& options = {});

/// Writes a graph as a `.qgraph` file (docs/graph-format.md), which is mapped when it is opened, not read.
/// @throws InputError   ids are text, which it cannot keep: write_edge_list can
/// @throws SystemError  the folder cannot be written, the disk is full
void write_qgraph(const Graph& graph, const std::string& path);

/// Writes `# V n E m`, then each edge once as `id<tab>id`, with its label if the graph has edge labels. Where the ids
/// are not 0 to n - 1, an isolated vertex is written as a loop, so that no vertex is lost; readers leave loops out.
/// Ids that are text have a header, and are in quotes where they need them.
/// @param path  compressed where it ends in .gz, .zst, .bz2 or .xz; "-" is standard output
/// @throws SystemError  as write_qgraph
void write_edge_list(const Graph& graph, const std::string& path);

/// Makes a graph, the same for any number of threads:
/// - `rmat:SCALE:EDGEFACTOR:SEED`  2^SCALE vertices and EDGEFACTOR times as many rows, with the parameters of Graph500
///   (0.57, 0.19, 0.19), vertices shuffled; loops and repeated edges left out
/// - `er:N:M:SEED`                 M distinct edges between N vertices: the first M pairs in a pseudo-random order
/// - `grid:W:H`, `complete:N`
/// - `theory:N1-N2-...[-B1k|-B2k]`  the Kronecker product of stars with N1, N2, ... leaves, each with a loop at its hub
///   (B1k) or at one leaf (B2k); the loop of the product is dropped
/// Source: GraphChallenge's graphs with known answers: Kepner et al., HPEC 2018.
/// @throws InputError     the text is none of these, or a number is out of range (names it)
/// @throws CapacityError  more vertices or edges than a graph or this machine's memory can hold
[[nodiscard]] Graph generate_graph(std::string_view text, int threads = 0);

}  // namespace quarry
#pragma GCC visibility pop
