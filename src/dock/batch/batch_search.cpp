#include "dock/batch/batch_search.hpp"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "dock/batch/job_memory.hpp"
#include "exec/parallel.hpp"
#include "util/check.hpp"

namespace quarry::dock {

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void SearchWorker::for_each_ligand(Index count, const std::function<void(Index)>& action) {
  constexpr Index kGrain = 4;
  const auto caller = std::this_thread::get_id();
  std::atomic<double> seconds{0};
  parallel_for_range(host_threads, count, kGrain, [&](Index begin, Index end) {
    const double start = processor_seconds();
    for (Index i = begin; i < end; ++i) action(i);
    if (std::this_thread::get_id() != caller) seconds += processor_seconds() - start;
  });
  helper_seconds += seconds;
}

BatchSearch::BatchSearch(SearchWorker& worker, const PackedLigands& ligands, Form form, Index num_poses)
    : worker_(worker), fetched_(worker.fetched), packed_(ligands) {
  job_.ligands = ligands.view();
  job_.num_ligands = std::ssize(packed_.headers);
  job_.form = form;
  job_.max_atoms = 1;
  for (const LigandHeader& header : packed_.headers) {
    job_.max_atoms = std::max<Index>(job_.max_atoms, header.num_atoms);
    job_.max_fragments = std::max<Index>(job_.max_fragments, header.num_fragments);
  }
  worker_.ligands.add(job_.ligands.headers);
  worker_.ligands.add(job_.ligands.atoms);
  worker_.ligands.add(job_.ligands.fragments);
  worker_.ligands.add(job_.ligands.partners);
  worker_.ligands.send(worker_.queue);
  job_.poses.per_ligand = num_poses;
  worker_.memory.resize(worker_.queue, lay_out(worker_.queue, job_, nullptr));
}

void BatchSearch::set_count(Index count) {
  job_.poses.per_ligand = count;
  const Index bytes = lay_out(worker_.queue, job_, worker_.memory.view().data());
  QUARRY_CHECK(bytes <= worker_.memory.size(), "a search has more poses than it said");
}

template <class T>
void BatchSearch::fetch(std::vector<T>& to, View<T> from) {
  to.resize(from.size());
  download(worker_.queue, std::span(to), from);
}

void BatchSearch::load(const PosesOfLigands& poses) {
  Index count = 1;
  for (const auto& own : poses) count = std::max(count, std::ssize(own));
  set_count(count);
  const Index stride = job_.poses.stride;
  fetched_.variables.assign(job_.poses.variables.size(), 0);
  auto out = fetched_.variables.begin();
  for (const auto& own : poses) {
    for (Index i = 0; i < count; ++i, out += stride) {
      const auto& variables = own[std::min(i, std::ssize(own) - 1)].variables;
      std::copy(variables.begin(), variables.end(), out);
    }
  }
  upload(worker_.queue, job_.poses.variables, std::span<const float>(fetched_.variables));
}

void BatchSearch::store(PosesOfLigands& poses, bool with_bumps) {
  place_poses(worker_.queue, job_);
  fetch(fetched_.variables, job_.poses.variables);
  fetch(fetched_.inter, job_.poses.inter);
  fetch(fetched_.intra, job_.poses.intra);
  fetch(fetched_.bumps, job_.poses.bumps);
  fetch(fetched_.positions, job_.poses.positions);
  const Index stride = job_.poses.stride;
  worker_.for_each_ligand(std::ssize(poses), [&](Index l) {
    const LigandHeader& header = packed_.headers[l];
    for (Index i = 0; i < std::ssize(poses[l]); ++i) {
      Candidate& pose = poses[l][i];
      const Index from = l * job_.poses.per_ligand + i;
      const float* const variables = fetched_.variables.data() + from * stride;
      const float* const positions = fetched_.positions.data() + from * 3 * job_.max_atoms;
      pose.variables.assign(variables, variables + 6 + header.num_fragments);
      pose.positions.assign(positions, positions + 3 * header.num_atoms);
      pose.inter = fetched_.inter[from];
      pose.intra = fetched_.intra[from];
      if (with_bumps) pose.bumps = fetched_.bumps[from];
    }
  });
}

void BatchSearch::minimise(PosesOfLigands& poses, int rounds) {
  load(poses);
  minimise_poses(worker_.queue, job_, *worker_.pocket, rounds);
  store(poses, true);
}

void BatchSearch::refine(PosesOfLigands& poses, int rounds) {
  load(poses);
  refine_poses(worker_.queue, job_, *worker_.pocket, rounds);
  store(poses, false);
  score_poses(worker_.queue, job_, *worker_.pocket);
  fetch(fetched_.terms, job_.poses.terms);
  for (Index l = 0; l < std::ssize(poses); ++l) {
    for (Index i = 0; i < std::ssize(poses[l]); ++i) {
      const float* const own = fetched_.terms.data() + 5 * (l * job_.poses.per_ligand + i);
      poses[l][i].terms = {own[0], own[1], own[2], own[3], own[4]};
    }
  }
}

PosesOfLigands BatchSearch::search(const SearchOptions& options, int restarts) {
  SearchPlan plan;
  plan.seed = options.seed;
  plan.iterations = options.iterations;
  set_count(restarts);
  search_poses(worker_.queue, job_, *worker_.pocket, plan);
  minimise_poses(worker_.queue, job_, *worker_.pocket, kSearchRounds);
  PosesOfLigands poses(packed_.headers.size());
  worker_.for_each_ligand(std::ssize(poses), [&](Index l) {
    poses[l].resize(restarts);
    for (int i = 0; i < restarts; ++i) poses[l][i].restart = i;
  });
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
  dock::run_chains(worker_.queue, job_, *worker_.pocket, plan);
  store(chains, true);
  return chains;
}

}  // namespace quarry::dock
