#include "mine/search/device_search.hpp"

#include <algorithm>
#include <atomic>

#include "exec/parallel.hpp"
#include "exec/parcel.hpp"
#include "mine/search/steps.hpp"

namespace quarry::mine {
namespace {

/// Teams that are at work together, and those below which bitmaps give their memory to more teams.
/// PERF: not yet measured on a device
constexpr Index kMaxTeams = 4096, kEnoughTeams = 1024;
constexpr int kMaxLanes = 64;
/// Shards of each device: so often there is progress, and devices even out.
constexpr Index kShardsOfDevice = 32;

/// One device with the graph and memory for its teams.
class DeviceSearch {
 public:
  DeviceSearch(const Place& place, const PlannedSearch& search, Index room_bytes)
      : queue_(place), lanes_(std::min(queue_.lanes(), kMaxLanes)), job_(search.job) {
    Index room = room_bytes - send_bytes();
    rooms_ = lay_out_memory(job_, lanes_, true);
    if (room < kEnoughTeams * job_.memory_bytes && job_.intersection != Intersection::bitmap)
      rooms_ = lay_out_memory(job_, lanes_, false);
    // Half of it for the tasks and tallies of a shard, which are small, and what teams have no use for.
    num_teams_ = std::min(kMaxTeams, room / 2 / std::max<Index>(job_.memory_bytes, 1));
    if (num_teams_ < 1) {
      throw CapacityError("bytes of the graph and the sets of one team on " + name_of({place}) +
                              " (raise Options::device_bytes, --device-memory, or use the host)",
                          room_bytes, send_bytes() + 2 * job_.memory_bytes);
    }
    job_.rooms = view_of(std::as_const(rooms_));
    send();
    memory_.resize(queue_, num_teams_ * job_.memory_bytes);
    memory_.fill_zero(queue_);
  }

  void count(std::span<const Entries> tasks, std::span<Tally> tallies) {
    tasks_.upload(queue_, tasks);
    tallies_.resize(queue_, std::ssize(tallies));
    tallies_.fill_zero(queue_);
    next_.resize(queue_, 1);
    next_.fill_zero(queue_);
    count_matches(queue_, job_, {tasks_.view(), next_.view(), memory_.view(), tallies_.view()},
                  std::min(num_teams_, std::ssize(tasks)), lanes_);
    tallies_.download(queue_, tallies);
    queue_.finish();
  }

 private:
  Index send_bytes() const {
    const OrderedRows& rows = job_.rows;
    return 8 * (rows.offsets.size() + rows.splits.size()) + 4 * (rows.neighbours.size() + job_.edge_labels.size());
  }
  void send() {
    parcel_.add(job_.rows.offsets);
    parcel_.add(job_.rows.splits);
    parcel_.add(job_.rows.neighbours);
    parcel_.add(job_.edge_labels);
    parcel_.add(job_.nodes);
    parcel_.add(job_.sets);
    parcel_.add(job_.terms);
    parcel_.add(job_.leaves);
    parcel_.add(job_.rooms);
    parcel_.send(queue_);
  }

  Queue queue_;
  int lanes_;
  SearchJob job_;
  std::vector<SetRoom> rooms_;
  Index num_teams_ = 0;
  Parcel parcel_;
  Buffer<std::byte> memory_;
  Buffer<Entries> tasks_;
  Buffer<std::uint64_t> next_;
  Buffer<Tally> tallies_;
};

}  // namespace

std::vector<Tally> count_on_devices(const PreparedGraph& prepared, const PlannedSearch& search,
                                    const std::vector<Entries>& tasks) {
  const Options& options = prepared.options();
  const Index num_places = std::ssize(prepared.places()), num_tasks = std::ssize(tasks);
  const std::size_t num_patterns = search.patterns.size();
  std::vector<Tally> tallies(tasks.size() * num_patterns);
  ProgressCounter progress(options.progress, num_entries(tasks));
  const Index num_shards = std::min(num_tasks, kShardsOfDevice * num_places);
  std::atomic<Index> next_shard{0};
  parallel_for_range(static_cast<int>(num_places), num_places, 1, [&](Index begin, Index end) {
    for (Index place = begin; place < end; ++place) {
      const Place& where = prepared.places()[static_cast<std::size_t>(place)];
      DeviceSearch device(where, search, device_room(where, options.device_bytes));
      for (Index shard = next_shard++; shard < num_shards; shard = next_shard++) {
        const auto first = static_cast<std::size_t>(num_tasks * shard / num_shards);
        const auto last = static_cast<std::size_t>(num_tasks * (shard + 1) / num_shards);
        device.count(std::span(tasks).subspan(first, last - first),
                     std::span(tallies).subspan(first * num_patterns, (last - first) * num_patterns));
        progress.add(tasks[last - 1].last - tasks[first].first);
      }
    }
  });
  return tallies;
}

}  // namespace quarry::mine
