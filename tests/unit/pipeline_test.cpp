/// The ordered pipeline: order of delivery, reuse of slots, and an exception of any stage.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "exec/parallel.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

constexpr std::array kPipelineThreads = {1, 4};

/// A slot that knows which stage owns it.
struct Slot {
  enum class State { free, filled, worked };
  std::atomic<State> state = State::free;
  int item = -1;
  int square = 0;
};

/// Squares 0, 1, ..., and counts what a pipeline must never do. A stage throws at `throw_at`, if that is not negative.
struct Squares {
  enum class Stage { next, work, deliver };
  int num_items = 0;
  int throw_at = -1;
  Stage throw_in = Stage::next;
  int filled = 0;
  bool ended = false;
  std::atomic<int> filling = 0, delivering = 0, wrong = 0;
  std::vector<int> delivered;

  void throw_if(Stage stage, int item) const {
    if (stage == throw_in && item == throw_at) throw InputError("item " + std::to_string(item));
  }
  /// Moves a slot on; wrong where another stage still has it.
  void move(Slot& slot, Slot::State from, Slot::State to) { wrong += slot.state.exchange(to) == from ? 0 : 1; }

  bool next(Slot& slot) {
    wrong += filling++ == 0 && !ended ? 0 : 1;
    const bool more = filled < num_items;
    if (more) {
      throw_if(Stage::next, filled);
      move(slot, Slot::State::free, Slot::State::filled);
      slot.item = filled++;
    }
    ended = !more;
    --filling;
    return more;
  }
  void work(Slot& slot) {
    // Later items finish first where they can.
    if (slot.item % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
    throw_if(Stage::work, slot.item);
    move(slot, Slot::State::filled, Slot::State::worked);
    slot.square = slot.item * slot.item;
  }
  void deliver(Slot& slot) {
    wrong += delivering++ == 0 ? 0 : 1;
    throw_if(Stage::deliver, slot.item);
    move(slot, Slot::State::worked, Slot::State::free);
    wrong += slot.square == slot.item * slot.item ? 0 : 1;
    delivered.push_back(slot.item);
    --delivering;
  }
  void run(int threads, std::vector<Slot>& slots) {
    run_pipeline(
        threads, slots, [&](Slot& slot) { return next(slot); }, [&](Slot& slot) { work(slot); },
        [&](Slot& slot) { deliver(slot); });
  }
};

std::vector<int> first_items(std::size_t count) {
  std::vector<int> items(count);
  std::iota(items.begin(), items.end(), 0);
  return items;
}

TEST(Pipeline, DeliversInOrderFromFewSlots) {
  for (const int threads : kPipelineThreads) {
    for (const std::size_t num_slots : {1, 2, 5}) {
      for (const int num_items : {0, 1, 4, 5, 6, 100}) {
        std::vector<Slot> slots(num_slots);
        Squares squares;
        squares.num_items = num_items;
        squares.run(threads, slots);
        EXPECT_EQ(squares.delivered, first_items(static_cast<std::size_t>(num_items))) << threads << ' ' << num_slots;
        EXPECT_EQ(squares.wrong, 0) << threads << ' ' << num_slots << ' ' << num_items;
      }
    }
  }
}

TEST(Pipeline, WorksOnManySlotsAtOnce) {
  if (available_threads() < 2) GTEST_SKIP() << "one core";
  std::vector<int> slots(4);
  int filled = 0;
  std::atomic<int> arrived = 0;
  std::atomic<bool> met = false;
  const auto next = [&](int& slot) {
    slot = filled;
    return filled++ < 4;
  };
  // The first waits for another, which only comes while it waits; the limit ends a test that fails.
  const auto work = [&](int&) {
    if (arrived++ > 0) return;
    const auto last = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (arrived < 2 && std::chrono::steady_clock::now() < last) std::this_thread::yield();
    met = arrived >= 2;
  };
  run_pipeline(2, slots, next, work, [](int&) {});
  EXPECT_TRUE(met);
}

TEST(Pipeline, AnExceptionOfAnyStageEndsTheRun) {
  using Stage = Squares::Stage;
  for (const int threads : kPipelineThreads) {
    for (const Stage stage : {Stage::next, Stage::work, Stage::deliver}) {
      for (const int item : {0, 17}) {
        SCOPED_TRACE(testing::Message() << threads << " threads, stage " << static_cast<int>(stage) << ", item "
                                        << item);
        std::vector<Slot> slots(3);
        Squares squares;
        squares.num_items = 1000;
        squares.throw_at = item;
        squares.throw_in = stage;
        const auto message = test::message_of<InputError>([&] { squares.run(threads, slots); });
        EXPECT_EQ(message, "item " + std::to_string(item));
        // What was delivered before is whole and in order, and nothing came after.
        EXPECT_LE(squares.delivered.size(), static_cast<std::size_t>(item));
        EXPECT_EQ(squares.delivered, first_items(squares.delivered.size()));
        EXPECT_LE(squares.filled, item + 1 + 3);
        EXPECT_EQ(squares.wrong, 0);
      }
    }
  }
}

TEST(Pipeline, RunsAgainAfterAnException) {
  for (const int threads : kPipelineThreads) {
    std::vector<Slot> slots(3);
    Squares failing;
    failing.num_items = 50;
    failing.throw_at = 20;
    failing.throw_in = Squares::Stage::work;
    EXPECT_THROW(failing.run(threads, slots), InputError);
    std::vector<Slot> fresh(3);
    Squares squares;
    squares.num_items = 50;
    squares.run(threads, fresh);
    EXPECT_EQ(squares.delivered, first_items(50));
  }
}

TEST(Pipeline, BeginsAgainWhenAllIsDelivered) {
  for (const int threads : kPipelineThreads) {
    std::vector<Slot> slots(3);
    Squares squares;
    int rounds = 0, early = 0;
    run_pipeline(
        threads, slots, [&](Slot& slot) { return squares.next(slot); }, [&](Slot& slot) { squares.work(slot); },
        [&](Slot& slot) { squares.deliver(slot); },
        [&] {
          early += std::ssize(squares.delivered) == squares.num_items ? 0 : 1;
          squares.num_items += 10;
          squares.ended = false;
          return ++rounds < 4;
        });
    EXPECT_EQ(rounds, 4);
    EXPECT_EQ(early, 0);
    EXPECT_EQ(squares.delivered, first_items(30));
    EXPECT_EQ(squares.wrong, 0);
  }
}

TEST(Pipeline, RefusesNegativeThreads) {
  std::vector<int> slots(1);
  EXPECT_THROW(run_pipeline(
                   -1, slots, [](int&) { return false; }, [](int&) {}, [](int&) {}),
               InputError);
}

}  // namespace
}  // namespace quarry
