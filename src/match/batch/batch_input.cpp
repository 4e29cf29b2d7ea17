#include "match/batch/batch_input.hpp"

#include <algorithm>

#include "graph/cycle_lengths.hpp"
#include "library/chunk_codec.hpp"

namespace quarry::match {
namespace {

constexpr GraphBatch::Labels kBondLabels = {[](std::uint32_t kind) -> std::uint32_t { return reversed(kind); },
                                            bond_kind(0, true)};

/// The parts of a chunk's sparse column that belong to some molecules, with offsets that start at 0.
template <class T>
void pick(std::span<const std::uint32_t> offsets, std::span<const T> values, std::span<const Index> molecules,
          std::vector<std::uint32_t>& new_offsets, std::vector<T>& new_values) {
  new_offsets.clear();
  new_values.clear();
  if (offsets.empty()) return;
  new_offsets.push_back(0);
  for (const Index m : molecules) {
    const auto part = part_of(values, offsets[m], offsets[m + 1]);
    new_values.insert(new_values.end(), part.begin(), part.end());
    new_offsets.push_back(static_cast<std::uint32_t>(new_values.size()));
  }
}

}  // namespace

void BatchInput::load(const Plan& plan, const Chunk& chunk, EnvironmentRows& environments,
                      std::span<const Index> molecules, const ResolvedStereo* resolved) {
  const PlanView plan_view = plan.view();
  load_graphs(plan, chunk, molecules);
  load_environments(environments);
  load_cycle_lengths(plan.has_cycles);
  if (plan.has_groups) load_components();
  if (plan_view.chirality) load_stereo(chunk, molecules, resolved);
  max_words_ = 1;
  region_offsets_.assign(1, 0);
  for (Index g = 0; g < graphs_.view().num_graphs(); ++g) {
    const Index atoms = graphs_.view().num_nodes(g);
    max_words_ = std::max(max_words_, words_for(atoms));
    region_offsets_.push_back(region_offsets_.back() + region_words(plan_view, atoms));
  }
}

void BatchInput::load_graphs(const Plan& plan, const Chunk& chunk, std::span<const Index> molecules) {
  graphs_.clear();
  for (const Index m : molecules) {
    labels_.clear();
    const auto bonds = for_each_kind(chunk, m, [&](std::uint32_t kind) { labels_.push_back(kind); });
    edges_.clear();
    for_each_bond(chunk, bonds, labels_.size(), [&](std::uint32_t begin, std::uint32_t end, BondKind kind) {
      if (plan.has_directions && bond_type(kind) == kDative) {
        throw InputError(
            "an earlier version made this library, without the direction of dative bonds that a query asks for: make "
            "it "
            "again with quarry index");
      }
      edges_.push_back({begin, end, kind});
    });
    graphs_.append(labels_, edges_, kBondLabels, plan.has_ring_bonds);
  }
}

void BatchInput::load_environments(EnvironmentRows& environments) {
  const GraphBatchView graphs = graphs_.view();
  environments.start_batch();
  environments_.clear();
  for (Index g = 0; g < graphs.num_graphs(); ++g) environments.add_numbers(graphs, g, environments_);
  known_environments_ = &environments;
}

void BatchInput::load_cycle_lengths(bool needed) {
  constexpr std::uint8_t kAny = 0xFF;
  const GraphBatchView graphs = graphs_.view();
  cycle_lengths_.assign(graphs.num_graphs(), kAny);
  for (Index g = 0; needed && g < graphs.num_graphs(); ++g) {
    const CycleLengths lengths = cycle_lengths_of(graphs, g);
    if (lengths.complete) cycle_lengths_[g] = lengths.found;
  }
}

void BatchInput::load_components() {
  const GraphBatchView graphs = graphs_.view();
  components_.assign(graphs_.num_nodes(), 0);
  std::vector<std::uint32_t> queue;
  for (Index g = 0; g < graphs.num_graphs(); ++g) {
    const Index first = graphs.graph_offsets[g], num_nodes = graphs.num_nodes(g);
    std::uint32_t component = 0;
    for (std::uint32_t v = 0; v < num_nodes; ++v) {
      if (components_[first + v] != 0) continue;
      components_[first + v] = ++component;
      queue.assign(1, v);
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

void BatchInput::load_stereo(const Chunk& chunk, std::span<const Index> molecules, const ResolvedStereo* resolved) {
  if (resolved != nullptr) return resolved->copy(molecules, stereo_);
  pick(chunk.chiral_offsets, chunk.chiral_atoms, molecules, stereo_.chiral_offsets, stereo_.chiral_atoms);
  pick(chunk.stereo_offsets, chunk.stereo_bonds, molecules, stereo_.stereo_offsets, stereo_.stereo_bonds);
}

BatchView BatchInput::view() const {
  BatchView view;
  view.graphs = graphs_.view();
  view.environments = view_of(environments_);
  view.environment_rows = known_environments_->rows();
  view.cycle_lengths = view_of(cycle_lengths_);
  view.components = view_of(components_);
  view.chiral_offsets = view_of(stereo_.chiral_offsets);
  view.stereo_offsets = view_of(stereo_.stereo_offsets);
  view.chiral_atoms = view_of(stereo_.chiral_atoms);
  view.stereo_bonds = view_of(stereo_.stereo_bonds);
  view.region_offsets = view_of(region_offsets_);
  view.max_words = max_words_;
  return view;
}

}  // namespace quarry::match
