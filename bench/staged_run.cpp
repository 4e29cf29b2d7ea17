#include "bench/staged_run.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "bench/stopwatch.hpp"
#include "match/collect.hpp"
#include "match/steps.hpp"

namespace quarry::bench {
namespace {

// As the engine cuts tasks for a device, and for the host, where a batch must stay in cache.
constexpr Index kDeviceMolecules = 8192, kHostMolecules = 8;

}  // namespace

double StagedTimes::launch_seconds() const {
  double sum = 0;
  for (const LaunchTime& launch : launches) sum += launch.seconds;
  return sum;
}

StagedRun::StagedRun(const Library& library, const QuerySet& queries, const match::Options& options,
                     const DeviceId& device_id)
    : plan_(match::make_plan(queries, options)),
      environments_(plan_),
      num_molecules_(library.num_molecules()),
      queue_(device_id),
      device_plan_(plan_.view()) {
  match::KindRows rows(plan_);
  const Index batch = queue_.on_host() ? kHostMolecules : kDeviceMolecules;
  for (Index chunk = 0; chunk < library.num_chunks(); ++chunk) {
    environments_.set_kinds(rows, chunk_of(library, chunk).kind_table);
    for (Index first = 0; first < library.num_molecules(chunk); first += batch) {
      std::vector<Index> molecules(std::min(batch, library.num_molecules(chunk) - first));
      std::iota(molecules.begin(), molecules.end(), first);
      inputs_.emplace_back().load(plan_, chunk_of(library, chunk), environments_, molecules);
    }
  }
  match::add_plan(parcel_, device_plan_);
  parcel_.send(queue_);
}

void StagedRun::send(const match::BatchInput& input) {
  store_.send(queue_, plan_.view(), input, 0);
  queue_.finish();
}

match::FoundPairs StagedRun::search(const match::Options& options) {
  const match::BatchView& batch = store_.view();
  match::find_candidates(queue_, device_plan_, batch);
  match::refine(queue_, device_plan_, batch);
  match::map_pairs(queue_, device_plan_, batch);
  store_.reserve_pairs(queue_);
  match::write_pairs(queue_, device_plan_, batch);
  match::count_embeddings(queue_, device_plan_, batch, match::search_limit(options), store_.results(), {}, {});
  const match::FoundPairs found = store_.fetch(queue_, 0);
  queue_.finish();
  return found;
}

StagedTimes StagedRun::run(const match::Options& options) {
  StagedTimes times;
  queue_.forget_times();
  for (const match::BatchInput& input : inputs_) {
    send(input);
    const ProcessStopwatch stopwatch;
    const match::FoundPairs found = search(options);
    times.seconds += stopwatch.seconds().wall;
    match::apply_caps(options, plan_.view(), found);
    for (const match::PairResult& pair : found.results) {
      times.hits += pair.embeddings > 0 ? 1 : 0;
      times.embeddings += pair.embeddings;
    }
  }
  times.launches = queue_.launch_times();
  return times;
}

}  // namespace quarry::bench
