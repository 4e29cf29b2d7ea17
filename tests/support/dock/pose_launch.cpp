#include "support/dock/pose_launch.hpp"

#include <algorithm>
#include <utility>

#include "dock/batch/job_memory.hpp"

namespace quarry::test {

PoseLaunch::PoseLaunch(const Receptor& receptor, Ligand ligand, const dock::Box& box)
    : ligand_(std::move(ligand)),
      map_(dock::pack(ligand_, ligand_.conformers[0], packed_)),
      pocket_(receptor, box, dock::Scoring::vina, 1),
      device_pocket_(pocket_.view()),
      worker_(1) {
  dock::add_views(shared_, device_pocket_);
  shared_.send(worker_.queue);
  job_.ligands = packed_.view();
  job_.max_atoms = packed().num_atoms;
  job_.max_fragments = packed().num_fragments;
  worker_.ligands.add(job_.ligands.headers);
  worker_.ligands.add(job_.ligands.atoms);
  worker_.ligands.add(job_.ligands.fragments);
  worker_.ligands.add(job_.ligands.partners);
  worker_.ligands.send(worker_.queue);
}

void PoseLaunch::resize(Index count) {
  job_.poses.per_ligand = count;
  worker_.memory.resize(worker_.queue, dock::lay_out(worker_.queue, job_, nullptr));
  dock::lay_out(worker_.queue, job_, worker_.memory.view().data());
}

void PoseLaunch::load(const LaunchedPoses& poses) {
  resize(std::ssize(poses));
  std::vector<float> variables;
  for (const LaunchedPose& pose : poses)
    variables.insert(variables.end(), pose.variables.begin(), pose.variables.end());
  upload(worker_.queue, job_.poses.variables, std::span<const float>(variables));
}

LaunchedPoses PoseLaunch::poses(bool with_bumps) {
  const auto fetched = [&]<class T>(View<T> from) {
    std::vector<T> to(from.size());
    download(worker_.queue, std::span(to), from);
    return to;
  };
  const std::vector<float> variables = fetched(job_.poses.variables), inter = fetched(job_.poses.inter),
                           intra = fetched(job_.poses.intra);
  LaunchedPoses all(job_.poses.per_ligand);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto first = variables.begin() + static_cast<std::ptrdiff_t>(i) * job_.poses.stride;
    all[i] = {std::vector<float>(first, first + job_.poses.stride), inter[i], intra[i], 0};
  }
  if (with_bumps) {
    const std::vector<std::int32_t> bumps = fetched(job_.poses.bumps);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].bumps = bumps[i];
  }
  return all;
}

LaunchedPoses PoseLaunch::search(const dock::SearchPlan& plan, Index count) {
  resize(count);
  dock::search_poses(worker_.queue, job_, device_pocket_, plan);
  return poses(false);
}

LaunchedPoses PoseLaunch::minimise(const LaunchedPoses& starts, int rounds) {
  load(starts);
  dock::minimise_poses(worker_.queue, job_, device_pocket_, rounds);
  return poses(true);
}

LaunchedPoses PoseLaunch::run_chains(const LaunchedPoses& starts, const dock::SearchPlan& plan) {
  load(starts);
  dock::run_chains(worker_.queue, job_, device_pocket_, plan);
  return poses(true);
}

}  // namespace quarry::test
