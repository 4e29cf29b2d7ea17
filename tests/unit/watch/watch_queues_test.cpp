/// The two queues of a Watch, with room for very little: order, waiting, changes of patterns, ends.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "quarry/error.hpp"
#include "watch/live/alert_queue.hpp"
#include "watch/live/feed_queue.hpp"

namespace quarry::watch {
namespace {

using Time = std::chrono::steady_clock::time_point;
constexpr Time kPast = Time() + std::chrono::seconds(1), kNever = Time::max();

std::vector<GraphUpdate> numbered(Index begin, Index end) {
  std::vector<GraphUpdate> updates(end - begin);
  for (Index i = begin; i < end; ++i) updates[i - begin].line = i;
  return updates;
}

/// The numbers of the updates that come before the next end.
std::vector<Index> take_all(FeedQueue& queue) {
  std::vector<Index> lines;
  GraphUpdate update;
  while (queue.next(update, kNever) == UpdateSource::Next::update) lines.push_back(update.line);
  return lines;
}

std::vector<Index> range(Index begin, Index end) {
  std::vector<Index> numbers(end - begin);
  std::iota(numbers.begin(), numbers.end(), begin);
  return numbers;
}

TEST(FeedQueue, KeepsTheOrderWhereFeedingWaits) {
  for (const std::size_t capacity : {1, 2, 7}) {
    FeedQueue queue(capacity, 0);
    std::thread feeder([&] {
      EXPECT_EQ(queue.feed(numbered(0, 100), kNever), 100);
      for (const GraphUpdate& update : numbered(100, 200)) queue.feed({&update, 1}, kNever);
      queue.close();
    });
    EXPECT_EQ(take_all(queue), range(0, 200));
    EXPECT_TRUE(queue.is_over());
    feeder.join();
  }
}

TEST(FeedQueue, TakesAsMuchAsThereIsRoomForUntilTheDeadline) {
  FeedQueue queue(5, 0);
  EXPECT_EQ(queue.feed(numbered(0, 4), kPast), 4);
  EXPECT_EQ(queue.feed(numbered(4, 8), kPast), 1);
  EXPECT_EQ(queue.feed(numbered(5, 8), kPast), 0);
  GraphUpdate update;
  EXPECT_EQ(queue.next(update, kPast), UpdateSource::Next::update);
  EXPECT_NE(update.arrival, Time());
  EXPECT_EQ(queue.feed(numbered(5, 8), kPast), 3);
}

TEST(FeedQueue, EndsWherePatternsChange) {
  FeedQueue queue(100, 1);
  GraphUpdate update;
  EXPECT_EQ(queue.next(update, kPast), UpdateSource::Next::nothing_yet);
  queue.feed(numbered(0, 3), kNever);
  EXPECT_EQ(queue.add_pattern(parse_graph_pattern("triangle")), 1);
  queue.remove_pattern(0);
  queue.feed(numbered(3, 5), kNever);
  queue.close();
  EXPECT_FALSE(queue.take_change());
  EXPECT_EQ(take_all(queue), range(0, 3));
  EXPECT_EQ(take_all(queue), range(0, 0));  // it stands before the change until that is taken
  EXPECT_FALSE(queue.is_over());
  EXPECT_EQ(queue.take_change()->added->name, "triangle");
  EXPECT_FALSE(queue.take_change()->added);
  EXPECT_FALSE(queue.take_change());
  EXPECT_EQ(take_all(queue), range(3, 5));
  EXPECT_TRUE(queue.is_over());
}

TEST(FeedQueue, RefusesWhatIsWrong) {
  FeedQueue queue(1, 2);
  queue.remove_pattern(1);
  for (const int pattern : {-1, 1, 2}) EXPECT_THROW(queue.remove_pattern(pattern), InputError) << pattern;
  queue.close();
  EXPECT_THROW(queue.feed(numbered(0, 1), kNever), InputError);
  EXPECT_THROW(queue.add_pattern(parse_graph_pattern("triangle")), InputError);
  EXPECT_THROW(queue.remove_pattern(0), InputError);
}

TEST(FeedQueue, WakesThoseWhoFeed) {
  FeedQueue stopped(1, 0), failed(1, 0);
  std::thread feeder([&] {
    EXPECT_THROW(stopped.feed(numbered(0, 9), kNever), InputError);
    EXPECT_THROW(failed.feed(numbered(0, 9), kNever), CapacityError);
  });
  stopped.stop();
  failed.fail(std::make_exception_ptr(CapacityError("rows", 1, 2)));
  feeder.join();
  EXPECT_TRUE(take_all(stopped).empty());
  EXPECT_TRUE(stopped.is_over());
}

OwnedAlert numbered_alert(Index number, std::size_t num_values = 0) {
  OwnedAlert alert;
  alert.update = number;
  alert.matches.resize(num_values);
  return alert;
}

TEST(AlertQueue, KeepsTheOrderWhereDeliveryWaits) {
  AlertQueue queue(2, 3);
  std::thread engine([&] {
    // Ten values are more than may wait: they come alone.
    for (Index i = 0; i < 100; ++i) EXPECT_TRUE(queue.push(numbered_alert(i, i % 11)));
    queue.finish({});
  });
  OwnedAlert alert;
  for (Index i = 0; i < 100; ++i) {
    ASSERT_EQ(queue.next(alert, kNever), Watch::Next::alert);
    EXPECT_EQ(alert.update, i);
    EXPECT_EQ(std::ssize(alert.matches), i % 11);
  }
  EXPECT_EQ(queue.next(alert, kNever), Watch::Next::end);
  EXPECT_TRUE(queue.is_done());
  engine.join();
}

TEST(AlertQueue, GivesTheRoomOfDeliveredAlertsBack) {
  AlertQueue queue(10, 3);
  std::atomic<int> pushed = 0;
  std::thread engine([&] {
    for (const int num_values : {2, 2, 1}) pushed += queue.push(numbered_alert(0, num_values)) ? 1 : 0;
  });
  OwnedAlert alert;
  ASSERT_EQ(queue.next(alert, kNever), Watch::Next::alert);  // room for the second and the third at once
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (pushed < 3 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_EQ(pushed, 3);
  queue.stop();
  engine.join();
}

TEST(AlertQueue, ThrowsAnErrorAfterWhatWasDelivered) {
  AlertQueue queue(9, 9);
  OwnedAlert alert;
  EXPECT_EQ(queue.next(alert, kPast), Watch::Next::nothing_yet);
  queue.push(numbered_alert(7));
  queue.finish(std::make_exception_ptr(InputError("wrong")));
  EXPECT_EQ(queue.next(alert, kNever), Watch::Next::alert);
  for (int i = 0; i < 2; ++i) EXPECT_THROW(queue.next(alert, kNever), InputError);
  EXPECT_FALSE(queue.is_done());
}

TEST(AlertQueue, StopsBothSides) {
  AlertQueue queue(1, 9);
  queue.push(numbered_alert(0));
  std::thread engine([&] { EXPECT_FALSE(queue.push(numbered_alert(1))); });
  queue.stop();
  engine.join();
  OwnedAlert alert;
  EXPECT_EQ(queue.next(alert, kNever), Watch::Next::end);
  EXPECT_FALSE(queue.is_done());
}

}  // namespace
}  // namespace quarry::watch
