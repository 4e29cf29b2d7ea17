/// The match engine on emulated devices: every stage and every mode, byte for byte what the host finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "match/batch/batch_store.hpp"
#include "match/collect.hpp"
#include "match/environments/kind_rows.hpp"
#include "match/steps.hpp"
#include "support/molecules/match_cases.hpp"
#include "support/molecules/random_molecules.hpp"
#include "support/random.hpp"
#include "support/shapes.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

using match::Mode;

/// Molecules of one word and of several; queries with `$()`, component groups and, where wanted, stereo marks.
MatchCase mixed_case(std::uint64_t seed, bool stereo = false) {
  Random random(seed);
  MatchCase made;
  made.molecules = small_molecules(random, rounds(12), stereo);
  for (Molecule& molecule : edge_molecules(random, sized(3, 1), stereo)) made.molecules.push_back(std::move(molecule));
  PatternShape shape;
  shape.stereo = stereo;
  shape.max_atoms = 6;
  made.patterns = random_patterns(random, 70, made.molecules, shape);  // more than one word of queries
  return made;
}

/// What the stages leave in memory, where it means something.
struct Stages {
  std::vector<std::uint64_t> masks, live, needed, out_of_budget;
  std::vector<Index> pair_offsets, initial, refined;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::vector<std::tuple<Index, int, int>> results;
  std::vector<std::uint32_t> mappings;
  bool operator==(const Stages&) const = default;
};

template <class T>
auto downloaded(Queue& queue, View<T> view) {
  std::vector<std::remove_const_t<T>> copy(view.size());
  if (queue.on_host()) {
    copy.assign(view.begin(), view.end());
  } else if (!copy.empty()) {
    queue.stream()->download(copy.data(), view.data(), view.size() * sizeof(T));
  }
  return copy;
}

/// The masks of each molecule without the bits beyond its atoms, and its relations.
std::vector<std::uint64_t> meaningful_masks(const match::PlanView& plan, const match::BatchView& host_batch,
                                            std::vector<std::uint64_t> masks) {
  for (Index m = 0; m < host_batch.graphs.num_graphs(); ++m) {
    const Index atoms = host_batch.graphs.num_nodes(m), words = words_for(atoms);
    const std::uint64_t valid = ~std::uint64_t{0} >> (words * kWordBits - atoms);
    for (Index mask = 0; mask < plan.num_masks(); ++mask) {
      std::uint64_t* words_of_mask = masks.data() + host_batch.region_offsets[m] + mask * words;
      words_of_mask[words - 1] &= valid;
    }
  }
  return masks;
}

class Staged {
 public:
  Staged(const MatchCase& made, const match::Options& options, const DeviceId& device_id)
      : queue_(device_id),
        library_(Library::from_molecules(made.molecules)),
        options_(options),
        plan_(match::make_plan(query_set(made.patterns), options)),
        kind_rows_(plan_),
        environments_(plan_) {
    environments_.set_kinds(kind_rows_, chunk_of(library_, 0).kind_table);
    std::vector<Index> molecules(library_.num_molecules());
    std::iota(molecules.begin(), molecules.end(), Index{0});
    input_.load(plan_, chunk_of(library_, 0), environments_, molecules);
    device_plan_ = plan_.view();
    match::add_plan(parcel_, device_plan_);
    parcel_.send(queue_);
  }

  Stages stages() {
    Stages all;
    store_.send(queue_, plan_.view(), input_, options_.pair_budget);
    const match::BatchView& batch = store_.view();
    match::find_candidates(queue_, device_plan_, batch);
    all.needed = downloaded(queue_, batch.needed);
    match::refine(queue_, device_plan_, batch);
    match::map_pairs(queue_, device_plan_, batch);
    store_.reserve_pairs(queue_);
    match::write_pairs(queue_, device_plan_, batch);
    match::count_embeddings(queue_, device_plan_, batch, 1 << 20, store_.results(), {}, {});
    all.masks = meaningful_masks(plan_.view(), input_.view(), downloaded(queue_, batch.masks));
    all.live = downloaded(queue_, batch.live);
    all.out_of_budget = written_words(downloaded(queue_, batch.out_of_budget));
    all.pair_offsets = downloaded(queue_, batch.pair_offsets);
    for (const match::Pair& pair : downloaded(queue_, batch.pairs)) all.pairs.emplace_back(pair.molecule, pair.query);
    for (const auto& result : downloaded(queue_, store_.results())) {
      all.results.emplace_back(result.embeddings, result.truncated, result.timeout);
    }
    Buffer<Index> initial(queue_, batch.num_molecules()), refined(queue_, batch.num_molecules());
    match::count_candidates(queue_, device_plan_, batch, initial.view(), refined.view());
    all.initial = downloaded(queue_, initial.view());
    all.refined = downloaded(queue_, refined.view());
    match::Result result;
    result.hit_offsets.push_back(0);
    result.mapping_offsets.push_back(0);
    match::Options store = options_;
    store.mode = Mode::all;
    EXPECT_TRUE(match::collect_hits(queue_, plan_.view(), device_plan_, store, store_.fetch(queue_, Index{1} << 30),
                                    INT64_MAX, result));
    all.mappings = result.mappings;
    return all;
  }

 private:
  /// `out_of_budget` has bits for recursive patterns only; the words after them are never written.
  std::vector<std::uint64_t> written_words(std::vector<std::uint64_t> out_of_budget) const {
    const match::PlanView plan = plan_.view();
    for (Index w = 0; w < std::ssize(out_of_budget); ++w) {
      if (w % plan.need_words >= words_for(plan.num_recursive)) out_of_budget[w] = 0;
    }
    return out_of_budget;
  }

  Queue queue_;
  Library library_;
  match::Options options_;
  match::Plan plan_;
  match::KindRows kind_rows_;
  match::EnvironmentRows environments_;
  match::BatchInput input_;
  match::PlanView device_plan_;
  Parcel parcel_;
  match::BatchStore store_;
};

class MatchLanes : public ::testing::TestWithParam<int> {};

TEST_P(MatchLanes, EveryStageLeavesWhatATeamOfOneLeaves) {
  for (const bool stereo : {false, true}) {
    const MatchCase made = mixed_case(0x1A9E + GetParam(), stereo);
    for (const int refine : {0, 3}) {
      for (const Index budget : {0, 6}) {
        match::Options options;
        options.refine = refine;
        options.pair_budget = budget;
        options.chirality = stereo;
        const Stages host = Staged(made, options, {}).stages();
        const Stages lanes = Staged(made, options, {Api::emulated, GetParam()}).stages();
        EXPECT_FALSE(host.pairs.empty());
        EXPECT_EQ(host.needed, lanes.needed);
        EXPECT_EQ(host.masks, lanes.masks);
        EXPECT_EQ(host.live, lanes.live);
        EXPECT_EQ(host.out_of_budget, lanes.out_of_budget);
        EXPECT_TRUE(host == lanes) << "refine " << refine << ", budget " << budget << ", stereo " << stereo;
        if (HasFailure()) return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, MatchLanes, ::testing::ValuesIn(settings({1, 2, 64, 32, 7})));

/// The options of a run, on the host and on the device.
void expect_same(const MatchCase& made, match::Options options, const std::string& device) {
  options.device = "host";
  const match::Result host = run_match(made.molecules, made.patterns, options);
  options.device = device;
  EXPECT_TRUE(same_result(host, run_match(made.molecules, made.patterns, options))) << device;
}

TEST(MatchDevice, EveryModeFindsWhatTheHostFinds) {
  const MatchCase made = mixed_case(0xDE71CE, /*stereo=*/true);
  for (const Mode mode : {Mode::first, Mode::all, Mode::count, Mode::unique}) {
    match::Options options = in_mode(mode);
    expect_same(made, options, "emulated:32");
    options.max_matches = 3;
    expect_same(made, options, "emulated:5");
    options.max_matches = 0;
    options.pair_budget = 9;
    expect_same(made, options, "emulated:8");
    options.chirality = true;
    options.refine = 2;
    expect_same(made, options, "emulated:8");
  }
}

/// The host, with which the other tests compare, is one of the devices here.
TEST(MatchDevice, EveryModeFindsWhatBruteForceFinds) {
  const MatchCase made = random_match_case(0xDE7A, rounds(40));
  const Truth truth(made.molecules, made.patterns);
  for (const char* device : settings({"host", "emulated:1", "emulated:32", "emulated:3,8"})) {
    match::Options options;
    options.device = device;
    expect_truth(made.molecules, made.patterns, truth, options);
    if (HasFailure()) return;
  }
}

/// In a molecule of three words a lane reads what others have found of ring systems. ThreadSanitizer sees where it does
/// not wait for them, also in builds that try few cases.
TEST(MatchDevice, LanesShareTheWordsOfALargeMolecule) {
  const std::vector<Pattern> patterns = {pattern_of_shape(cycle(4)), pattern_of_shape(grid(2, 3))};
  match::Options options = in_mode(Mode::count);
  for (const char* device : {"host", "emulated:2", "emulated:7"}) {
    options.device = device;
    const match::Result result = run_match({grid(12, 12)}, patterns, options);
    ASSERT_EQ(result.hits.size(), 2U) << device;
    EXPECT_EQ(result.hits[0].embeddings, 11 * 11 * 8) << device << ": squares, and their symmetries";
    EXPECT_EQ(result.hits[1].embeddings, 2 * 10 * 11 * 4) << device << ": two of them side by side, in both directions";
  }
}

TEST(MatchDevice, SeveralDevicesShareSmallBatches) {
  const MatchCase made = mixed_case(0x5EFE7A1);
  match::Options options = in_mode(Mode::all);
  options.max_matches = 50;  // few enough that each device can hold the embeddings of a pair
  for (const Index bytes : {400'000, 2'000'000}) {
    options.device_bytes = bytes;
    expect_same(made, options, "emulated:3,8");
  }
}

TEST(MatchDevice, MoleculeThatDoesNotFitIsNamedWithTheOption) {
  const MatchCase made = mixed_case(1);
  match::Options options = in_mode(Mode::first);
  options.device = "emulated:2";
  options.device_bytes = 1000;
  const auto message = message_of<CapacityError>([&] { run_match(made.molecules, made.patterns, options); });
  for (const char* part : {"emulated:2", "device_bytes", "limit is 1000"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace quarry::test
