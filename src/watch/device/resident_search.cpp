#include "watch/device/resident_search.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "util/check.hpp"

namespace quarry::watch {
namespace {

constexpr Index kMaxUpdaters = 4;
/// Looks at a word that does not change, after which the device is asked whether it is still there.
constexpr int kLooksPerCheck = 4096;

std::uint64_t read(std::uint64_t& word) { return std::atomic_ref(word).load(std::memory_order_acquire); }
void write(std::uint64_t& word, std::uint64_t value) { std::atomic_ref(word).store(value, std::memory_order_release); }

/// Says that there is something new to read.
void announce(Mailbox& mailbox) {
  const std::atomic_ref news(mailbox.news);  // of two threads: one updates, one searches
  news.fetch_add(1, std::memory_order_release);
  news.notify_one();  // emulated devices sleep
}

template <class T>
Index words_of(View<const T> array) {
  static_assert(sizeof(T) % 8 == 0);
  return array.size() * Index{sizeof(T) / 8};
}

}  // namespace

void ResidentSearch::start(ResidentWork work, Index num_teams, int lanes, const ResidentSizes& sizes) {
  const Index most = num_serving_teams(queue_, lanes);
  QUARRY_CHECK(most > 1, "one team updates, and no other one is there to search");
  work.num_updaters = std::clamp<Index>(most / sizes.teams_per_updater, 1, std::min(kMaxUpdaters, most - 1));
  const Index num_searchers = std::min(num_teams, most - work.num_updaters);
  const auto share = [&]<class T>(SharedArray<T>& array, Index size) {
    if (array.size() != size) array = SharedArray<T>(queue_, size);
    return array.view();
  };
  work.mailbox = share(mailbox_, 1);
  mailbox_.host()[0] = {};
  work.update = share(update_, 1);
  work.posted_arrays = share(posted_arrays_, sizes.update_words);
  work.items = share(items_, sizes.items);
  work.states = share(states_, sizes.items);
  work.tallies = share(tallies_, sizes.tallies);
  work.values = share(values_, sizes.values);
  const auto make = [&]<class T>(Buffer<T>& buffer, Index size) {
    buffer.resize(queue_, size);
    return buffer.view();
  };
  work.words = make(words_, 1);
  words_.fill_zero(queue_);
  work.arrays = make(arrays_, sizes.update_words);
  work.memory = make(memory_, num_searchers * work.team_bytes);
  work.sums = make(sums_, num_searchers * work.team_tallies);
  kernel_ = serve(queue_, work, work.num_updaters + num_searchers, lanes);
  is_there_ = true;
}

void ResidentSearch::end() noexcept {
  if (!is_there_) return;
  is_there_ = false;
  Mailbox& mailbox = mailbox_.host()[0];
  write(mailbox.items_posted, kEnd);
  write(mailbox.updates_posted, kEnd);
  announce(mailbox);
  try {
    kernel_.wait(queue_);
  } catch (const DeviceError&) {  // whoever waited for a result has been told
  }
  arrays_ = {};
  memory_ = {};
  sums_ = {};
}

bool ResidentSearch::has_room_for(const RowUpdate& update) const {
  const Index num_words =
      words_of(update.changes) + words_of(update.patches) + words_of(update.entries) + words_of(update.carried);
  return num_words <= posted_arrays_.size();
}

void ResidentSearch::update(const RowUpdate& update, Index side) {
  queue_.stream()->check();
  RowUpdate& posted = update_.host()[0];
  posted = update;
  Index end = 0;
  const auto put = [&]<class T>(View<const T>& array) {
    const Index begin = end;
    end += words_of(array);
    if (array.size() > 0) std::memcpy(&posted_arrays_.host()[begin], array.data(), (end - begin) * 8);
    array = View<const T>(reinterpret_cast<const T*>(arrays_.view().data() + begin), array.size());
  };
  put(posted.changes);
  put(posted.patches);
  put(posted.entries);
  put(posted.carried);
  Mailbox& mailbox = mailbox_.host()[0];
  mailbox.update_words = end;
  mailbox.update_side = side;
  const std::uint64_t number = mailbox.updates_posted + 1;
  write(mailbox.updates_posted, number);
  announce(mailbox);
  wait(mailbox.updates_done, number - 1);
}

void ResidentSearch::wait(std::uint64_t& word, std::uint64_t known) {
  if (queue_.device().api == Api::emulated) {  // PERF: its teams need the cores of the host, and wake whoever waits
    queue_.stream()->check();
    std::atomic_ref(word).wait(known, std::memory_order_acquire);
    return;
  }
  for (int looks = 1; read(word) == known; ++looks) {
    std::this_thread::yield();
    if (looks % kLooksPerCheck == 0) queue_.stream()->check();
  }
}

void ResidentSearch::search(std::span<const SearchItem> items) {
  queue_.stream()->check();
  Mailbox& mailbox = mailbox_.host()[0];
  first_ = mailbox.items_posted;
  for (std::size_t i = 0; i < items.size(); ++i) {
    items_.host()[(first_ + i) % items_.size()] = items[i];
    write(state_of(i), static_cast<std::uint64_t>(ItemState::open));
  }
  write(mailbox.items_posted, first_ + items.size());
  announce(mailbox);
  for (std::size_t i = 0; i < items.size(); ++i) wait(state_of(i), static_cast<std::uint64_t>(ItemState::open));
}

void ResidentSearch::count(std::span<const SearchItem> items, std::span<Tally> tallies,
                           std::span<std::uint8_t> stopped) {
  search(items);
  std::ranges::copy(tallies_.host().first(tallies.size()), tallies.begin());
  for (std::size_t i = 0; i < items.size(); ++i)
    stopped[i] = read(state_of(i)) == static_cast<std::uint64_t>(ItemState::stopped);
}

void ResidentSearch::list(std::span<const SearchItem> items, std::span<std::uint32_t> values) {
  search(items);
  std::ranges::copy(values_.host().first(values.size()), values.begin());
}

}  // namespace quarry::watch
