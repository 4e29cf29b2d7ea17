/// Patterns in one large graph: counted, listed, sampled, estimated; exact unless it says estimate.
///
/// A subgraph of the graph is counted once, however many ways there are to lay the pattern on it (embeddings =
/// subgraphs x automorphisms of the pattern). `edge-induced`: the pattern's edges are there, others may be; its
/// `vertex-induced` subgraphs have no other edge between their vertices.
/// Source: MERCURY (HPEC 2024); docs/engines/mine.md says what differs and names the other sources.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "quarry/graph.hpp"
#include "quarry/graph_pattern.hpp"
#include "quarry/progress.hpp"

#pragma GCC visibility push(default)
namespace quarry::mine {

/// Exact: four leaves at a hub of 2^17 are more than 64 bits count.
__extension__ typedef unsigned __int128 Count;
std::string to_text(Count count);

enum class Semantics : std::uint8_t { edge_induced, vertex_induced };
/// Which vertices get the small numbers, and with them the short lists: those of small or of large degree.
enum class Orientation : std::uint8_t { automatic, small_first, large_first };
/// How two neighbourhoods are intersected. `search`: each of the shorter is looked for in the longer. `bitmap`: one is
/// loaded into a bitmap, the other is tested against it.
enum class Intersection : std::uint8_t { automatic, merge, search, bitmap };
/// What one task is: the matches that begin at a vertex, or at an edge.
enum class Split : std::uint8_t { automatic, vertices, edges };
/// `formulas`: from counts around vertices, edges and triangles; unlabelled patterns of three to five vertices.
/// `cliques`: by bitmaps of oriented neighbourhoods. `search`: nested intersections; every pattern.
enum class Method : std::uint8_t { automatic, formulas, cliques, search };

/// What one method does for one or several patterns.
struct Work {
  Method method = Method::automatic;
  std::vector<std::string> patterns;
  double entries = 0;  ///< of neighbourhoods to look at, estimated; docs/engines/mine.md says how well
};

struct Options {
  Semantics semantics = Semantics::edge_induced;
  Method method = Method::automatic;
  Orientation orientation = Orientation::automatic;
  Intersection intersection = Intersection::automatic;
  Split split = Split::automatic;
  Index bitmap_degree = 0;  ///< neighbourhoods this large go into a bitmap (`th_d` of the paper); 0: as measured
  Index memory_bytes = 0;   ///< what the work may take beside the graph; 0: what the machine has left
  int threads = 0;          ///< 0: all cores
  /// Where patterns are counted: "host", or devices such as "cuda:0,1", by search. docs/backends.md
  std::string device = "host";
  Index device_bytes = 0;  ///< of its memory, at most; 0: three quarters of what is free
  /// Of so many shards, which together hold each subgraph once, only this one, by search: for machines that share a
  /// graph's work. Lists of all shards, in order, are the whole list.
  Index shard = 0;
  Index num_shards = 1;
  /// Counting: `Work::entries`, of those of all works. Matches themselves: edges begun at, of all.
  Progress progress;
  /// Counting: told once, before the work begins.
  std::function<void(std::span<const Work>)> planned;
};

/// Elapsed. Preparing is what depends on the graph alone: its vertices in order of degree.
struct Seconds {
  double prepare = 0, plan = 0, run = 0;
};

struct Result {
  GraphPattern pattern;
  Semantics semantics = Semantics::edge_induced;
  Count subgraphs = 0, embeddings = 0;
  Index automorphisms = 1;
  Method method = Method::automatic;  ///< that was used
  Seconds seconds;
  double cost = 0;  ///< `Work::entries` that were estimated for it; with formulas, for all patterns that have one
};

/// @throws InputError     a label is asked for that the graph does not have at all, or a method that cannot be used
/// @throws CapacityError  more memory than allowed (names both)
Result count(const Graph& graph, const GraphPattern& pattern, const Options& options = {});

/// Several patterns together: what they share is computed once. Seconds are those of the whole.
std::vector<Result> count(const Graph& graph, std::span<const GraphPattern> patterns, const Options& options = {});

/// A connected pattern of some size, counted both ways.
struct MotifCount {
  GraphPattern pattern;
  Count edge_induced = 0, vertex_induced = 0;
  Index automorphisms = 1;
  Method method = Method::automatic;  ///< that was used
};
struct Motifs {
  std::vector<MotifCount> counts;  ///< in the order of `named_patterns`
  Seconds seconds;
  double cost = 0;  ///< `Work::entries`
};
/// All connected patterns of `size` vertices. @throws InputError  size is not 3, 4 or 5
Motifs motifs(const Graph& graph, int size, const Options& options = {});

/// Whole matches, [rows x pattern vertices] vertices of the graph; vertex i is the i-th of the pattern. How many rows
/// come at once may differ from run to run.
using MatchSink = std::function<void(std::span<const std::uint32_t>)>;

/// Every subgraph once, as one of its embeddings, in an order that does not depend on threads; bounded memory.
Result list(const Graph& graph, const GraphPattern& pattern, const Options& options, const MatchSink& sink);

/// A subset of `list`'s matches, each of the same size as likely, in the order of `list`; all where there are fewer.
/// The same seed gives the same sample.
Result sample(const Graph& graph, const GraphPattern& pattern, Index size, std::uint64_t seed, const Options& options,
              const MatchSink& sink);

/// How many of the subgraphs hold each vertex.
struct Participation {
  std::vector<std::uint64_t> counts;  ///< [vertices]
  Result result;
};
Participation per_vertex(const Graph& graph, const GraphPattern& pattern, const Options& options = {});

/// From random descents into the search, each weighted by the number of ways it could have gone (Knuth, Math. Comp.
/// 1975, 29, 121). Unbiased; the interval is that of the normal distribution and too narrow where few descents decide.
struct Estimate {
  double subgraphs = 0;
  double low = 0, high = 0;  ///< 95 %
  Index descents = 0, hits = 0;
  double seconds = 0;
};
/// @param descents  at least 1
Estimate estimate(const Graph& graph, const GraphPattern& pattern, Index descents, std::uint64_t seed,
                  const Options& options = {});

}  // namespace quarry::mine
#pragma GCC visibility pop
