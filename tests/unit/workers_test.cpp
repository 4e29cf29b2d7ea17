/// Workers: how many, where, in which order they are lent, what they share and what room each has.
#include "exec/workers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "support/environment.hpp"

namespace quarry {
namespace {

struct Worker {
  Worker(const DeviceId& device, int the_start) : queue(device), start(the_start) {}
  Queue queue;
  int start;
  View<const std::uint8_t> shared;
  std::atomic<int>* users = nullptr;
};

RunOptions on(const std::string& device, int threads = 1, Index device_bytes = 0) {
  RunOptions options;
  options.device = device;
  options.threads = threads;
  options.device_bytes = device_bytes;
  return options;
}

TEST(Workers, HostHasOneForEachThread) {
  const int threads = resolve_threads(2);
  Workers<Worker> workers(on("host", 2), 7, 5);
  EXPECT_TRUE(workers.on_host());
  EXPECT_EQ(workers.size(), threads);
  ASSERT_EQ(workers.devices().size(), 1U);
  EXPECT_EQ(workers.devices()[0].limit_bytes, 0);
  EXPECT_EQ(workers.devices()[0].room_bytes(), 0);
  EXPECT_EQ(workers.take()->start, 5);
  Workers<Worker> three(3, 4);
  EXPECT_TRUE(three.on_host());
  EXPECT_EQ(three.size(), 3);
}

TEST(Workers, DeviceHasAsManyAsAskedFor) {
  Workers<Worker> workers(on("emulated:2,3", 1, 1000), 4, 0);
  EXPECT_FALSE(workers.on_host());
  EXPECT_EQ(workers.size(), 8);
  ASSERT_EQ(workers.devices().size(), 2U);
  for (const auto& device : workers.devices()) {
    EXPECT_EQ(device.limit_bytes, 1000);
    EXPECT_EQ(device.room_bytes(), 250);
    for (const Worker& worker : device.workers) EXPECT_EQ(worker.queue.device().index, device.id.index);
  }
}

TEST(Workers, DeviceWithoutALimitGivesThreeQuartersOfWhatIsFree) {
  const test::Environment memory("QUARRY_EMULATED_2_BYTES", "4000");
  const Workers<Worker> workers(on("emulated:2"), 2, 0);
  EXPECT_EQ(workers.devices()[0].limit_bytes, 3000);
  EXPECT_EQ(workers.devices()[0].room_bytes(), 1500);
}

TEST(Workers, AreLentDeviceAfterDeviceAndTheLastUsedFirst) {
  Workers<Worker> workers(on("emulated:2,3"), 2, 0);
  const auto lanes = [](const auto& lease) { return lease->queue.device().index; };
  const auto first = workers.take();
  EXPECT_EQ(lanes(first), 2);
  Worker* returned = nullptr;
  {
    const auto second = workers.take();
    EXPECT_EQ(lanes(second), 3);
    returned = &*second;
  }
  const auto second = workers.take(), third = workers.take(), fourth = workers.take();
  EXPECT_EQ(&*second, returned);
  EXPECT_EQ(lanes(third), 2);
  EXPECT_EQ(lanes(fourth), 3);
}

TEST(Workers, GoToTheThreadThatHadThemLast) {
  Workers<Worker> workers(3, 0);
  Worker *mine = nullptr, *others = nullptr;
  {
    auto lease = workers.take();
    mine = &*lease;
    std::thread other([&] { others = &*workers.take(); });
    other.join();
    // Given back by whom it was not taken by, and after the other one.
    std::thread([moved = std::move(lease)] {}).join();
  }
  EXPECT_NE(mine, others);
  const auto again = workers.take();
  EXPECT_EQ(&*again, mine);
  const auto unused = workers.take();
  EXPECT_NE(&*unused, others);
  const auto last = workers.take();
  EXPECT_EQ(&*last, others);
}

TEST(Workers, OfADeviceShareAParcel) {
  const std::vector<std::uint8_t> values(100, 7);
  for (const char* name : {"host", "emulated:2,3"}) {
    Workers<Worker> workers(on(name, 1, 1000), 2, 0);
    for (auto& device : workers.devices()) {
      View<const std::uint8_t> view = view_of(values);
      device.shared.add(view);
      device.send_shared();
      for (Worker& worker : device.workers) worker.shared = view;
      if (workers.on_host()) {
        EXPECT_EQ(view.data(), values.data());
        continue;
      }
      EXPECT_EQ(device.room_bytes(), (1000 - 128) / 2) << "64-byte aligned";
      std::vector<std::uint8_t> sent(100);
      device.workers.back().queue.stream()->download(sent.data(), device.workers.back().shared.data(), 100);
      EXPECT_EQ(sent, values);
    }
  }
}

TEST(Workers, HaveNoRoomWhereTheyShareMoreThanTheLimit) {
  const std::vector<std::uint8_t> values(100);
  Workers<Worker> workers(on("emulated:2", 1, 127), 2, 0);
  auto& device = workers.devices()[0];
  View<const std::uint8_t> view = view_of(values);
  device.shared.add(view);
  device.send_shared();
  EXPECT_EQ(device.room_bytes(), 0);
}

TEST(Workers, AreLentToOneThreadAtATime) {
  Workers<Worker> workers(3, 0);
  std::vector<std::atomic<int>> users(3);
  std::vector<Worker>& all = workers.devices()[0].workers;
  for (std::size_t i = 0; i < all.size(); ++i) all[i].users = &users[i];
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int repeat = 0; repeat < 200; ++repeat) {
        const auto lease = workers.take();
        wrong += ++*lease->users == 1 ? 0 : 1;
        std::this_thread::yield();
        --*lease->users;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Workers, ComeBackFromALeaseThatAnExceptionEnds) {
  Workers<Worker> workers(1, 0);
  EXPECT_THROW(
      {
        const auto lease = workers.take();
        throw std::runtime_error("enough");
      },
      std::runtime_error);
  EXPECT_EQ(workers.take()->start, 0);  // would wait for ever
}

}  // namespace
}  // namespace quarry
