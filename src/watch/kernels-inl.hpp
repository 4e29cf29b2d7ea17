/// The search for what one update creates or destroys, from the updated edge.
#include "exec/team.hpp"
#include "graph/pattern/search/search_job.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::watch {
namespace QUARRY_TARGET {

using namespace ::quarry::QUARRY_TARGET;  // the sets

/// @tparam Rows  the rows of the graph at one time, by label
template <class Rows>
struct MomentJob : SearchSetup {
  Rows rows;
};

/// The number of ways to add the vertices that are counted to those that are chosen. Most counts fit in 64 bits.
template <class Sets>
class Completions {
 public:
  Completions(const SearchSetup& setup, Sets& sets) : setup_(setup), sets_(sets) {}

  Tally count(const SearchLeaf& leaf) {
    if (leaf.falling_factorial > 0) return count_completions(setup_, sets_, leaf);
    if (Index number = 0; add_terms(leaf.first_term, leaf.last_term, number)) return {number};
    Tally wide;
    wide.overflow = !add_terms(leaf.first_term, leaf.last_term, wide) || wide.overflow;
    return wide;
  }

 private:
  static bool multiply(Index& number, Index factor) { return !__builtin_mul_overflow(number, factor, &number); }
  static bool multiply(Tally& number, const Tally& factor) {
    number.multiply(static_cast<Index>(factor.count));
    number.overflow |= factor.overflow || factor.count > std::numeric_limits<Index>::max();
    return true;
  }
  static bool multiply(Tally& number, Index factor) { return number.multiply(factor), true; }
  static bool add(Index& sum, Index number) { return !__builtin_add_overflow(sum, number, &sum); }
  static bool add(Tally& sum, const Tally& number) { return sum.add(number), true; }

  /// @return false where a number does not fit
  template <class Number>
  bool add_terms(int first, int last, Number& sum) {
    for (int t = first; t < last; ++t) {
      const CountTerm& term = setup_.terms[t];
      Number product{term.factor};
      bool is_zero = false;
      for (int i = 0; i < term.num_sets && !is_zero; ++i) {
        const Index size = sets_.size(term.sets[i]);
        is_zero = size == 0;
        if (!multiply(product, size)) return false;
      }
      for (int i = 0; i < term.num_sums && !is_zero; ++i) {
        Number value{};
        if (!add_candidates(setup_.sums[term.sums[i]], value) || !multiply(product, value)) return false;
        is_zero = value == Number{};
      }
      if (!is_zero && !add(sum, product)) return false;
    }
    return true;
  }
  template <class Number>
  bool add_candidates(const CountedSum& sum, Number& total) {
    const VertexList candidates = sets_.members(sum.candidates);
    for (Index i = 0; i < candidates.size(); ++i) {
      sets_.prefetch_after(candidates, i);
      if (sets_.is_chosen(candidates[i], sum.distinct_from) || !sets_.choose(sum, candidates[i])) continue;
      if (!add_terms(sum.first_term, sum.last_term, total)) return false;
    }
    return true;
  }

  const SearchSetup& setup_;
  Sets& sets_;
};

/// `at_leaf(sets, leaf)` for every match that has the updated edge. @return false where it was stopped
/// @param search   has `from`, `to` and, where the descent is of a part, `part`
/// @param reached  with kTracks, if it was stopped: where its leaf stands on the line
template <bool kInParts, bool kTracks = false, Team AnyTeam, class Job, class Search, class AtLeaf>
QUARRY_HD bool search_part(AnyTeam& team, const Job& job, const Search& search, std::byte* memory,
                           const AtLeaf& at_leaf, double* reached = nullptr) {
  using Sets = SearchSets<AnyTeam, Job>;
  Sets sets(team, job, memory);
  Descent<Sets, AtLeaf, kInParts, kTracks> descent(job, sets, at_leaf);
  for (int root = 0; root >= 0; root = job.nodes[root].sibling) {
    if (!sets.choose(job.nodes[root], search.from)) continue;
    for (int child = job.nodes[root].child; child >= 0; child = job.nodes[child].sibling) {
      const SearchNode& node = job.nodes[child];
      if (!sets.choose(node, search.to) || descent(node, search.part)) continue;
      if constexpr (kTracks) *reached = descent.reached();
      return false;
    }
  }
  return true;
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::watch
QUARRY_AFTER_TARGET();
