/// The search: nested loops over sets that are intersected on the way, as a kernel.
///
/// Compiled once per vector target, hence the guard that toggles. For the host: one thread, one run of entries.
#if defined(QUARRY_MINE_SEARCH_KERNELS) == defined(HWY_TARGET_TOGGLE)
#ifdef QUARRY_MINE_SEARCH_KERNELS
#undef QUARRY_MINE_SEARCH_KERNELS
#else
#define QUARRY_MINE_SEARCH_KERNELS
#endif

#include <algorithm>

#include "graph/set_operations.hpp"
#include "mine/random_numbers.hpp"
#include "mine/search.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::mine {
namespace QUARRY_TARGET {

using namespace ::quarry::QUARRY_TARGET;  // set operations

/// The sets of a plan for the vertices chosen so far.
class SearchSets {
 public:
  SearchSets(const SearchJob& job, SearchMemory& memory) : job_(job), plan_(*job.plan), memory_(memory) {}
  ~SearchSets() {
    for (std::size_t set = 0; set < memory_.live.size(); ++set) unload(set);
  }
  SearchSets(const SearchSets&) = delete;
  SearchSets& operator=(const SearchSets&) = delete;

  const std::uint32_t* chosen() const { return chosen_; }

  /// @return false where no match goes on from here
  bool choose(int position, std::uint32_t vertex) {
    chosen_[position] = vertex;
    const Position& place = plan_.positions[static_cast<std::size_t>(position)];
    for (int set = place.first_set; set < place.last_set; ++set) {
      const SetStep& step = plan_.sets[static_cast<std::size_t>(set)];
      compute(static_cast<std::size_t>(set), step, vertex);
      if (step.required && memory_.live[static_cast<std::size_t>(set)].size == 0) return false;
    }
    return true;
  }
  VertexList members(int set) const { return memory_.live[static_cast<std::size_t>(set)].members; }
  bool is_chosen(std::uint32_t vertex, std::uint16_t positions) const {
    for (; positions != 0; positions &= static_cast<std::uint16_t>(positions - 1)) {
      if (chosen_[__builtin_ctz(positions)] == vertex) return true;
    }
    return false;
  }
  /// Members that are none of the chosen vertices.
  Index size(int set) const {
    const LiveSet& live = memory_.live[static_cast<std::size_t>(set)];
    Index size = live.size;
    for (std::uint16_t rest = plan_.distinct_from[static_cast<std::size_t>(set)]; rest != 0;
         rest &= static_cast<std::uint16_t>(rest - 1)) {
      size -= contains(live.members, chosen_[__builtin_ctz(rest)]);
    }
    return size;
  }
  /// These members themselves.
  VertexList free_members(int set) {
    const VertexList list = members(set);
    const std::uint16_t others = plan_.distinct_from[static_cast<std::size_t>(set)];
    if (others == 0) return list;
    Index count = 0;
    for (const std::uint32_t vertex : list) {
      if (!is_chosen(vertex, others)) memory_.filtered[static_cast<std::size_t>(count++)] = vertex;
    }
    return VertexList(memory_.filtered.data(), count);
  }

 private:
  void unload(std::size_t set) {
    LiveSet& live = memory_.live[set];
    if (!live.loaded) return;
    for (const std::uint32_t vertex : live.members) memory_.bitmaps[set][vertex / 64] = 0;
    live.loaded = false;
  }

  void compute(std::size_t set, const SetStep& step, std::uint32_t vertex) {
    unload(set);
    LiveSet& live = memory_.live[set];
    std::uint32_t* const out = memory_.members[set].data();
    if (step.source < 0) {
      begin(step, vertex, live, out);
    } else {
      narrow(step, vertex, live, out);
    }
    const bool wanted = job_.intersection == Intersection::automatic || job_.intersection == Intersection::bitmap;
    if (!step.load || !wanted || live.size < job_.bitmap_degree) return;
    for (const std::uint32_t v : live.members) memory_.bitmaps[set][v / 64] |= std::uint64_t{1} << (v % 64);
    live.loaded = true;
  }

  void begin(const SetStep& step, std::uint32_t vertex, LiveSet& live, std::uint32_t* out) {
    std::uint32_t first = step.begin;
    for (std::uint16_t rest = step.later_than; rest != 0; rest &= static_cast<std::uint16_t>(rest - 1)) {
      const std::uint32_t other = chosen_[__builtin_ctz(rest)];
      if (other >= first) first = other + 1;
    }
    live.members = part_within(job_.rows.row(vertex), first, step.end);
    if (step.edge_label >= 0) live.members = VertexList(out, with_label(step, live.members, live.members, out));
    for (std::uint16_t rest = step.subtract; rest != 0; rest &= static_cast<std::uint16_t>(rest - 1)) {
      const auto row = job_.rows.row(chosen_[__builtin_ctz(rest)]);
      live.members = VertexList(out, subtract<true>(live.members, row, out));
    }
    live.size = live.members.size();
  }

  /// The entries of a row with the step's edge label that are in a set.
  Index with_label(const SetStep& step, VertexList row, VertexList set, std::uint32_t* out) const {
    const auto* const labels = job_.edge_labels.data() + (row.data() - job_.rows.neighbours.data());
    Index count = 0;
    for (Index i = 0; i < row.size(); ++i) {
      if (labels[i] == step.edge_label && (row.data() == set.data() || contains(set, row[i]))) out[count++] = row[i];
    }
    return count;
  }

  void narrow(const SetStep& step, std::uint32_t vertex, LiveSet& live, std::uint32_t* out) {
    const LiveSet& source = memory_.live[static_cast<std::size_t>(step.source)];
    VertexList set = source.members;
    if (step.after_chosen) set = part_within(set, vertex + 1, ~std::uint32_t{0});
    if (step.subtract != 0) {
      const auto row = step.after_chosen ? job_.rows.after(vertex) : job_.rows.row(vertex);
      live.size = step.size_only ? subtract<false>(set, row, out) : subtract<true>(set, row, out);
      live.members = VertexList(out, live.size);
    } else if (!step.intersect) {
      live.members = set;
      live.size = set.size();
    } else if (step.edge_label >= 0) {
      live.size = with_label(step, row_of(step, vertex), set, out);
      live.members = VertexList(out, live.size);
    } else {
      const auto* const bitmap =
          source.loaded ? memory_.bitmaps[static_cast<std::size_t>(step.source)].data() : nullptr;
      live.size = step.size_only ? intersect<false>(set, bitmap, row_of(step, vertex), out)
                                 : intersect<true>(set, bitmap, row_of(step, vertex), out);
      live.members = VertexList(out, live.size);
    }
  }
  VertexList row_of(const SetStep& step, std::uint32_t vertex) const {
    return step.after_chosen ? job_.rows.after(vertex) : job_.rows.row(vertex);
  }

  /// @param bitmap  the set's, or null
  template <bool kWrite>
  Index intersect(VertexList set, const std::uint64_t* bitmap, VertexList row, std::uint32_t* out) const {
    const VertexList shorter = set.size() < row.size() ? set : row, longer = set.size() < row.size() ? row : set;
    // PERF: looking up pays from about 16 times the length on; before, a bitmap beats the merge.
    constexpr Index kMuchLonger = 16;
    const bool search = job_.intersection == Intersection::search ||
                        (job_.intersection == Intersection::automatic && longer.size() > kMuchLonger * shorter.size() &&
                         (bitmap == nullptr || shorter.data() == set.data()));
    if (search) return intersect_by_search<kWrite>(shorter, longer, out);
    if (bitmap != nullptr) return intersect_by_bitmap<kWrite>(bitmap, row, out);
    return intersect_by_merging<kWrite>(shorter, longer, out);
  }

  const SearchJob& job_;
  const SearchPlan& plan_;
  SearchMemory& memory_;
  std::uint32_t chosen_[kMaxPatternVertices] = {};
};

/// `leaf(sets)` for every way to choose the vertices that are chosen; it returns false to stop.
template <class Leaf>
class Search {
 public:
  Search(const SearchJob& job, SearchMemory& memory, const Leaf& leaf)
      : job_(job), plan_(*job.plan), sets_(job, memory), leaf_(leaf) {}

  void operator()(Entries entries) {
    const auto& offsets = job_.rows.offsets;
    Index vertex = vertex_of(entries.first);
    for (; vertex < job_.rows.num_vertices() && static_cast<Index>(offsets[vertex]) < entries.last; ++vertex) {
      const Index begin = static_cast<Index>(offsets[vertex]), end = static_cast<Index>(offsets[vertex + 1]);
      const Entries row{begin > entries.first ? begin : entries.first, end < entries.last ? end : entries.last};
      if (row.first >= row.last || (plan_.num_chosen == 1 && row.first != begin)) continue;
      if (!begin_at(static_cast<std::uint32_t>(vertex), row)) return;
    }
  }

 private:
  /// The vertex in whose row an entry stands.
  Index vertex_of(Index entry) const {
    Index low = 0, high = job_.rows.num_vertices();
    while (low < high) {
      const Index middle = (low + high) / 2;
      if (static_cast<Index>(job_.rows.offsets[middle + 1]) <= entry)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  static bool within(const Position& place, std::uint32_t vertex) {
    return vertex >= place.begin && vertex < place.end;
  }

  bool begin_at(std::uint32_t vertex, Entries row) {
    if (!within(plan_.positions[0], vertex) || !sets_.choose(0, vertex)) return true;
    if (plan_.num_chosen == 1) return leaf_(sets_);
    for (Index entry = row.first; entry < row.last; ++entry) {
      const std::uint32_t second = job_.rows.neighbours[entry];
      if (!within(plan_.positions[1], second) || (plan_.second_after_first && second < vertex)) continue;
      if (plan_.second_edge_label >= 0 && job_.edge_labels[entry] != plan_.second_edge_label) continue;
      if (sets_.choose(1, second) && !descend()) return false;
    }
    return true;
  }

  /// From the third vertex on: a stack of loops.
  bool descend() {
    if (plan_.num_chosen == 2) return leaf_(sets_);
    int position = 2;
    open(position);
    while (position >= 2) {
      if (next_[position] == candidates_[position].size()) {
        --position;
        continue;
      }
      const std::uint32_t vertex = candidates_[position][next_[position]++];
      const Position& place = plan_.positions[static_cast<std::size_t>(position)];
      if (sets_.is_chosen(vertex, place.distinct_from) || !sets_.choose(position, vertex)) continue;
      if (position + 1 == plan_.num_chosen) {
        if (!leaf_(sets_)) return false;
      } else {
        open(++position);
      }
    }
    return true;
  }
  void open(int position) {
    candidates_[position] = sets_.members(plan_.positions[static_cast<std::size_t>(position)].candidates);
    next_[position] = 0;
  }

  const SearchJob& job_;
  const SearchPlan& plan_;
  SearchSets sets_;
  const Leaf& leaf_;
  VertexList candidates_[kMaxPatternVertices];
  Index next_[kMaxPatternVertices] = {};
};

/// How many ways there are to place the vertices that are counted.
QUARRY_INLINE Ways ways_to_complete(const SearchPlan& plan, const SearchSets& sets, bool& overflow) {
  if (plan.falling > 0) {
    Ways ways = 1;
    const Index size = sets.size(plan.terms[0].sets[0]);
    for (Index i = 0; i < plan.falling; ++i) {
      if (size <= i) return 0;
      overflow |= __builtin_mul_overflow(ways, static_cast<Ways>(size - i), &ways);
    }
    return ways;
  }
  Ways total = 0;
  for (const Term& term : plan.terms) {
    Ways product = term.factor;
    for (int i = 0; i < term.num_sets; ++i) {
      overflow |= __builtin_mul_overflow(product, static_cast<Ways>(sets.size(term.sets[static_cast<std::size_t>(i)])),
                                         &product);
    }
    overflow |= __builtin_add_overflow(total, product, &total);
  }
  return total;
}

/// One way down the search, each vertex drawn from its set: the number of ways to have gone, times the ways to complete
/// it, is on average what the whole search would count.
class RandomDescent {
 public:
  RandomDescent(const SearchJob& job, SearchMemory& memory, std::uint64_t seed)
      : job_(job), plan_(*job.plan), memory_(memory), sets_(job, memory), random_(seed) {}

  double operator()() {
    double ways = begin();
    for (int position = 2; ways > 0 && position < plan_.num_chosen; ++position) {
      const Position& place = plan_.positions[static_cast<std::size_t>(position)];
      const VertexList list = sets_.members(place.candidates);
      const std::uint32_t vertex = list[random_.below(list.size())];
      if (sets_.is_chosen(vertex, place.distinct_from) || !sets_.choose(position, vertex)) return 0;
      ways *= static_cast<double>(list.size());
    }
    if (ways == 0) return 0;
    return ways * static_cast<double>(ways_to_complete(plan_, sets_, memory_.overflow));
  }

 private:
  /// Draws the first vertex, or an edge. @return how many there were, or 0
  double begin() {
    const bool one = plan_.num_chosen == 1;
    const Index choices = one ? job_.rows.num_vertices() : job_.rows.neighbours.size();
    if (choices == 0) return 0;
    const Index entry = random_.below(choices);
    const auto row =
        one ? nullptr
            : std::upper_bound(job_.rows.offsets.begin(), job_.rows.offsets.end(), static_cast<std::uint64_t>(entry));
    const auto first = static_cast<std::uint32_t>(one ? entry : row - job_.rows.offsets.begin() - 1);
    if (!within(0, first) || !sets_.choose(0, first)) return 0;
    if (one) return static_cast<double>(choices);
    const std::uint32_t second = job_.rows.neighbours[entry];
    if (!within(1, second) || (plan_.second_after_first && second < first)) return 0;
    if (plan_.second_edge_label >= 0 && job_.edge_labels[entry] != plan_.second_edge_label) return 0;
    return sets_.choose(1, second) ? static_cast<double>(choices) : 0;
  }
  bool within(int position, std::uint32_t vertex) const {
    const Position& place = plan_.positions[static_cast<std::size_t>(position)];
    return vertex >= place.begin && vertex < place.end;
  }

  const SearchJob& job_;
  const SearchPlan& plan_;
  SearchMemory& memory_;
  SearchSets sets_;
  RandomNumbers random_;
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::mine
QUARRY_AFTER_TARGET();

#endif
