/// The engine `similar` on emulated devices: every job, bit for bit what the host and the plain form find, for any number
/// of lanes and any room.
#include <gtest/gtest.h>

#include "support/environment.hpp"
#include "support/least_bytes.hpp"
#include "support/molecules/random_smiles.hpp"
#include "support/molecules/similar_cases.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

using similar::Fingerprints;

similar::Options run_options_on(const std::string& device, Index device_bytes = 0) {
  similar::Options options;
  options.threads = 3;
  options.device = device;
  options.device_bytes = device_bytes;
  return options;
}

BothForms random_forms(std::uint64_t seed, Index size, int q) {
  Random random(seed);
  return both_forms(random_smiles_set(random, size, q), lingo(q));
}

Fingerprints random_set(std::uint64_t seed, Index size, int q) { return random_forms(seed, size, q).packed; }

/// Every job of the two sets, on the host and on the device.
void expect_same_answers(const Fingerprints& rows, const Fingerprints& columns, const similar::Options& device) {
  SCOPED_TRACE(device.device);
  for (const auto& [k, threshold] : {std::pair{Index{0}, 0.0}, {0, 0.35}, {6, 0.0}, {3, 0.2}, {100, 0.0}}) {
    EXPECT_TRUE(same_neighbours(similar::search(rows, columns, search_on_host(k, threshold)),
                                similar::search(rows, columns, search_on(device, k, threshold))))
        << "k " << k << ", threshold " << threshold;
  }
  EXPECT_TRUE(same_bits(whole_matrix(rows, columns, {}), whole_matrix(rows, columns, device)));
  const auto clusters = similar::cluster(rows, 0.4), found = similar::cluster(rows, 0.4, device);
  EXPECT_EQ(clusters.centroids, found.centroids);
  EXPECT_EQ(clusters.cluster_of, found.cluster_of);
  EXPECT_EQ(similar::pick(rows, 12, 3), similar::pick(rows, 12, 3, 1, device));
}

/// Every job of the two sets on the device, beside the plain form.
void expect_true_answers(const BothForms& rows, const BothForms& columns, const similar::Options& device) {
  SCOPED_TRACE(device.device);
  for (const auto& [k, threshold] : {std::pair{Index{0}, 0.35}, {6, 0.0}, {3, 0.2}})
    expect_nearest(rows, columns, search_on(device, k, threshold));
  EXPECT_TRUE(same_bits(whole_matrix(rows.packed, columns.packed, device), plain_matrix(rows.plain, columns.plain)));
  const auto clusters = similar::cluster(rows.packed, 0.4, device), plain = reference::cluster(rows.plain, 0.4);
  EXPECT_EQ(clusters.centroids, plain.centroids);
  EXPECT_EQ(clusters.cluster_of, plain.cluster_of);
  EXPECT_EQ(similar::pick(rows.packed, 12, 3, 1, device), reference::pick(rows.plain, 12, 3));
}

TEST(SimilarDevice, AnyNumberOfLanes) {
  for (const int q : {1, 4}) {
    const BothForms rows = random_forms(0xD1, 20, q), columns = random_forms(0xD2, 560, q);
    for (const char* lanes : settings({"1", "2", "32", "64", "7"})) {
      const auto options = run_options_on("emulated:" + std::string(lanes));
      expect_same_answers(rows.packed, columns.packed, options);
      expect_true_answers(rows, columns, options);
    }
  }
}

TEST(SimilarDevice, AProductOfBitsCountsWhatCountersDo) {
  for (const int q : {1, 4}) {
    // Rows beside a multiple of 8, columns beside one of 512; with few columns nearly every feature has a bitmap.
    const auto rows = random_set(0xDB, 9, q);
    for (const Index num_columns : {40, 530}) {
      const auto columns = random_set(0xDC, num_columns, q);
      const auto nearest = similar::search(rows, columns, search_on_host(3, 0.1));
      const auto clusters = similar::cluster(rows, 0.4);
      for (const char* lanes : settings({"1", "2", "32", "64", "7"})) {
        auto there = run_options_on("emulated:" + std::string(lanes), Index{8} << 20);
        for (const bool multiply : {false, true}) {
          there.multiply = multiply;
          EXPECT_TRUE(same_neighbours(nearest, similar::search(rows, columns, search_on(there, 3, 0.1)))) << lanes;
          EXPECT_EQ(clusters.cluster_of, similar::cluster(rows, 0.4, there).cluster_of) << lanes;
        }
      }
    }
  }
}

TEST(SimilarDevice, SeveralDevicesShareTheWork) {
  const BothForms rows = random_forms(0xD3, 60, 4), columns = random_forms(0xD4, 300, 4);
  expect_same_answers(rows.packed, columns.packed, run_options_on("emulated:2,3"));
  expect_true_answers(rows, columns, run_options_on("emulated:2,3"));
}

TEST(SimilarDevice, LittleRoomOnlyTakesLonger) {
  const BothForms rows = random_forms(0xD5, 50, 4), columns = random_forms(0xD6, 600, 4);
  expect_same_answers(rows.packed, columns.packed, run_options_on("emulated:2", Index{5} << 20));
  expect_true_answers(rows, columns, run_options_on("emulated:2", Index{5} << 20));
}

TEST(SimilarDevice, TheLeastRoomIsForOneRowAtATime) {
  const BothForms rows = random_forms(0xD5, 50, 4), columns = random_forms(0xD6, 600, 4);
  constexpr Index kEnough = Index{5} << 20;
  const auto search = [&](Index bytes) {
    expect_nearest(rows, columns, search_on(run_options_on("emulated:2", bytes), 3, 0.1));
  };
  const auto matrix = [&](Index bytes) {
    EXPECT_TRUE(same_bits(whole_matrix(rows.packed, columns.packed, run_options_on("emulated:2", bytes)),
                          plain_matrix(rows.plain, columns.plain)));
  };
  const Index for_search = least_bytes(kEnough, search), for_matrix = least_bytes(kEnough, matrix);
  EXPECT_LT(2 * for_search, kEnough);
  EXPECT_LT(2 * for_matrix, kEnough);
  search(for_search);
  matrix(for_matrix);
}

TEST(SimilarDevice, TooLittleRoomIsSaidWithTheNumbers) {
  const auto columns = random_set(0xD7, 600, 4);
  const auto options = run_options_on("emulated:2", 1 << 16);
  for (const std::string& message :
       {message_of<CapacityError>([&] { (void)similar::search(columns, columns, search_on(options, 0, 0.5)); }),
        message_of<CapacityError>([&] { whole_matrix(columns, columns, options); })}) {
    EXPECT_NE(message.find("on emulated:2 (or use the host)"), std::string::npos) << message;
  }
  EXPECT_THROW((void)similar::search(columns, columns, search_on(run_options_on("somewhere"), 0, 0.5)), InputError);
}

/// Runs a job on a device that is lost after 0, 1, 2, ... operations of a stream, until it lasts to the end.
template <class Job>
void lose_at_every_operation(Job&& job) {
  int operations = 0;
  for (bool lost = true; lost; ++operations) {
    const Environment fault("QUARRY_EMULATED_2_LOST_AFTER", std::to_string(operations));
    lost = false;
    try {
      job();
    } catch (const DeviceError& error) {
      lost = true;
      EXPECT_NE(std::string(error.what()).find("the device is lost"), std::string::npos) << error.what();
    }
    ASSERT_FALSE(::testing::Test::HasFailure()) << operations << " operations";
  }
  EXPECT_GT(operations, 6);
}

TEST(SimilarDevice, ALostDeviceEndsEveryJobWithASentence) {
  const auto rows = random_set(0xD8, 10, 4), columns = random_set(0xD9, 40, 4);
  for (const char* devices : {"emulated:2", "emulated:2,3"}) {
    const auto there = run_options_on(devices);
    const auto nearest = similar::search(rows, columns, search_on_host(3, 0.1));
    lose_at_every_operation(
        [&] { EXPECT_TRUE(same_neighbours(nearest, similar::search(rows, columns, search_on(there, 3, 0.1)))); });
    const auto values = whole_matrix(rows, columns, {});
    lose_at_every_operation([&] {
      std::vector<float> found;
      similar::matrix(
          rows, columns, [&](Index, std::span<const float> part) { found.assign(part.begin(), part.end()); }, there);
      EXPECT_TRUE(same_bits(values, found));
    });
    const auto picks = similar::pick(columns, 5);
    lose_at_every_operation([&] { EXPECT_EQ(picks, similar::pick(columns, 5, 0, 1, there)); });
  }
}

TEST(SimilarDevice, MemoryThatOthersTookIsSaid) {
  const auto columns = random_set(0xDA, 600, 4);
  const Environment small("QUARRY_EMULATED_2_BYTES", "100000");
  const auto message = message_of<DeviceError>(
      [&] { (void)similar::search(columns, columns, search_on(run_options_on("emulated:2", 1 << 30), 0, 0.5)); });
  EXPECT_NE(message.find("emulated:2 has no room for"), std::string::npos) << message;
}

}  // namespace
}  // namespace quarry::test
