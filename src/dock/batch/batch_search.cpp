#include "dock/batch/batch_search.hpp"

#include <algorithm>

namespace quarry::dock {

BatchSearch::BatchSearch(SearchWorker& worker, const PackedLigands& ligands, bool ligand_per_team)
    : worker_(worker), packed_(ligands), ligand_per_team_(ligand_per_team), ligands_(ligands.view()) {
  for (const LigandHeader& header : packed_.headers) {
    max_atoms_ = std::max<Index>(max_atoms_, header.num_atoms);
    max_fragments_ = std::max<Index>(max_fragments_, header.num_fragments);
  }
  worker_.ligands.add(ligands_.headers);
  worker_.ligands.add(ligands_.atoms);
  worker_.ligands.add(ligands_.fragments);
  worker_.ligands.add(ligands_.pair_offsets);
  worker_.ligands.add(ligands_.pairs);
  worker_.ligands.send(worker_.queue);
}

PoseJob BatchSearch::job() {
  Queue& queue = worker_.queue;
  const Index num_ligands = std::ssize(packed_.headers), num_poses = num_ligands * count_;
  const Index stride = 6 + max_fragments_;
  worker_.variables.resize(queue, num_poses * stride);
  worker_.inter.resize(queue, num_poses);
  worker_.intra.resize(queue, num_poses);
  worker_.bumps.resize(queue, num_poses);
  worker_.terms.resize(queue, 5 * num_poses);
  worker_.positions.resize(queue, num_poses * 3 * max_atoms_);
  PoseJob job{ligands_,
              {count_, stride, worker_.variables.view(), worker_.inter.view(), worker_.intra.view(),
               worker_.bumps.view(), worker_.terms.view(), worker_.positions.view()},
              num_ligands,
              max_atoms_,
              max_fragments_,
              ligand_per_team_,
              {}};
  worker_.memory.resize(queue, memory_floats(queue, job));
  job.memory = worker_.memory.view();
  return job;
}

void BatchSearch::load(const PosesOfLigands& poses) {
  const Index stride = 6 + max_fragments_;
  count_ = 1;
  for (const auto& own : poses) count_ = std::max(count_, std::ssize(own));
  variables_.assign(std::ssize(poses) * count_ * stride, 0);
  auto out = variables_.begin();
  for (const auto& own : poses) {
    for (Index i = 0; i < count_; ++i, out += stride) {
      const auto& variables = own[std::min(i, std::ssize(own) - 1)].variables;
      std::copy(variables.begin(), variables.end(), out);
    }
  }
  worker_.variables.upload(worker_.queue, variables_);
}

void BatchSearch::store(PosesOfLigands& poses, bool with_bumps) {
  const PoseJob done = job();
  place_poses(worker_.queue, done);
  const auto fetch = [&](auto& to, const auto& from) {
    to.resize(from.size());
    from.download(worker_.queue, std::span(to));
  };
  fetch(variables_, worker_.variables);
  fetch(inter_, worker_.inter);
  fetch(intra_, worker_.intra);
  fetch(bumps_, worker_.bumps);
  fetch(positions_, worker_.positions);
  const Index stride = done.poses.stride;
  for (Index l = 0; l < std::ssize(poses); ++l) {
    const LigandHeader& header = packed_.headers[l];
    for (Index i = 0; i < std::ssize(poses[l]); ++i) {
      Candidate& pose = poses[l][i];
      const Index from = l * count_ + i;
      const float* const variables = variables_.data() + from * stride;
      const float* const positions = positions_.data() + from * 3 * max_atoms_;
      pose.variables.assign(variables, variables + 6 + header.num_fragments);
      pose.positions.assign(positions, positions + 3 * header.num_atoms);
      pose.inter = inter_[from];
      pose.intra = intra_[from];
      if (with_bumps) pose.bumps = bumps_[from];
    }
  }
}

void BatchSearch::minimise(PosesOfLigands& poses, int rounds) {
  load(poses);
  minimise_poses(worker_.queue, job(), *worker_.pocket, rounds);
  store(poses, true);
}

void BatchSearch::refine(PosesOfLigands& poses, int rounds) {
  load(poses);
  refine_poses(worker_.queue, job(), *worker_.pocket, rounds);
  store(poses, false);
  worker_.atoms.resize(worker_.queue, std::ssize(packed_.atoms));
  score_poses(worker_.queue, job(), *worker_.pocket, worker_.atoms.view());
  std::vector<float> terms(worker_.terms.size());
  worker_.terms.download(worker_.queue, std::span(terms));
  for (Index l = 0; l < std::ssize(poses); ++l) {
    for (Index i = 0; i < std::ssize(poses[l]); ++i) {
      const float* const own = terms.data() + 5 * (l * count_ + i);
      poses[l][i].terms = {own[0], own[1], own[2], own[3], own[4]};
    }
  }
}

PosesOfLigands BatchSearch::search(const SearchOptions& options, int restarts) {
  SearchPlan plan;
  plan.seed = options.seed;
  plan.iterations = options.iterations;
  count_ = restarts;
  const PoseJob all = job();
  search_poses(worker_.queue, all, *worker_.pocket, plan);
  minimise_poses(worker_.queue, all, *worker_.pocket, kSearchRounds);
  PosesOfLigands poses(packed_.headers.size(), std::vector<Candidate>(restarts));
  for (auto& own : poses) {
    for (int i = 0; i < restarts; ++i) own[i].restart = i;
  }
  store(poses, true);
  return poses;
}

PosesOfLigands BatchSearch::run_chains(const PosesOfLigands& poses, const SearchOptions& options) {
  SearchPlan plan;
  plan.seed = options.seed;
  plan.chain_steps = options.chain_steps;
  PosesOfLigands chains(poses.size());
  for (std::size_t l = 0; l < poses.size(); ++l) {
    for (int i = 0; i < options.chains; ++i) chains[l].push_back(poses[l][i % poses[l].size()]);
  }
  load(chains);
  dock::run_chains(worker_.queue, job(), *worker_.pocket, plan);
  store(chains, true);
  return chains;
}

}  // namespace quarry::dock
