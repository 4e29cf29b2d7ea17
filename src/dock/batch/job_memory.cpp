#include "dock/batch/job_memory.hpp"

#include "dock/steps.hpp"

namespace quarry::dock {

Index lay_out(const Queue& queue, PoseJob& job, std::byte* memory) {
  constexpr Index kAlignment = 64;
  Index used = 0;
  const auto place = [&]<class T>(View<T>& view, Index size) {
    view = View<T>(memory == nullptr ? nullptr : reinterpret_cast<T*>(memory + used), size);
    used += (size * Index{sizeof(T)} + kAlignment - 1) / kAlignment * kAlignment;
  };
  PosesView& poses = job.poses;
  const Index num_poses = job.num_ligands * poses.per_ligand;
  poses.stride = 6 + job.max_fragments;
  place(poses.variables, num_poses * poses.stride);
  place(poses.inter, num_poses);
  place(poses.intra, num_poses);
  place(poses.bumps, num_poses);
  place(poses.terms, 5 * num_poses);
  place(poses.positions, 3 * job.max_atoms * num_poses);
  place(job.traits, job.num_ligands * job.max_atoms);
  place(job.memory, memory_floats(queue, job));
  return used;
}

}  // namespace quarry::dock
