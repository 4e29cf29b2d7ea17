/// What exec knows of devices: names, emulated teams, algorithms and parcels; on every device there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <thread>

#define QUARRY_EMULATED  // launches of this file are for the emulated device
#include "exec/algorithms.hpp"
#include "exec/device/atomic-inl.hpp"
#include "exec/device/item_algorithms.hpp"
#include "exec/launch.hpp"
#include "exec/parcel.hpp"
#include "exec/shared_array.hpp"
#include "quarry/device.hpp"
#include "support/environment.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

/// The host, an emulated device, and the one named for the tests.
std::vector<DeviceId> test_devices() {
  std::vector<DeviceId> devices = {{}, {Api::emulated, 5}};
  if (const char* named = std::getenv("QUARRY_TEST_DEVICE")) devices.push_back(find_devices(named)[0]);
  return devices;
}

TEST(Devices, AreNamedAsTheyAreWritten) {
  for (const char* name : {"host", "emulated:1", "emulated:64", "emulated:32,7"}) EXPECT_EQ(resolve_device(name), name);
  EXPECT_NE(resolve_device("auto"), "auto");
  EXPECT_EQ(devices().empty(), !why_no_devices().empty());
  if (devices().empty()) {
    EXPECT_EQ(resolve_device("auto"), "host");
  }
}

TEST(Devices, OthersAreRefusedByName) {
  for (const std::string name : {"", "gpu", "host:0", "emulated:", "emulated:0", "emulated:65", "emulated:x",
                                 "emulated:3,3", "emulated:3,", "emulated:-1", "emulated:99999999999"}) {
    const auto message = test::message_of<InputError>([&] { return resolve_device(name); });
    EXPECT_NE(message.find("device '" + name + "'"), std::string::npos) << message;
  }
  for (const std::string name : {"cuda:9999", "hip:9999", "sycl:9999"}) {
    const auto message = test::message_of<DeviceError>([&] { return resolve_device(name); });
    EXPECT_NE(message.find("device '" + name + "'"), std::string::npos) << message;
  }
}

/// What each lane of a team was told, by item and rank.
struct Answers {
  View<Index> sum, min, scan, any, ballot;
  int lanes;

  void operator()(Team auto& team, Index item) const {
    const Index value = value_of(item, team.rank()), at = item * lanes + team.rank();
    sum[at] = team.sum(value);
    min[at] = team.min(value);
    scan[at] = team.scan(value);
    any[at] = team.any(value == 3) ? 1 : 0;
    ballot[at] = static_cast<Index>(team.ballot(value > 10));
  }
  static Index value_of(Index item, Index rank) { return (item * 7 + rank * 5) % 23 - 4; }
};

TEST(EmulatedTeam, AgreesWithArithmetic) {
  for (const int lanes : {2, 3, 32, 64}) {
    constexpr Index kItems = 40;
    Queue queue(DeviceId{Api::emulated, lanes});
    std::vector<std::vector<Index>> out(5, std::vector<Index>(kItems * lanes));
    for_each_team(queue, "answers", kItems, {queue.lanes(), 0},
                  Answers{view_of(out[0]), view_of(out[1]), view_of(out[2]), view_of(out[3]), view_of(out[4]), lanes});
    for (Index item = 0; item < kItems; ++item) {
      Index sum = 0, min = INT64_MAX, any = 0;
      std::uint64_t ballot = 0;
      std::vector<Index> scan;
      for (int rank = 0; rank < lanes; ++rank) {
        const Index value = Answers::value_of(item, rank);
        scan.push_back(sum);
        sum += value;
        min = std::min(min, value);
        any |= value == 3 ? 1 : 0;
        ballot |= static_cast<std::uint64_t>(value > 10) << rank;
      }
      for (int rank = 0; rank < lanes; ++rank) {
        const auto at = static_cast<std::size_t>(item * lanes + rank);
        ASSERT_EQ(out[0][at], sum);
        ASSERT_EQ(out[1][at], min);
        ASSERT_EQ(out[2][at], scan[rank]);
        ASSERT_EQ(out[3][at], any);
        ASSERT_EQ(out[4][at], static_cast<Index>(ballot));
      }
    }
    queue.finish();
    ASSERT_EQ(queue.launch_times().size(), 1U);
    EXPECT_EQ(queue.launch_times()[0].label.name, "answers");
  }
}

TEST(EmulatedTeam, SharesScratchThatHoldsRubbish) {
  Queue queue(DeviceId{Api::emulated, 8});
  std::atomic<int> wrong = 0;
  for_each_team(queue, "scratch", 50, {8, 64}, [&](auto& team, Index) {
    const View<std::byte> scratch = team.scratch();
    wrong += scratch[team.rank()] == kGarbage ? 0 : 1;
    team.barrier();
    scratch[team.rank()] = static_cast<std::byte>(team.rank());
    team.barrier();
    wrong += scratch[(team.rank() + 1) % 8] == static_cast<std::byte>((team.rank() + 1) % 8) ? 0 : 1;
  });
  EXPECT_EQ(wrong, 0);
}

/// Whichever lanes skip a barrier: the program ends instead of hanging.
/// Each team waits for the one after it, and the last for the host.
struct WaitForTheNext {
  View<std::uint64_t> words;  ///< [teams + 1]

  void operator()(Team auto& team, Index item) const {
    if (team.rank() == 0) emulated::wait_for_change(words[item + 1], 0);
    team.barrier();
    const std::uint64_t next = emulated::load_acquire(words[item + 1]);
    team.barrier();
    if (team.rank() == 0) emulated::store_release(words[item], next + 1);
  }
};

TEST(EmulatedTeam, ThatStaysWaitsForOthersAndForTheHost) {
  for (const int lanes : {1, 3}) {
    constexpr Index kTeams = 4;
    Queue queue({Api::emulated, lanes});
    SharedArray<std::uint64_t> words(queue, kTeams + 1);
    Resident kernel = start_teams(queue, "wait", kTeams, {lanes, 0}, WaitForTheNext{words.view()});
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(emulated::load_acquire(words.host()[0]), 0u) << "the host has said nothing";
    emulated::store_release(words.host()[kTeams], 1);
    kernel.wait(queue);
    for (Index i = 0; i <= kTeams; ++i) EXPECT_EQ(words.host()[i], static_cast<std::uint64_t>(kTeams + 1 - i));
  }
}

TEST(EmulatedTeamDeathTest, EndsWhereLanesDoNotMeet) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // A lane leaves the kernel before the others wait, or after.
  for (const int skipping : {0, 2}) {
    for (const bool leaves_last : {false, true}) {
      const auto launch = [&] {
        Queue queue(DeviceId{Api::emulated, 3});
        for_each_team(queue, "unequal", 4, {3, 0}, [&](auto& team, Index) {
          const bool skips = team.rank() == skipping;
          if (skips == leaves_last) std::this_thread::sleep_for(std::chrono::milliseconds(200));
          if (!skips) team.barrier();
        });
      };
      EXPECT_DEATH(launch(), "lanes of a team wait at a barrier that others never reach") << skipping << leaves_last;
    }
  }
}

TEST(EmulatedTeam, OfOneGivesEveryItemOnce) {
  Queue queue(DeviceId{Api::emulated, 6});
  std::vector<std::atomic<int>> visits(100);
  for_each_team(queue, "single", 100, {1, 16},
                [&](auto& team, Index i) { visits[i] += team.scratch().size() == 16 ? 1 : 2; });
  for_each(queue, "items", 100, [&](Index i) { ++visits[i]; });
  for (const auto& count : visits) EXPECT_EQ(count, 2);
}

template <class T>
std::vector<T> contents(Queue& queue, const Buffer<T>& buffer) {
  std::vector<T> copy(buffer.size());
  buffer.download(queue, copy);
  return copy;
}

/// exec/algorithms.hpp, as the algorithms of items would do it.
struct ItemAlgorithms {
  static Index exclusive_scan(Queue& queue, View<Index> values) {
    Buffer<Index> room(queue, emulated::scan_room(values.size()));
    emulated::scan_by_items(queue, "scan", values, room.view());
    return *(values.end() - 1);
  }
  static Index select(Queue& queue, View<const std::uint8_t> flags, View<Index> devices) {
    Buffer<Index> room(queue, emulated::select_room(flags.size()));
    return emulated::select_by_items(queue, flags, devices, room.view())[0];
  }
};
struct DeviceAlgorithms {
  static constexpr auto exclusive_scan = quarry::exclusive_scan;
  static constexpr auto select = quarry::select;
};

template <class Tested>
void expect_plain_answers(const std::vector<DeviceId>& on) {
  test::Random random(0xA190);
  for (const DeviceId& device : on) {
    Queue queue(device);
    // A run of items has 64.
    for (const std::size_t n : {1, 2, 31, 63, 64, 65, 1000, 4095, 4096, 4097, 70'000}) {
      std::vector<Index> counts(n);
      std::vector<std::uint8_t> flags(n);
      for (std::size_t i = 0; i < n; ++i) {
        counts[i] = random.between(0, 1'000'000'000);
        flags[i] = random.between(0, 3) == 0 ? static_cast<std::uint8_t>(random.between(1, 255)) : 0;
      }
      Buffer<Index> sums, devices(queue, static_cast<Index>(n));
      sums.upload(queue, counts);
      const Index last = Tested::exclusive_scan(queue, sums.view());
      std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), Index{0});
      EXPECT_EQ(contents(queue, sums), counts);
      EXPECT_EQ(last, counts.back());

      Buffer<std::uint8_t> device_flags;
      device_flags.upload(queue, flags);
      const Index selected = Tested::select(queue, device_flags.view(), devices.view());
      std::vector<Index> expected;
      for (std::size_t i = 0; i < n; ++i) {
        if (flags[i] != 0) expected.push_back(static_cast<Index>(i));
      }
      std::vector<Index> found = contents(queue, devices);
      found.resize(selected);
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(Algorithms, AgreeWithPlainLoopsOnEveryDevice) { expect_plain_answers<DeviceAlgorithms>(test_devices()); }

TEST(Algorithms, OfItemsAgreeWithPlainLoops) { expect_plain_answers<ItemAlgorithms>({{Api::emulated, 5}}); }

TEST(Parcel, SendsEveryArray) {
  std::vector<std::uint8_t> bytes = {1, 2, 3};
  std::vector<double> numbers(100, 0.5), nothing;
  for (const DeviceId& device : test_devices()) {
    Queue queue(device);
    Parcel parcel;
    for (int repeat = 0; repeat < 3; ++repeat) {
      View<const std::uint8_t> byte_view = view_of(bytes);
      View<const double> number_view = view_of(numbers), empty_view = view_of(nothing);
      parcel.add(byte_view);
      parcel.add(empty_view);
      parcel.add(number_view);
      parcel.send(queue);
      EXPECT_EQ(empty_view.size(), 0);
      if (queue.on_host()) continue;
      EXPECT_NE(static_cast<const void*>(number_view.data()), numbers.data());
      std::vector<std::uint8_t> sent_bytes(3);
      std::vector<double> sent_numbers(100);
      queue.stream()->download(sent_bytes.data(), byte_view.data(), 3);
      queue.stream()->download(sent_numbers.data(), number_view.data(), 800);
      EXPECT_EQ(sent_bytes, bytes);
      EXPECT_EQ(sent_numbers, numbers);
      numbers.resize(numbers.size() * 4, 0.25);
      numbers.resize(100);
    }
  }
}

TEST(Parcel, ForgetsWhatItCouldNotSend) {
  const test::Environment limit("QUARRY_EMULATED_4_BYTES", "1000");
  Queue queue(DeviceId{Api::emulated, 4});
  Parcel parcel;
  const std::vector<std::uint8_t> large(2000), small(100, 7);
  View<const std::uint8_t> large_view = view_of(large), small_view = view_of(small);
  parcel.add(large_view);
  const auto message = test::message_of<DeviceError>([&] { parcel.send(queue); });
  EXPECT_NE(message.find("no room for 2048 bytes more: 1000 of 1000 are free"), std::string::npos) << message;
  parcel.add(small_view);
  parcel.send(queue);
  EXPECT_EQ(parcel.num_bytes(), 128);
  EXPECT_EQ(large_view.data(), large.data());
  std::vector<std::uint8_t> sent(100);
  queue.stream()->download(sent.data(), small_view.data(), 100);
  EXPECT_EQ(sent, small);
}

TEST(EmulatedDevice, FreesWhatIsReleased) {
  const test::Environment limit("QUARRY_EMULATED_4_BYTES", "1000");
  Queue queue(DeviceId{Api::emulated, 4}), other(DeviceId{Api::emulated, 4});
  for (int repeat = 0; repeat < 3; ++repeat) {
    Buffer<std::uint8_t> first(queue, 600);
    EXPECT_EQ(device_facts(queue.device()).free_bytes, 400);
    EXPECT_THROW(Buffer<std::uint8_t>(other, 600), DeviceError) << "streams of a device share its memory";
    const Buffer<std::uint8_t> second(other, 400);
    EXPECT_EQ(device_facts(queue.device()).free_bytes, 0);
  }
}

TEST(EmulatedDevice, StaysLost) {
  const test::Environment fault("QUARRY_EMULATED_4_LOST_AFTER", "2");
  Queue queue(DeviceId{Api::emulated, 4});
  Buffer<int> buffer(queue, 1);
  buffer.fill_zero(queue);
  for (int repeat = 0; repeat < 2; ++repeat) {
    const auto message = test::message_of<DeviceError>([&] { for_each(queue, "touch", 1, [](Index) {}); });
    EXPECT_EQ(message, "emulated:4 could not launch 'touch': the device is lost");
    EXPECT_THROW(queue.finish(), DeviceError);
  }
}

TEST(Buffer, FillsAndReturnsOnEveryDevice) {
  for (const DeviceId& device : test_devices()) {
    Queue queue(device);
    Buffer<int> buffer;
    const std::vector<int> values = {3, 1, 2};
    buffer.upload(queue, values);
    EXPECT_EQ(contents(queue, buffer), values);
    buffer.fill_zero(queue);
    EXPECT_EQ(contents(queue, buffer), std::vector<int>(3, 0));
  }
}

// Sanitizers end a program that asks the host, or an emulated device, for so much.
TEST(Buffer, ThatFindsNoRoomOnADeviceNamesTheBytes) {
  const DeviceId device = test_devices().back();
  if (device.api != Api::gpu) GTEST_SKIP() << "QUARRY_TEST_DEVICE names no device";
  constexpr Index kTooMany = Index{1} << 46;
  Queue queue(device);
  Buffer<std::byte> buffer;
  const auto message = test::message_of<DeviceError>([&] { buffer.resize(queue, kTooMany); });
  EXPECT_NE(message.find("no room for " + std::to_string(kTooMany) + " bytes"), std::string::npos) << message;
  buffer.resize(queue, 64);  // the queue is as good as before
  buffer.fill_zero(queue);
  EXPECT_EQ(contents(queue, buffer), std::vector<std::byte>(64));
}

}  // namespace
}  // namespace quarry
