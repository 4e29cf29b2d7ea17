#include "dock/batch/batch_room.hpp"

#include <algorithm>
#include <iterator>

#include "dock/batch/job_memory.hpp"
#include "util/memory/memory_budget.hpp"

namespace quarry::dock {
namespace {

Index num_heavy_atoms(const Ligand& ligand) {
  return std::count_if(ligand.types.begin(), ligand.types.end(),
                       [](AtomType type) { return type != AtomType::hydrogen; });
}

/// The first of `limits` that is not below `value`.
template <std::size_t kCount>
int place_in(const int (&limits)[kCount], Index value) {
  return static_cast<int>(std::lower_bound(std::begin(limits), std::end(limits), value) - std::begin(limits));
}

}  // namespace

Index most_poses(const SearchOptions& options) {
  // Searched; then those that are kept, and the ends of chains beside them.
  const Index kept = std::min(options.restarts, options.max_poses);
  return std::max<Index>(options.restarts, kept + options.chains);
}

int bucket_of(const Ligand& ligand) {
  constexpr int kAtoms[] = {32, 64, 96, 128}, kTorsions[] = {4, 8, 16, 24};
  return place_in(kAtoms, num_heavy_atoms(ligand)) * 8 + place_in(kTorsions, ligand.num_torsions());
}

/// What rows come to.
struct BatchRoom::Load {
  Index num_ligands = 0;  ///< one for each conformer
  Index max_atoms = 1, max_fragments = 1;
  Index packed_bytes = 512;  ///< the arrays are aligned

  void add(const LigandRow& row) {
    if (!row.ok()) return;
    const Ligand& ligand = row.ligand;
    const Index atoms = num_heavy_atoms(ligand), fragments = ligand.num_torsions() + 1;
    const Index conformers = std::ssize(ligand.conformers);
    num_ligands += conformers;
    max_atoms = std::max(max_atoms, atoms);
    max_fragments = std::max(max_fragments, fragments);
    packed_bytes += conformers * (Index{sizeof(LigandHeader)} + atoms * Index{sizeof(PlanAtom)} +
                                  fragments * Index{sizeof(PlanFragment)} +
                                  atoms * words_of(static_cast<int>(atoms)) * Index{sizeof(std::uint32_t)});
  }
};

Index BatchRoom::pose_bytes(const Queue& queue, const Load& load, Form form) const {
  PoseJob job;
  job.num_ligands = load.num_ligands;
  job.poses.per_ligand = num_poses_;
  job.max_atoms = load.max_atoms;
  job.max_fragments = load.max_fragments;
  job.form = form;
  return lay_out(queue, job, nullptr);
}

Index BatchRoom::needed_bytes(const Queue& queue, const Load& load, Form form) const {
  const Index poses = pose_bytes(queue, load, form) / (kParts - 1) + 1;
  return room_.shared_bytes + room_.num_queues * kParts * std::max(load.packed_bytes, poses);
}

BatchRoom::Bytes BatchRoom::reserved(const Queue& queue) const {
  const Index part = std::max<Index>(0, room_.limit_bytes - room_.shared_bytes) / (room_.num_queues * kParts);
  const Load large{most_ligands(), 64, 17, 0};
  return {std::min((kParts - 1) * part, pose_bytes(queue, large, Form::batch)),
          std::min(part, most_ligands() * (Index{4} << 10))};
}

BatchCut BatchRoom::cut(const Queue& queue, std::span<const LigandRow* const> rows, std::size_t first) const {
  Load load;
  load.add(*rows[first]);
  // One ligand at a time takes less memory.
  MemoryBudget(room_.limit_bytes, name_of({room_.device}))
      .require(needed_bytes(queue, load, form_ == Form::batch ? Form::batch : Form::latency),
               "the maps of the box and one ligand on each queue");
  if (form_ == Form::latency || !fits(queue, load, Form::batch)) return {first + 1, Form::latency};
  std::size_t end = first + 1;
  for (; end < rows.size(); ++end) {
    Load more = load;
    more.add(*rows[end]);
    if (more.num_ligands > most_ligands() || !fits(queue, more, Form::batch)) break;
    load = more;
  }
  if (form_ == Form::batch) return {end, form_};
  // PERF: on an H100 a batch of so few takes about as long as they do one at a time.
  constexpr Index kFew = 24;
  return {end, load.num_ligands < std::max<Index>(2, std::min(kFew, most_ligands() / 2)) ? Form::latency : Form::batch};
}

}  // namespace quarry::dock
