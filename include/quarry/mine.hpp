/// Patterns in one large graph: counted, listed, sampled, estimated; exact unless it says estimate.
///
/// An embedding puts the pattern's vertices on different vertices of the graph so that its edges lie on edges.
/// Embeddings that cover the same vertices and edges are one subgraph: embeddings = subgraphs x automorphisms.
/// Source: MERCURY (HPEC 2024); docs/engines/mine.md says what differs and names the other sources.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "quarry/graph.hpp"
#include "quarry/graph_pattern.hpp"
#include "quarry/run.hpp"

#pragma GCC visibility push(default)
namespace quarry::mine {

/// Exact: four leaves at a hub of 2^17 are more than 64 bits count.
__extension__ typedef unsigned __int128 Count;
[[nodiscard]] std::string to_text(Count count);

using quarry::Intersection;
using quarry::Semantics;
/// Which vertices get the small numbers, and with them the short lists: those of small or of large degree.
enum class Orientation : std::uint8_t { automatic, small_first, large_first };
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

/// Devices count by search; matches are listed, sampled and estimated on the host.
/// `progress`: when counting, `Work::entries` of all works; when matches are delivered, edges that were searched from.
struct Options : RunOptions {
  Semantics semantics = Semantics::edge_induced;
  Method method = Method::automatic;
  Orientation orientation = Orientation::automatic;
  Intersection intersection = Intersection::automatic;
  Split split = Split::automatic;
  Index bitmap_degree = 0;  ///< neighbourhoods this large go into a bitmap (`th_d` of the paper); 0: as measured
  Index memory_bytes = 0;   ///< what the work may take beside the graph; 0: what the machine has left
  /// Only shard number `shard` of `num_shards`, by search: together the shards hold each subgraph once, so that
  /// machines can share a graph's work. The lists of all shards, in order, are the whole list. Beside the graph, which
  /// may be mapped, a shard holds only the rows that its matches need.
  Index shard = 0;
  Index num_shards = 1;
  /// Where the shards begin, as mine::shard_begins has found for the same graph, patterns and options; empty: by the
  /// numbers of neighbours, with costs that differ more.
  std::vector<std::vector<Index>> shard_begins = {};
  /// Counting: called once, before the work begins.
  std::function<void(std::span<const Work>)> planned = {};
};

/// Preparing is what depends on the graph alone: its vertices in order of degree.
struct Statistics : RunStatistics {
  double prepare_seconds = 0, plan_seconds = 0, run_seconds = 0;
  /// Of one shard of several: neighbours in the rows of the vertices at which its matches begin, and in all rows that it
  /// holds. The graph has 2 x edges of them.
  Index shard_entries = 0, held_entries = 0;
};

struct Result {
  GraphPattern pattern;
  Semantics semantics = Semantics::edge_induced;
  Count subgraphs = 0, embeddings = 0;
  Index automorphisms = 1;
  Method method = Method::automatic;  ///< that was used
  Statistics statistics;
  double cost = 0;  ///< `Work::entries` that were estimated for it; with formulas, for all patterns that have one
  /// Of several patterns: the number of subgraphs does not fit 127 bits, or that of embeddings 128; what does not fit is 0.
  bool subgraphs_overflow = false, embeddings_overflow = false;
  bool truncated = false;  ///< a list with a limit: there are more subgraphs than those counted here
};

/// @throws InputError     a label is asked for that the graph does not have at all, or a method that cannot be used
/// @throws CapacityError  more memory than allowed (names both), or the count overflows
[[nodiscard]] Result count(const Graph& graph, const GraphPattern& pattern, const Options& options = {});

/// Several patterns together: what they share is computed once. Statistics are those of the whole call. A count that
/// overflows is no error here: its result says so, and the others are counted.
[[nodiscard]] std::vector<Result> count(const Graph& graph, std::span<const GraphPattern> patterns,
                                        const Options& options = {});

/// Where shards of about equal cost begin, for Options::shard_begins: from random descents into the search of the whole
/// graph, the same for any number of threads.
/// @param options  `num_shards`, and what else is asked of the search; not `shard`
/// @throws InputError     as `count`
/// @throws CapacityError  all rows together take more memory than is left
[[nodiscard]] std::vector<std::vector<Index>> shard_begins(const Graph& graph, std::span<const GraphPattern> patterns,
                                                           const Options& options);

/// A connected pattern of some size, counted both ways.
struct MotifCount {
  GraphPattern pattern;
  Count edge_induced = 0, vertex_induced = 0;
  Index automorphisms = 1;
  Method method = Method::automatic;  ///< that was used
};
struct Motifs {
  std::vector<MotifCount> counts;  ///< in the order of `named_patterns`
  Statistics statistics;
  double cost = 0;  ///< `Work::entries`
};
/// All connected patterns of `size` vertices. @throws InputError  size is not 3, 4 or 5
[[nodiscard]] Motifs motifs(const Graph& graph, int size, const Options& options = {});

/// The patterns of motifs, for shards: edge-induced counts of all shards add up to what `motifs_from` takes.
/// @throws InputError  size is not 3, 4 or 5
[[nodiscard]] std::vector<GraphPattern> motif_patterns(int size);
/// Motifs of a graph from whole counts, without statistics.
/// @param edge_induced  in the order of `motif_patterns(size)`
[[nodiscard]] Motifs motifs_from(int size, std::span<const Count> edge_induced);

/// Takes whole matches, [rows x pattern vertices] vertices of the graph; vertex i is the i-th of the pattern. The
/// number of rows in one call may differ from run to run.
using MatchSink = std::function<void(std::span<const std::uint32_t>)>;

/// How a list goes on where another one with the same options stopped.
struct ListStart {
  Index entry = 0;  ///< what a call of `delivered` said; 0 is the beginning
  /// Called when the sink has had all rows of the list before this entry; it says nothing of those after it.
  std::function<void(Index entry)> delivered = {};
};

/// Every subgraph once, as one of its embeddings, in an order that does not depend on threads; bounded memory.
/// @param limit  ends after this many subgraphs; `Result::truncated` says whether there are more. 0: all
Result list(const Graph& graph, const GraphPattern& pattern, const Options& options, const MatchSink& sink,
            Index limit = 0, const ListStart& start = {});

/// `size` of `list`'s matches, any set of them equally likely, in the order of `list`; all where there are fewer.
/// The same seed gives the same sample.
Result sample(const Graph& graph, const GraphPattern& pattern, Index size, std::uint64_t seed, const Options& options,
              const MatchSink& sink);

/// How many of the subgraphs hold each vertex.
struct Participation {
  std::vector<std::uint64_t> counts;  ///< [vertices]
  Result result;
};
[[nodiscard]] Participation per_vertex(const Graph& graph, const GraphPattern& pattern, const Options& options = {});

/// From random descents into the search, each weighted by the number of ways it could have gone (Knuth, Math. Comp.
/// 1975, 29, 121). Unbiased; the interval is that of the normal distribution and too narrow where few descents decide.
/// Without a hit, `high` is an upper bound: with 95 % confidence a descent hits with a probability of at most
/// 1 - 0.05^(1/descents), and no descent stands for more than the product of the largest degrees on its way.
struct Estimate {
  double subgraphs = 0;
  double low = 0, high = 0;  ///< 95 %
  Index descents = 0, hits = 0;
  Statistics statistics;
};
inline constexpr Index kMaxDescents = 1'000'000'000'000;
/// @param descents  1 to kMaxDescents
[[nodiscard]] Estimate estimate(const Graph& graph, const GraphPattern& pattern, Index descents, std::uint64_t seed,
                                const Options& options = {});

}  // namespace quarry::mine
#pragma GCC visibility pop
