/// A small connected graph that is looked for in a large one, how it is written, and what a match of it is.
///
/// Text: edges `a-b, b-c, a-c`, or paths `a-b-c-a`; a label follows its vertex, `a:1-b:2`, and an edge label stands
/// within the dash, `a-[7]-b`. Or a name: `triangle`, `4-clique`, `5-cycle`, `path:4` (vertices), `star:3` (leaves),
/// `diamond`, `house`, `P1`..`P8` and the other connected patterns of three to five vertices.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/graph.hpp"

#pragma GCC visibility push(default)
namespace quarry {

inline constexpr int kMaxPatternVertices = 16;
/// In place of a label: any will do.
inline constexpr std::uint32_t kAnyLabel = 0xFFFFFFFF;

struct GraphPattern {
  std::string name;                   ///< as it was asked for
  std::vector<std::string> vertices;  ///< their names
  std::vector<std::uint32_t> labels;  ///< [vertices], or kAnyLabel
  std::vector<Edge> edges;            ///< simple and connected; the label may be kAnyLabel

  int size() const { return static_cast<int>(vertices.size()); }
  bool has_vertex_labels() const;
  bool has_edge_labels() const;
};

/// @throws InputError     no pattern: text that cannot be read (names the character), a loop, two labels for one vertex
/// or edge, no edge, or vertices that are not connected
/// @throws CapacityError  more than kMaxPatternVertices vertices
[[nodiscard]] GraphPattern parse_graph_pattern(std::string_view text);

/// Reads patterns from a file of the labelled format, `v ID LABEL` and `e FROM TO [LABEL]`, which may be compressed
/// (.gz, .zst, .bz2, .xz); "-" is standard input. A line `t # NAME` begins a pattern; so does `t VERTICES EDGES`, and a
/// file without such lines is one pattern: these are named as the file, without folder and the ending of a compressed
/// file. Ids are any numbers, and the vertices of a pattern stand in their order. What follows the label of a vertex is
/// ignored.
/// Where some edge of a pattern has a label, edges without one have label 0; where none has, any label will do.
/// @throws InputError     a bad line (names file, line and reason), a file without pattern, or a pattern that has no
///                        edge or is not connected
/// @throws CapacityError  more than kMaxPatternVertices vertices
[[nodiscard]] std::vector<GraphPattern> read_graph_patterns(const std::string& path);

/// The pattern as text of edges, whatever it was read from.
[[nodiscard]] std::string to_text(const GraphPattern& pattern);

/// All automorphisms, [automorphisms x vertices]: the image of each vertex. The identity is the first.
/// @throws CapacityError  more than `limit`
[[nodiscard]] std::vector<std::uint8_t> automorphisms(const GraphPattern& pattern, Index limit);

/// A pattern with a name of its own.
struct NamedPattern {
  const char* name;
  const char* edges;  ///< vertices are numbers
};
/// All connected patterns of three to five vertices, fewer vertices first.
[[nodiscard]] std::span<const NamedPattern> named_patterns();

/// What a match is. `edge_induced`: its vertices have the pattern's edges, and may have others. `vertex_induced`: they
/// have no others.
enum class Semantics : std::uint8_t { edge_induced, vertex_induced };

/// How a search intersects two neighbourhoods. `search`: each member of the shorter is looked up in the longer.
/// `bitmap`: one is loaded into a bitmap, and the members of the other are tested against it.
enum class Intersection : std::uint8_t { automatic, merge, search, bitmap };

}  // namespace quarry
#pragma GCC visibility pop
