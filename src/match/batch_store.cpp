#include "match/batch_store.hpp"

#include <algorithm>
#include <utility>

#include "molecule/chunk_codec.hpp"

namespace quarry::match {
namespace {

/// Entries of molecules `[first, last)` of a chunk's sparse column, with offsets that start at 0.
template <class T>
void slice(std::span<const std::uint32_t> offsets, std::span<const T> values, Index first, Index last,
           std::vector<std::uint32_t>& new_offsets, std::vector<T>& new_values) {
  new_offsets.clear();
  new_values.clear();
  if (offsets.empty()) return;
  for (Index m = first; m <= last; ++m) new_offsets.push_back(offsets[m] - offsets[first]);
  new_values.assign(values.begin() + offsets[first], values.begin() + offsets[last]);
}

}  // namespace

void BatchStore::load(Queue& queue, const PlanView& plan, bool with_components, const Chunk& chunk,
                      View<const std::uint64_t> kind_rows, Index first, Index last) {
  load_graphs(chunk, first, last);
  if (with_components) load_components();
  if (plan.chirality) load_stereo(chunk, first, last);
  kind_rows_ = kind_rows;

  const Index count = last - first;
  shape_.num_molecules = count;
  shape_.max_words = 1;
  region_offsets_.resize(queue, count + 1);
  View<Index> offsets = region_offsets_.view();
  offsets[0] = 0;
  for (Index m = 0; m < count; ++m) {
    const Index atoms = chunk.num_atoms(first + m);
    shape_.max_words = std::max(shape_.max_words, words_for(atoms));
    offsets[m + 1] = offsets[m] + region_words(plan, atoms);
  }
  masks_.resize(queue, offsets[count]);
  absent_.resize(queue, count * plan.row_words);
  live_.resize(queue, count * plan.query_words);
  needed_.resize(queue, count * plan.need_words);
  unknown_.resize(queue, count * plan.need_words);
  pair_offsets_.resize(queue, count + 1);
}

void BatchStore::load_graphs(const Chunk& chunk, Index first, Index last) {
  graphs_.clear();
  for (Index m = first; m < last; ++m) {
    edges_.clear();
    for_each_bond(chunk, m, [&](std::uint32_t begin, std::uint32_t end, BondKind kind) {
      edges_.push_back({begin, end, kind});
    });
    labels_.assign(chunk.atom_kinds.begin() + chunk.atom_offsets[m],
                   chunk.atom_kinds.begin() + chunk.atom_offsets[m + 1]);
    graphs_.append(labels_, edges_);
  }
}

void BatchStore::load_components() {
  const GraphBatchView graphs = graphs_.view();
  components_.assign(static_cast<std::size_t>(graphs_.num_nodes()), 0);
  std::vector<std::uint32_t> queue;
  for (Index g = 0; g < graphs.num_graphs(); ++g) {
    const Index first = graphs.graph_offsets[g], num_nodes = graphs.num_nodes(g);
    std::uint32_t component = 0;
    for (Index v = 0; v < num_nodes; ++v) {
      if (components_[first + v] != 0) continue;
      components_[first + v] = ++component;
      queue.assign(1, static_cast<std::uint32_t>(v));
      while (!queue.empty()) {
        const Index node = first + queue.back();
        queue.pop_back();
        for (Index i = graphs.row_offsets[node]; i < graphs.row_offsets[node + 1]; ++i) {
          std::uint32_t& reached = components_[first + graphs.neighbours[i]];
          if (reached == 0) queue.push_back(graphs.neighbours[i]);
          reached = component;
        }
      }
    }
  }
}

void BatchStore::load_stereo(const Chunk& chunk, Index first, Index last) {
  slice(chunk.chiral_offsets, chunk.chiral_atoms, first, last, chiral_offsets_, chiral_atoms_);
  slice(chunk.stereo_offsets, chunk.stereo_bonds, first, last, stereo_offsets_, stereo_bonds_);
}

BatchView BatchStore::view(Index pair_budget) {
  BatchView view;
  view.graphs = graphs_.view();
  view.kind_rows = kind_rows_;
  view.components = view_of(components_);
  view.chiral_offsets = view_of(chiral_offsets_);
  view.stereo_offsets = view_of(stereo_offsets_);
  view.chiral_atoms = view_of(chiral_atoms_);
  view.stereo_bonds = view_of(stereo_bonds_);
  view.region_offsets = region_offsets_.view();
  view.masks = masks_.view();
  view.absent = absent_.view();
  view.live = live_.view();
  view.needed = needed_.view();
  view.unknown = unknown_.view();
  view.pair_offsets = pair_offsets_.view();
  view.pairs = pairs_.view();
  view.pair_budget = pair_budget;
  return view;
}

Index BatchStore::reserve_pairs(Queue& queue) {
  View<Index> offsets = pair_offsets_.view();
  Index sum = 0;
  for (Index m = 0; m < shape_.num_molecules; ++m) sum += std::exchange(offsets[m], sum);
  offsets[shape_.num_molecules] = sum;
  pairs_.resize(queue, sum);
  return sum;
}

View<PairResult> BatchStore::results(Queue& queue) {
  results_.resize(queue, pairs_.size());
  return results_.view();
}

}  // namespace quarry::match
