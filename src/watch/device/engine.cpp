#include "watch/device/engine.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "util/memory/memory_budget.hpp"

namespace quarry::watch {
namespace {

constexpr int kMaxLanes = 64;
constexpr int kPartsPerItem = 32, kMaxRounds = 2;
constexpr Index kUnlimited = std::numeric_limits<Index>::max();

/// Part `index` of `count` equal ones.
DescentPart cut(const DescentPart& part, int index, int count) {
  const auto at = [&](int i) { return i == count ? part.end : part.begin + (part.end - part.begin) * i / count; };
  return {at(index), at(index + 1)};
}

const PatternPlan& pattern_plan(const UpdateGroup& group, Index search) {
  return group.sources[search].joined->searches().front().plan;
}

}  // namespace

void DeviceWorker::Entries::resize(Queue& of_device, Index num_entries) {
  keys.resize(of_device, num_entries);
  neighbours.resize(of_device, num_entries);
  created.resize(of_device, num_entries);
  deleted.resize(of_device, num_entries);
}

DeviceWorker::DeviceWorker(const DeviceId& device) : queue(device), lanes_(std::min(queue.lanes(), kMaxLanes)) {
  const bool can_stay = queue.stream() != nullptr && queue.stream()->can_stay();
  if (can_stay && device_limits.stays) resident_ = std::make_unique<ResidentSearch>(device);
}

void DeviceWorker::rest() {
  if (resident_) resident_->end();
}

void DeviceWorker::start_kernel() {
  memory_ = {};
  values_ = {};
  const Index bytes = team_bytes_ + team_tallies_ * Index{sizeof(Tally)};
  require(2 * bytes, "the graph and the sets of one team");
  ResidentSizes sizes = device_limits.resident;
  sizes.tallies = std::max(sizes.tallies, team_tallies_);
  const std::uint64_t fit = std::max<Index>(room_bytes() / 16 / 8, 1);  // beside the half that teams have
  sizes.update_words = std::min<Index>(sizes.update_words, std::bit_floor(fit));
  queue.finish();  // before another queue reads what it has sent
  ResidentWork work;
  for (int side = 0; side < kSides; ++side) work.places[side] = places_[side].view();
  work.entries = entries_.columns();
  work.plans = std::as_const(sent_plans_).view();
  work.team_bytes = team_bytes_;
  work.team_tallies = team_tallies_;
  resident_->start(work, std::min(device_limits.max_teams, room_bytes() / 2 / bytes), lanes_, sizes);
}

void DeviceWorker::load(const DynamicGraph& graph, const EdgeKinds& kinds, Index limit_bytes) {
  rest();
  limit_bytes_ = limit_bytes;
  entries_ = {};
  for (Buffer<RowPlace>& places : places_) places = {};
  memory_ = {};
  values_ = {};
  const RowPlan::Columns columns = plan_.load(graph, kinds);
  const Index size = plan_.num_entries();
  require(kSides * std::ssize(plan_.places()) * Index{sizeof(RowPlace)} + size * kEntryBytes, "the graph");
  send_places();
  // Room for rows to be written elsewhere, unless that is needed for searches.
  const Index num_entries =
      std::max(size, std::min(2 * size + device_limits.spare_entries, room_bytes() / kEntryBytes / 4));
  entries_.resize(queue, num_entries);
  entries_.keys.upload(queue, columns.keys);
  entries_.neighbours.upload(queue, columns.neighbours);
  const std::vector<std::uint32_t> created(size), deleted(size, kNotDeleted);
  entries_.created.upload(queue, created);
  entries_.deleted.upload(queue, deleted);
  entries_.resize(queue, num_entries);
  queue.finish();
}

void DeviceWorker::forget_plans() {
  rest();
  numbers_.clear();
  plans_.clear();
  parts_of_plans_.clear();
  team_bytes_ = 0;
  team_tallies_ = 1;
}

Index DeviceWorker::graph_bytes() const {
  Index bytes = kSides * num_places() * Index{sizeof(RowPlace)} + entries_.size() * kEntryBytes + update_.num_bytes();
  for (const Parcel& parts : parts_of_plans_) bytes += parts.num_bytes();
  return bytes;
}

void DeviceWorker::require(Index more_bytes, const char* what) const {
  MemoryBudget(limit_bytes_, name_of({queue.device()})).require(graph_bytes() + more_bytes, what);
}

void DeviceWorker::reserve_places() {
  const Index size = std::ssize(plan_.places()), room = size + size / 8 + 1;
  if (size < num_places()) return;
  for (Buffer<RowPlace>& places : places_) places = {};
  require(kSides * room * Index{sizeof(RowPlace)}, "the vertices of the graph");
  for (Buffer<RowPlace>& places : places_) places.resize(queue, room);
}

void DeviceWorker::send_places() {
  reserve_places();
  const Index room = num_places();
  for (Buffer<RowPlace>& places : places_) {
    places.upload(queue, plan_.places());
    places.resize(queue, room);
  }
  queue.finish();  // before the places change
}

bool DeviceWorker::apply_beside_searches() {
  if (!resident_ || !resident_->is_there()) return false;
  const RowUpdate update = plan_.update();
  if (plan_.num_entries() > entries_.size() || std::ssize(plan_.places()) > num_places() ||
      !resident_->has_room_for(update))
    return false;
  resident_->update(update, side());
  plan_.finish();
  return true;
}

void DeviceWorker::apply() {
  rest();
  const bool moves = plan_.num_entries() > entries_.size();
  const bool has_more_places = std::ssize(plan_.places()) >= num_places();
  reserve_places();  // before the entries take half of the room
  Entries moved;
  if (moves) moved = larger_memory();
  if (moves || has_more_places) send_places();
  RowUpdate update = plan_.update();
  update_.add(update.changes);
  update_.add(update.patches);
  update_.add(update.entries);
  update_.add(update.carried);
  require(std::max<Index>(0, update_.waiting_bytes() - update_.num_bytes()), "the graph and a batch of updates");
  update_.send(queue);
  update_rows(queue, update, entries_.columns(), moves ? moved.columns() : entries_.columns(), places_[side()].view(),
              std::as_const(places_[1 - side()]).view());
  if (moves) {
    queue.finish();  // before the memory is given back
    entries_ = std::move(moved);
    ++num_moves_;
  }
  plan_.finish();
}

DeviceWorker::Entries DeviceWorker::larger_memory() {
  plan_.move_all();
  memory_ = {};
  values_ = {};
  const Index size = plan_.num_entries();
  require(size * kEntryBytes, "the graph, and its rows once more while they move");
  Entries larger;
  larger.resize(queue, std::max(size, std::min(2 * size, room_bytes() / kEntryBytes / 2)));
  return larger;
}

bool DeviceWorker::is_ready_for(const UpdateGroup& group) const {
  const auto has_plan = [&](const UpdateSearch& search) { return numbers_.contains(search.setup); };
  return (!resident_ || resident_->is_there() || group.searches.empty()) &&
         std::ranges::all_of(group.searches, has_plan);
}

void DeviceWorker::make_ready_for(const UpdateGroup& group, Index length) {
  add_plans(group, length);
  if (resident_ && !resident_->is_there()) start_kernel();
}

void DeviceWorker::add_plans(const UpdateGroup& group, Index length) {
  const Index first = std::ssize(plans_);
  std::vector<std::vector<SetRoom>> rooms;
  for (Index i = 0; i < std::ssize(group.searches); ++i) {
    const SearchSetup* const setup = group.searches[i].setup;
    if (!numbers_.try_emplace(setup, std::ssize(plans_)).second) continue;
    rest();
    DevicePlan& plan = plans_.emplace_back(DevicePlan{*setup});
    rooms.push_back(lay_out_memory(plan, lanes_, {.whole = length, .after = length, .copied = true}));
    team_bytes_ = std::max(team_bytes_, plan.memory_bytes);
    const PatternPlan& pattern = pattern_plan(group, i);
    std::ranges::copy(pattern.order, plan.order);
    plan.width = pattern.num_vertices;
    plan.num_tallies = static_cast<int>(group.sources[i].joined->searches().size());
    team_tallies_ = std::max<Index>(team_tallies_, plan.num_tallies);
  }
  if (first == std::ssize(plans_)) return;
  Parcel& parts = parts_of_plans_.emplace_back();
  for (Index i = first; i < std::ssize(plans_); ++i) {
    plans_[i].rooms = view_of(std::as_const(rooms[i - first]));
    parts.add(plans_[i].nodes);
    parts.add(plans_[i].sets);
    parts.add(plans_[i].terms);
    parts.add(plans_[i].leaves);
    parts.add(plans_[i].rooms);
  }
  parts.send(queue);
  sent_plans_.upload(queue, plans_);
}

// Half of the room is for teams, the rest for what goes to them and comes from them.
Index DeviceWorker::max_items(Index num_tallies) const {
  const Index bytes = Index{sizeof(SearchItem)} + num_tallies * Index{sizeof(Tally)} + 1;
  const Index fit = resident_ ? std::min(device_limits.resident.items,
                                         device_limits.resident.tallies / std::max<Index>(1, num_tallies))
                              : room_bytes() / 4 / bytes;
  return std::max<Index>(1, fit);
}
Index DeviceWorker::max_values() const {
  return std::max<Index>(kMaxPatternVertices, resident_ ? device_limits.resident.values : room_bytes() / 8 / 4);
}

SearchItems DeviceWorker::prepare(std::span<const SearchItem> items) {
  require(2 * team_bytes_, "the graph and the sets of one team");
  num_teams_ = std::min({device_limits.max_teams, room_bytes() / 2 / team_bytes_, std::ssize(items)});
  memory_.resize(queue, num_teams_ * team_bytes_);
  items_.upload(queue, items);
  next_.resize(queue, 1);
  next_.fill_zero(queue);
  return {std::as_const(items_).view(), std::as_const(sent_plans_).view(), next_.view(), memory_.view(), team_bytes_};
}

void DeviceWorker::count(std::span<const SearchItem> items, std::span<Tally> tallies, std::span<std::uint8_t> stopped) {
  if (resident_) return resident_->count(items, tallies, stopped);
  const SearchItems work = prepare(items);
  tallies_.resize(queue, std::ssize(tallies));
  tallies_.fill_zero(queue);
  stopped_.resize(queue, std::ssize(stopped));
  count_items(queue, rows(), work, tallies_.view(), stopped_.view(), num_teams_, lanes_);
  tallies_.download(queue, tallies);
  stopped_.download(queue, stopped);
  queue.finish();
}

void DeviceWorker::list(std::span<const SearchItem> items, std::span<std::uint32_t> values) {
  if (resident_) return resident_->list(items, values);
  const SearchItems work = prepare(items);
  values_.resize(queue, std::ssize(values));
  list_items(queue, rows(), work, values_.view(), num_teams_, lanes_);
  values_.download(queue, values);
  queue.finish();
}

DeviceExecutor::DeviceExecutor(const DynamicGraph& graph, const Options& options)
    : graph_(graph),
      list_(options.list || options.digest),
      max_rows_(options.max_results > 0 && !options.digest ? options.max_results + 1 : kUnlimited),
      workers_(options, 1) {}

template <class Action>
void DeviceExecutor::share(Index n, const Action& action) {
  auto& devices = workers_.devices();
  const Index num_devices = std::ssize(devices);
  parallel_for_range(num_devices, num_devices, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      action(devices[i].workers.front(), n * i / num_devices, n * (i + 1) / num_devices);
  });
}

void DeviceExecutor::prepare(const WatchPlan& plan, bool patterns_changed, Time now) {
  num_unsearched_ = 0;  // a run before this one may have been broken off
  for (auto& device : workers_.devices()) device.workers.front().forget_plans();
  if (time_ == now && !patterns_changed) return;
  time_ = -1;
  kinds_ = plan.kinds();
  for (auto& device : workers_.devices()) device.workers.front().load(graph_, kinds_, device.limit_bytes);
  time_ = now;
}

void DeviceExecutor::apply(std::span<const AppliedUpdate> updates, Time base, Time now) {
  time_ = -1;
  for (auto& device : workers_.devices()) {
    DeviceWorker& worker = device.workers.front();
    worker.plan(updates, graph_, kinds_, base);
    if (worker.apply_beside_searches()) continue;
    wait_for_searches();
    worker.apply();
  }
  time_ = now;
}

void DeviceExecutor::rest() {
  for (auto& device : workers_.devices()) device.workers.front().rest();
}

Index DeviceExecutor::group_size() const {
  return list_ ? device_limits.listed_updates : device_limits.counted_updates;
}

void DeviceExecutor::make_ready_for(UpdateGroup& group) {
  group.side = workers_.devices().front().workers.front().side();
  const std::uint64_t longest = std::max<Index>(graph_.max_degree(), 16);
  for (auto& device : workers_.devices()) {
    DeviceWorker& worker = device.workers.front();
    if (worker.is_ready_for(group)) continue;
    wait_for_searches();
    worker.make_ready_for(group, std::bit_ceil(longest));
  }
  ++num_unsearched_;
}

void DeviceExecutor::wait_for_searches() const {
  for (Index left = num_unsearched_; left > 0; left = num_unsearched_) num_unsearched_.wait(left);
}

void DeviceExecutor::search(UpdateGroup& group) {
  struct Searched {
    std::atomic<Index>& left;
    ~Searched() {
      --left;
      left.notify_one();
    }
  } const searched{num_unsearched_};
  const std::lock_guard lock(searching_);
  group.sum.started = Clock::now();
  const std::vector<Part> parts = count(group);
  if (list_) list(group, parts);
  group.sum_up();
}

std::vector<DeviceExecutor::Part> DeviceExecutor::count(UpdateGroup& group) {
  std::vector<Part> parts(group.searches.size()), done, stopped;
  for (Index i = 0; i < std::ssize(parts); ++i) parts[i].search = i;
  for (int round = 0; !parts.empty(); ++round) {
    stopped.clear();
    count(group, parts, round < kMaxRounds ? device_limits.item_leaves : kUnlimited, done, stopped);
    parts.clear();
    for (const Part& heavy : stopped) {
      for (int i = 0; i < kPartsPerItem; ++i) parts.push_back({heavy.search, cut(heavy.part, i, kPartsPerItem)});
    }
  }
  std::ranges::sort(done, {}, [](const Part& part) { return std::pair(part.search, part.part.begin); });
  return done;
}

void DeviceExecutor::count(UpdateGroup& group, std::span<const Part> parts, Index max_leaves, std::vector<Part>& done,
                           std::vector<Part>& stopped) {
  std::vector<Index> firsts{0};  // tallies
  Index most = 1;
  for (const Part& part : parts) {
    const Index num_tallies = std::ssize(group.sources[part.search].joined->searches());
    most = std::max(most, num_tallies);
    firsts.push_back(firsts.back() + num_tallies);
  }
  std::vector<Tally> tallies(firsts.back());
  std::vector<std::uint8_t> is_stopped(parts.size());
  share(std::ssize(parts), [&](DeviceWorker& worker, Index first, Index last) {
    const Index at_a_time = worker.max_items(most);
    for (Index begin = first; begin < last; begin += at_a_time) {
      const Index end = std::min(last, begin + at_a_time);
      std::vector<SearchItem> items;
      for (Index i = begin; i < end; ++i) {
        SearchItem& item = items.emplace_back(item_of(worker, group, parts[i].search, parts[i].part));
        item.first_tally = firsts[i] - firsts[begin];
        item.max_leaves = max_leaves;
      }
      worker.count(items, std::span(tallies).subspan(firsts[begin], firsts[end] - firsts[begin]),
                   std::span(is_stopped).subspan(begin, end - begin));
    }
  });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (is_stopped[i] != 0) {
      stopped.push_back(parts[i]);
      continue;
    }
    Tally* const sums = group.tallies.data() + group.sources[parts[i].search].first_tally;
    for (Index t = firsts[i]; t < firsts[i + 1]; ++t) sums[t - firsts[i]].add(tallies[t]);
    done.push_back(parts[i]);
    if (list_) done.back().num_rows = static_cast<Index>(std::min<WideCount>(tallies[firsts[i]].count, kUnlimited));
  }
}

void DeviceExecutor::list(UpdateGroup& group, std::span<const Part> parts) {
  std::vector<Part> wanted;  // that have matches which are wanted, as group.parts
  Index search = -1, rows_left = 0;
  for (const Part& part : parts) {
    if (part.search != search) rows_left = max_rows_;
    search = part.search;
    const Index num_rows = std::min(part.num_rows, rows_left);
    if (num_rows == 0) continue;
    rows_left -= num_rows;
    ListedPart& listed = group.parts.emplace_back();
    listed.search = part.search;
    listed.part = part.part;
    listed.is_complete = num_rows == part.num_rows;
    wanted.push_back({part.search, part.part, num_rows});
  }
  share(std::ssize(wanted), [&](DeviceWorker& worker, Index first, Index last) {
    while (first < last) first = list(worker, group, wanted, first, last);
  });
}

Index DeviceExecutor::list(DeviceWorker& worker, UpdateGroup& group, std::span<const Part> wanted, Index first,
                           Index last) {
  const Index room = worker.max_values(), most = std::min(last, first + worker.max_items(0));
  std::vector<SearchItem> items;
  Index size = 0, end = first;
  for (; end < most; ++end) {
    const auto& [search, part, num_rows] = wanted[end];
    const Index width = pattern_plan(group, search).num_vertices;
    const Index rows = std::min(num_rows, std::min(device_limits.item_values, room) / width);
    if (end > first && size + rows * width > room) break;
    SearchItem& item = items.emplace_back(item_of(worker, group, search, part));
    item.first_value = size;
    item.num_rows = rows;
    size += rows * width;
    if (rows < num_rows) group.parts[end].is_complete = false;
  }
  std::vector<std::uint32_t> values(size);
  worker.list(items, values);
  for (const SearchItem& item : items) {
    const Index length = (&item == &items.back() ? size : (&item + 1)->first_value) - item.first_value;
    std::copy_n(values.data() + item.first_value, length, group.parts[first++].rows.add(length));
  }
  return end;
}

SearchItem DeviceExecutor::item_of(const DeviceWorker& worker, const UpdateGroup& group, Index search,
                                   DescentPart part) {
  const UpdateSearch& update = group.searches[search];
  return {.plan = worker.plan_of(update),
          .side = group.side,
          .time = update.time,
          .from = update.from,
          .to = update.to,
          .part = part};
}

}  // namespace quarry::watch
