/// Random ways down the search of one pattern.
///
/// Compiled once per vector target, hence the guard that toggles.
#if defined(QUARRY_MINE_RANDOM_DESCENT) == defined(HWY_TARGET_TOGGLE)
#ifdef QUARRY_MINE_RANDOM_DESCENT
#undef QUARRY_MINE_RANDOM_DESCENT
#else
#define QUARRY_MINE_RANDOM_DESCENT
#endif

#include <algorithm>

#include "mine/search/kernels.hpp"
#include "util/random.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::mine {
namespace QUARRY_TARGET {

/// One way down the search, each vertex drawn from its set: the number of ways to have gone, times the ways to complete
/// it, is on average what the whole search would count.
class RandomDescent {
 public:
  RandomDescent(HostTeam& alone, const SearchJob& job, std::byte* memory, std::uint64_t seed)
      : job_(job), sets_(alone, job, memory), random_(seed) {}

  /// 0 where it ends early.
  double operator()() {
    const SearchNode* node = nullptr;
    double ways = begin(node);
    while (ways > 0 && node->child >= 0) {
      node = &job_.nodes[node->child];
      const VertexList list = sets_.members(node->candidates);
      if (list.size() == 0) return 0;
      const std::uint32_t vertex = list[random_.below(list.size())];
      if (sets_.is_chosen(vertex, node->distinct_from) || !sets_.choose(*node, vertex)) return 0;
      ways *= static_cast<double>(list.size());
    }
    if (ways == 0) return 0;
    return ways * static_cast<double>(ways_to_complete(job_, sets_, job_.leaves[node->first_leaf]).ways);
  }

 private:
  /// Draws the first vertex, or an edge. @return how many there were, or 0
  double begin(const SearchNode*& node) {
    const SearchNode& root = job_.nodes[0];
    node = &root;
    const bool one = root.child < 0;
    const auto& offsets = job_.rows.offsets;
    const Index choices = one ? job_.rows.num_vertices() : job_.rows.neighbours.size();
    if (choices == 0) return 0;
    const Index entry = random_.below(choices);
    const auto first = static_cast<std::uint32_t>(
        one ? entry
            : std::upper_bound(offsets.begin(), offsets.end(), static_cast<std::uint64_t>(entry)) - offsets.begin() -
                  1);
    if (!within(root, first) || !sets_.choose(root, first)) return 0;
    if (one) return static_cast<double>(choices);
    node = &job_.nodes[root.child];
    const std::uint32_t second = job_.rows.neighbours[entry];
    if (!within(*node, second) || (node->after_first && second < first)) return 0;
    if (node->edge_label >= 0 && job_.edge_labels[entry] != node->edge_label) return 0;
    return sets_.choose(*node, second) ? static_cast<double>(choices) : 0;
  }
  static bool within(const SearchNode& node, std::uint32_t vertex) { return vertex >= node.begin && vertex < node.end; }

  const SearchJob& job_;
  SearchSets<HostTeam> sets_;
  RandomNumbers random_;
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::mine
QUARRY_AFTER_TARGET();

#endif
