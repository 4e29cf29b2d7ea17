/// Devices that fail: a run ends with one sentence, and what it delivered until then is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "match/collect.hpp"
#include "support/environment.hpp"
#include "support/molecules/match_cases.hpp"
#include "support/molecules/random_molecules.hpp"
#include "support/shapes.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

using match::Mode;

/// A library of several chunks, hence of several tasks, and queries.
struct StoredCase {
  TemporaryFolder folder;
  Library library;
  QuerySet queries;
};

StoredCase several_tasks(std::uint64_t seed) {
  constexpr int kChunks = 3;
  Random random(seed);
  TemporaryFolder folder;
  std::vector<Molecule> all;
  LibraryWriter writer(folder.file("chunks.qlib"), {});
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    std::vector<Molecule> molecules = small_molecules(random, rounds(10));
    for (Molecule& molecule : edge_molecules(random, 2)) molecules.push_back(std::move(molecule));
    writer.append(Library::from_molecules(molecules));
    all.insert(all.end(), molecules.begin(), molecules.end());
  }
  writer.finish();
  PatternShape shape;
  shape.max_atoms = 5;
  Library library = Library::open(folder.file("chunks.qlib"));
  return {std::move(folder), std::move(library), query_set(random_patterns(random, 40, all, shape))};
}

match::Options on(const std::string& device, Mode mode, Index device_bytes = 0) {
  match::Options options;
  options.device = device;
  options.mode = mode;
  options.device_bytes = device_bytes;
  options.max_matches = 200;
  return options;
}

/// What a run delivers until it ends or fails.
struct Outcome {
  match::Result result;
  std::string error;  ///< empty where there was none
};

Outcome outcome_of(match::Matcher& matcher, const Library& library) {
  Outcome outcome;
  outcome.result.hit_offsets.push_back(0);
  try {
    matcher.run(library, [&](const match::Result& part) {
      EXPECT_EQ(part.first_molecule, outcome.result.num_molecules());
      if (outcome.result.mapping_offsets.empty()) outcome.result.mapping_offsets.push_back(0);
      match::append_result(outcome.result, part);
    });
  } catch (const DeviceError& error) {
    outcome.error = error.what();
  }
  return outcome;
}

Outcome outcome_of(const StoredCase& made, const match::Options& options) {
  try {
    match::Matcher matcher(made.queries, options);
    return outcome_of(matcher, made.library);
  } catch (const DeviceError& error) {  // the device did not even take the plan
    return {{0, {0}, {}, {}, {}}, error.what()};
  }
}

/// What was delivered is what the host finds, as far as it goes.
void expect_beginning(const match::Result& part, const match::Result& whole) {
  const auto begins = [](const auto& some, const auto& all) {
    return some.size() <= all.size() && std::equal(some.begin(), some.end(), all.begin());
  };
  EXPECT_TRUE(begins(part.hit_offsets, whole.hit_offsets));
  EXPECT_TRUE(begins(part.hits, whole.hits));
  EXPECT_TRUE(begins(part.mappings, whole.mappings));
}

/// The device is lost after 0, 1, 2, ... operations, until it lasts to the end.
void lose_at_every_operation(const std::string& devices, const std::string& lost, Mode mode) {
  const StoredCase made = several_tasks(0x105E);
  const match::Result truth = match::run(made.library, made.queries, on("host", mode));
  Outcome outcome;
  int operations = 0;
  for (;; ++operations) {
    const Environment fault("QUARRY_EMULATED_" + lost + "_LOST_AFTER", std::to_string(operations));
    outcome = outcome_of(made, on(devices, mode, 3'000'000));
    expect_beginning(outcome.result, truth);
    if (outcome.error.empty()) break;
    EXPECT_NE(outcome.error.find("emulated:" + lost + " could not "), std::string::npos) << outcome.error;
    EXPECT_NE(outcome.error.find("the device is lost"), std::string::npos) << outcome.error;
    ASSERT_FALSE(::testing::Test::HasFailure()) << operations << " operations";
  }
  EXPECT_EQ(outcome.result.hits, truth.hits);
  EXPECT_EQ(outcome.result.mappings, truth.mappings);
  EXPECT_GT(operations, 30) << "every operation of a batch failed once";
}

TEST(MatchFaults, LostDeviceEndsTheRunWhereverItHappens) {
  lose_at_every_operation("emulated:2", "2", Mode::count);
  lose_at_every_operation("emulated:2", "2", Mode::all);
}

TEST(MatchFaults, OneOfTwoDevicesIsLost) { lose_at_every_operation("emulated:3,1", "3", Mode::first); }

TEST(MatchFaults, OutOfMemoryNamesTheNumbersAndTheOption) {
  const StoredCase made = several_tasks(0x00F);
  const Environment fault("QUARRY_EMULATED_2_BYTES", "60000");
  const Outcome outcome = outcome_of(made, on("emulated:2", Mode::first, 64 << 20));  // more than there is
  for (const char* part : {"emulated:2 has no room for ", "of 60000 are free", "device_bytes"}) {
    EXPECT_NE(outcome.error.find(part), std::string::npos) << outcome.error;
  }
  expect_beginning(outcome.result, match::run(made.library, made.queries, on("host", Mode::first)));
}

/// What the first molecule needs of a device, as the error says.
Index least_memory(const Library& library, const QuerySet& queries, const std::string& device) {
  const match::Options options = on(device, Mode::count, 1);
  const std::string message = message_of<CapacityError>([&] { std::ignore = match::run(library, queries, options); });
  const std::string needs = "the job needs ";
  const auto at = message.find(needs);
  return at == std::string::npos ? 0 : std::stoll(message.substr(at + needs.size()));
}

TEST(MatchFaults, LimitOfMemoryHoldsToTheByte) {
  Random random(0xB17E);
  const std::vector<Molecule> one = {random_molecule(random, 70)};
  const Library library = Library::from_molecules(one);
  const QuerySet queries = query_set(random_patterns(random, 20, one, {}));
  const Index least = least_memory(library, queries, "emulated:2");
  const match::Result truth = match::run(library, queries, on("host", Mode::count));
  for (const Index more : {0, 1}) {
    EXPECT_TRUE(same_result(match::run(library, queries, on("emulated:2", Mode::count, least + more)), truth));
  }
  EXPECT_THROW(std::ignore = match::run(library, queries, on("emulated:2", Mode::count, least - 1)), CapacityError);
}

TEST(MatchFaults, RunKeepsToTheMemoryThatItIsGiven) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const StoredCase made = several_tasks(seed);
    const Index least = least_memory(made.library, made.queries, "emulated:2");
    ASSERT_GT(least, 100'000);
    for (const Mode mode : {Mode::first, Mode::all}) {
      const match::Result truth = match::run(made.library, made.queries, on("host", mode));
      for (const Index bytes : {3 * least, 4 * least, 9 * least}) {  // the first molecule is not the largest
        const Environment limit("QUARRY_EMULATED_2_BYTES", std::to_string(bytes));
        EXPECT_TRUE(same_result(match::run(made.library, made.queries, on("emulated:2", mode, bytes)), truth)) << bytes;
      }
    }
  }
}

TEST(MatchFaults, MatcherRunsAgainAfterARunThatWasBroken) {
  const StoredCase made = several_tasks(0xA6A1);
  const match::Result truth = match::run(made.library, made.queries, on("host", Mode::count));
  for (const char* device : {"host", "emulated:2"}) {
    match::Matcher matcher(made.queries, on(device, Mode::count, 3'000'000));
    EXPECT_THROW(matcher.run(made.library, [](const match::Result&) { throw std::runtime_error("enough"); }),
                 std::runtime_error);
    const Outcome outcome = outcome_of(matcher, made.library);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.result.hits, truth.hits);
  }
}

/// A device without room for the embeddings of a pair leaves the molecule to the host.
TEST(MatchFaults, EmbeddingsThatADeviceHasNoRoomForAreFoundAllTheSame) {
  const std::vector<Molecule> molecules = {star(3), star(14), star(5)};  // 14 leaves hold the pattern 240,240 times
  const Pattern pattern = pattern_of_shape(star(5));
  constexpr Index kDeviceBytes = 4'000'000;
  static_assert(4 * 6 * 240'240 > kDeviceBytes, "in both modes, for sets become unique on the host");
  for (const Mode mode : {Mode::all, Mode::unique}) {
    match::Options options = on("emulated:2", mode, kDeviceBytes);
    options.max_matches = 0;
    const match::Result result = run_match(molecules, {pattern}, options);
    ASSERT_EQ(result.hits.size(), 2U);
    EXPECT_EQ(result.hits[0].embeddings, mode == Mode::all ? 240'240 : 2'002);
    options.device = "host";
    EXPECT_TRUE(same_result(result, run_match(molecules, {pattern}, options)));
  }
}

/// The embeddings of one molecule, which no batch can cut, are more than a device has room for at once.
TEST(MatchFaults, EmbeddingsThatADeviceWritesInSeveralRuns) {
  constexpr Index kDeviceBytes = Index{1} << 20;
  const std::vector<Molecule> molecules = {star(9), chain(60), star(9)};
  std::vector<Pattern> patterns;  // each has 3,024 embeddings of five atoms, of which one or the other is the centre
  for (std::uint32_t i = 0; i < 40; ++i) {
    Molecule shape = star(4);
    const std::uint32_t centre = i * i % 7 % 5;
    for (std::uint32_t leaf = 0; leaf < 4; ++leaf) {
      const std::uint32_t end = leaf < centre ? leaf : leaf + 1;
      shape.bonds[leaf] = {std::min(centre, end), std::max(centre, end), shape.bonds[leaf].kind};
    }
    patterns.push_back(pattern_of_shape(shape));
  }
  for (const Mode mode : {Mode::all, Mode::unique}) {
    match::Options options = on("emulated:2", mode, kDeviceBytes);
    options.max_matches = 0;
    const match::Result result = run_match(molecules, patterns, options);
    options.device = "host";
    EXPECT_TRUE(same_result(result, run_match(molecules, patterns, options)));
    if (mode == Mode::unique) continue;
    const Index bytes_per_pair = 4 * 5 * result.hits.at(0).embeddings;
    EXPECT_LT(4 * bytes_per_pair, kDeviceBytes) << "one pair fits";
    EXPECT_GT(bytes_per_pair * std::ssize(patterns), 2 * kDeviceBytes) << "those of a molecule do not";
  }
}

}  // namespace
}  // namespace quarry::test
