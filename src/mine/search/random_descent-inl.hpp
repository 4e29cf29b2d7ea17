/// Random ways down the search: what one pattern counts, and what all patterns of a search cost.
#include <algorithm>

#include "exec/team.hpp"
#include "graph/pattern/search/search_job.hpp"
#include "util/random.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::mine {
namespace QUARRY_TARGET {

/// One way down the search, each vertex drawn from its set. The product of the numbers of choices on the way and of the
/// completions at its end is on average what the whole search would count.
class RandomDescent {
 public:
  RandomDescent(HostTeam& team, const SearchJob& job, std::byte* memory, std::uint64_t seed)
      : job_(job), sets_(team, job, memory), random_(seed) {}

  /// The product of one descent; 0 where it ends early.
  double operator()() {
    const SearchNode* node = &job_.nodes[0];
    double product = node->child < 0 ? begin_at_vertex(*node) : begin_at_edge(node);
    while (product > 0 && node->child >= 0) {
      node = &job_.nodes[node->child];
      const VertexList candidates = sets_.members(node->candidates);
      if (candidates.size() == 0) return 0;
      const std::uint32_t vertex = candidates[random_.below(candidates.size())];
      if (sets_.is_chosen(vertex, node->distinct_from) || !sets_.choose(*node, vertex)) return 0;
      product *= candidates.size();
    }
    if (product == 0) return 0;
    const double completions = count_completions(job_, sets_, job_.leaves[node->first_leaf]).count;
    return product * completions;
  }

 private:
  /// @return the number of vertices; 0 where the one that was drawn cannot be chosen
  double begin_at_vertex(const SearchNode& root) {
    const Index num_vertices = job_.rows.num_vertices();
    if (num_vertices == 0) return 0;
    const std::uint32_t vertex = random_.below(num_vertices);
    return root.may_be(vertex) && sets_.choose(root, vertex) ? num_vertices : 0;
  }

  /// Draws the first two vertices, and makes `node` that of the second.
  /// @return the number of entries of the rows; 0 where these two cannot be chosen
  double begin_at_edge(const SearchNode*& node) {
    const auto& offsets = job_.rows.offsets;
    const Index num_entries = job_.rows.neighbours.size();
    if (num_entries == 0) return 0;
    const std::uint64_t entry = random_.below(num_entries);
    const std::uint32_t first = std::upper_bound(offsets.begin(), offsets.end(), entry) - offsets.begin() - 1;
    const std::uint32_t second = job_.rows.neighbours[entry];
    if (!node->may_be(first) || !sets_.choose(*node, first)) return 0;
    node = &job_.nodes[node->child];
    if (!node->may_be(second) || (node->after_first && second < first)) return 0;
    if (node->edge_label >= 0 && job_.edge_labels[entry] != node->edge_label) return 0;
    return sets_.choose(*node, second) ? num_entries : 0;
  }

  const SearchJob& job_;
  SearchSets<HostTeam> sets_;
  RandomNumbers random_;
};

/// About what the part of a search costs that begins at an entry, from one random way down: what vertices cost that the
/// search chooses, each as often as it is chosen.
class CostDescent {
 public:
  CostDescent(HostTeam& team, const SearchJob& job, std::byte* memory) : job_(job), sets_(team, job, memory) {}

  /// The same for the same entry.
  double operator()(Index entry) {
    RandomNumbers random(static_cast<std::uint64_t>(entry));
    const auto& offsets = job_.rows.offsets;
    const std::uint32_t first = std::upper_bound(offsets.begin(), offsets.end(), entry) - offsets.begin() - 1;
    const std::uint32_t second = job_.rows.neighbours[entry];
    double cost = 1;
    for (int root = 0; root >= 0; root = job_.nodes[root].sibling) {
      if (!job_.nodes[root].may_be(first) || !sets_.choose(job_.nodes[root], first)) continue;
      for (int child = job_.nodes[root].child; child >= 0; child = job_.nodes[child].sibling) {
        const SearchNode& node = job_.nodes[child];
        if (!node.may_be(second) || (node.after_first && second < first)) continue;
        if (node.edge_label >= 0 && job_.edge_labels[entry] != node.edge_label) continue;
        cost += cost_of_choice(node, second);
        if (sets_.choose(node, second)) cost += below(node, random);
      }
    }
    return cost;
  }

 private:
  /// In neighbours that are looked at: those of both sets of an intersection, or where one is much smaller, its members are
  /// searched for in the other.
  double cost_of_choice(const SearchNode& node, std::uint32_t vertex) const {
    constexpr double kChoice = 16, kFind = 12;
    const auto degree = static_cast<double>(job_.rows.degree(vertex));
    double cost = kChoice;
    for (Index set = node.first_set; set < node.last_set; ++set) {
      const int source = job_.sets[set].source;
      if (source < 0) continue;  // the row itself
      const auto size = static_cast<double>(sets_.members(source).size());
      cost += std::min(size + degree, kFind * std::min(size, degree));
    }
    return cost;
  }
  double below(const SearchNode& from, RandomNumbers& random) {
    const SearchNode* node = &from;
    double product = 1, cost = 0;
    for (;;) {
      Index num_children = 0;
      for (int child = node->child; child >= 0; child = job_.nodes[child].sibling) ++num_children;
      if (num_children == 0) return cost;
      int child = node->child;
      for (Index skipped = random.below(num_children); skipped > 0; --skipped) child = job_.nodes[child].sibling;
      node = &job_.nodes[child];
      const VertexList candidates = sets_.members(node->candidates);
      if (candidates.size() == 0) return cost;
      product *= num_children * candidates.size();
      const std::uint32_t vertex = candidates[random.below(candidates.size())];
      cost += product * cost_of_choice(*node, vertex);
      if (sets_.is_chosen(vertex, node->distinct_from) || !sets_.choose(*node, vertex)) return cost;
    }
  }

  const SearchJob& job_;
  SearchSets<HostTeam> sets_;
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::mine
QUARRY_AFTER_TARGET();
