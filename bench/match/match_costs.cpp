#include "bench/match/match_costs.hpp"

#include <vector>

namespace quarry::bench {
namespace {

using match::PlanView;

// A transpose of 64 x 64 bits: six steps of 32 swaps, each two shifts, three exclusive ors and an and. Of 32 x 32: five steps
// of 16.
constexpr double kTransposeOperations = 6 * 32 * 6, kHalfTransposeOperations = 5 * 16 * 6;
// A level of the search: an and with the unused atoms, lowest bit, mark, release, clear.
constexpr double kLevelOperations = 5;

/// What is asked of a batch beyond its input.
struct Fetched {
  std::vector<std::uint64_t> needed;
  std::vector<match::Pair> pairs;
  std::vector<match::PairResult> results;
};

template <class T>
auto fetched(Queue& queue, View<T> view) {
  std::vector<std::remove_const_t<T>> copy(view.begin(), queue.on_host() ? view.end() : view.begin());
  if (!queue.on_host() && view.size() > 0) {
    copy.resize(view.size());
    queue.stream()->download(copy.data(), view.data(), view.size() * sizeof(T));
  }
  return copy;
}

/// One molecule's sizes, as numbers to calculate with.
struct Sizes {
  double atoms, words, neighbours;  ///< entries of neighbour lists: two for a bond
};

class Counter {
 public:
  Counter(const PlanView& plan, const match::BatchInput& input, Costs& costs)
      : plan_(plan), input_(input), batch_(input.view()), costs_(costs) {}

  /// @param with_tables  on the host they stay in a cache from batch to batch
  void count(const Fetched& found, match::Mode mode, bool with_tables) {
    if (with_tables) count_tables();
    for (Index m = 0; m < input_.num_molecules(); ++m) {
      const Sizes sizes = sizes_of(m);
      count_pack(m, sizes);
      count_candidates(sizes);
      count_recursive(m, sizes, found);
      count_neighbours(sizes);
      if (plan_.refine > 0) count_refine(sizes);
    }
    for (std::size_t i = 0; i < found.pairs.size(); ++i) count_join(found.pairs[i], found.results[i], mode);
    count_pairs(found.pairs.size());
  }

 private:
  void add(const char* name, double bytes, double operations) {
    costs_[name].bytes += bytes;
    costs_[name].operations += operations;
  }
  Sizes sizes_of(Index m) const {
    const auto& graphs = batch_.graphs;
    const Index first = graphs.graph_offsets[m], last = graphs.graph_offsets[m + 1];
    return {d(last - first), d(words_for(last - first)), d(graphs.row_offsets[last] - graphs.row_offsets[first])};
  }

  /// Tables that all molecules of a launch share.
  void count_tables() {
    add("candidates", 8 * d(batch_.environment_rows.size()), 0);
    add("neighbours", sizeof(match::OtherClass) * d(plan_.other_classes.size()) + 4 * d(plan_.other_masks.size()), 0);
    add("join", sizeof(match::SearchLevel) * d(plan_.levels.size()), 0);
  }

  void count_pack(Index m, const Sizes& sizes) {
    if (sizes.words > 1) return;
    const auto& graphs = batch_.graphs;
    double relations = 0;
    const Index first = graphs.row_offsets[graphs.graph_offsets[m]];
    for (Index i = first; i < graphs.row_offsets[graphs.graph_offsets[m + 1]]; ++i) {
      const match::Range range = plan_.relations_of_bond[graphs.edge_labels[i]];
      relations += range.last - range.first;
    }
    add("pack", 4 * sizes.atoms + 5 * sizes.neighbours + 8 * d(plan_.num_relations) * sizes.atoms,
        sizes.neighbours + relations);
  }

  void count_candidates(const Sizes& sizes) {
    const double row_words = d(plan_.row_words()), live_words = d(plan_.environment_words());
    const double transpose =
        sizes.atoms <= kWordBits / 2 ? kHalfTransposeOperations : sizes.words * kTransposeOperations;
    add("candidates",
        4 * sizes.atoms + 8 * (kWordBits * row_words * sizes.words + d(plan_.query_words + plan_.need_words)),
        row_words * transpose + sizes.atoms * live_words);
  }

  void count_recursive(Index m, const Sizes& sizes, const Fetched& found) {
    double operations = 0;
    for (Index r = 0; r < plan_.num_recursive; ++r) {
      const auto word = found.needed[m * plan_.need_words + r / kWordBits];
      if ((word >> (r % kWordBits) & 1) != 0) operations += (plan_.patterns[r].num_atoms + 1.0) * sizes.words;
    }
    add("recursive", 8 * (sizes.words * d(plan_.num_recursive + plan_.num_programs + 1) + d(plan_.need_words)),
        operations);
  }

  void count_neighbours(const Sizes& sizes) {
    const double classes = sizes.words * d(plan_.other_masks.size() + plan_.other_classes.size());
    add("neighbours", 8 * (classes + 2 * d(plan_.query_words)), classes + d(plan_.demands.size()) * sizes.words);
  }

  void count_refine(const Sizes& sizes) {
    const double radius = d(plan_.refine), labels = d(plan_.num_labels);
    const double balls = radius * (sizes.neighbours + 2 * labels * sizes.atoms);
    const double features = d(plan_.features.size()) * sizes.atoms / 8;  // eight counts to a word
    const double refined = d(plan_.num_refined_classes);
    add("refine",
        4 * sizes.atoms + 4 * sizes.neighbours + 8 * sizes.words * (labels + d(plan_.num_signatures) + 2 * refined),
        balls + features + (d(plan_.signature_features.size()) + refined) * sizes.words);
  }

  void count_join(const match::Pair& pair, const match::PairResult& result, match::Mode mode) {
    const match::PatternEntry& pattern = plan_.query(pair.query);
    const double words = sizes_of(pair.molecule).words;
    const double roots = pattern.roots.last - pattern.roots.first;
    double bytes = 28 + 8 * roots * words, operations = 2 * roots * words;
    const bool decided = mode == match::Mode::first && pattern.demands_decide;
    if (result.embeddings > 0 && !decided) {
      const match::SearchLevel* levels = plan_.levels.data() + plan_.roots[pattern.roots.first].first_level;
      for (Index i = 0; i < pattern.num_atoms; ++i) {
        const double relations = levels[i].num_checks + (levels[i].has_parent ? 1 : 0);
        bytes += 8 + 8 * relations;
        operations += kLevelOperations + relations;
      }
    }
    add("join", bytes, operations);
    if (result.embeddings > 0) add("gather", 3 * (sizeof(match::Pair) + sizeof(match::PairResult)), 0);
  }

  /// What costs the same for every pair.
  void count_pairs(double pairs) {
    const double molecules = d(input_.num_molecules());
    add("map", 8 * pairs + 24 * molecules * d(plan_.query_words), pairs);
    add("scan", 16 * molecules, molecules);
    add("gather", (sizeof(match::PairResult) + 1) * pairs, pairs);
    add("select", pairs, pairs);
  }

  static double d(Index value) { return value; }

  PlanView plan_;
  const match::BatchInput& input_;
  match::BatchView batch_;
  Costs& costs_;
};

}  // namespace

void add_costs(const PlanView& plan, const match::BatchInput& input, match::BatchStore& store, Queue& queue,
               match::Mode mode, Costs& costs) {
  const match::BatchView& batch = store.view();
  const Fetched found = {fetched(queue, batch.needed), fetched(queue, store.pairs()), fetched(queue, store.results())};
  Counter(plan, input, costs).count(found, mode, !queue.on_host());
}

}  // namespace quarry::bench
