#include "watch/executor.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "util/stopwatch.hpp"

namespace quarry::watch {
namespace {

/// A group is to take about this time: much more than handing it over, and little for those who wait behind it.
constexpr double kGroupSeconds = 100e-6;
constexpr Index kMaxGroup = 64;
constexpr int kParts = 32;
constexpr std::size_t kSpareParts = 64;

/// In one update and pattern. @return `count` where it is within the limit
std::uint64_t checked_subgraphs(WideCount count, bool overflow = false) {
  if (overflow || count > std::numeric_limits<Index>::max())
    throw CapacityError("subgraphs of one update and pattern", std::numeric_limits<Index>::max(), 0);
  return static_cast<std::uint64_t>(count);
}

/// The subgraphs of one leaf of a search.
std::uint64_t subgraphs_of(const Tally& tally, const PatternPlan& plan) {
  Tally subgraphs = tally;
  subgraphs.multiply(plan.multiply);
  return checked_subgraphs(subgraphs.count / plan.divide, subgraphs.overflow);
}

}  // namespace

View<std::byte> SearchWorker::room(Index bytes) {
  if (bytes > num_bytes_) {
    memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    num_bytes_ = bytes;
  }
  return {memory_.get(), bytes};
}

void UpdateGroup::add_searches(std::size_t first, const DynamicGraph& graph, EdgeSearches& all) {
  for (std::size_t i = first; i < updates.size(); ++i) {
    if (!updates[i].has_change || !updates[i].is_searched) continue;
    const EdgeChange& change = updates[i].change;
    for (const auto& joined : all.of(updates[i].labels)) {
      searches.push_back({&joined->setup(graph.max_degree()), change.time, change.from, change.to});
      sources.push_back({joined.get(), static_cast<Index>(i), std::ssize(tallies)});
      tallies.resize(tallies.size() + joined->searches().size());
    }
  }
}

void GroupSum::clear() {
  changes.clear();
  arrivals.clear();
  updates = insertions = deletions = 0;
  faults = {};
  last_time = 0;
}

void UpdateGroup::sum_up() {
  for (const AppliedUpdate& update : updates) {
    if (update.has_change) sum.last_time = update.change.time;
    if (!update.is_last) continue;
    ++sum.updates;
    sum.insertions += update.kind == GraphUpdate::Kind::insert_edge;
    sum.deletions += update.kind == GraphUpdate::Kind::delete_edge;
    ++sum.faults[static_cast<std::size_t>(update.fault)];
    if (sum.arrivals.empty() || sum.arrivals.back().first != update.arrival)
      sum.arrivals.push_back({update.arrival, 0});
    ++sum.arrivals.back().second;
  }
  if (!parts.empty()) return;  // what is listed is summed up when it is delivered
  std::vector<PatternChange> found;
  for (const SearchSource& source : sources) {
    const AppliedUpdate& update = updates[source.update];
    const auto& of_leaves = source.joined->searches();
    for (std::size_t leaf = 0; leaf < of_leaves.size(); ++leaf) {
      const Tally& tally = tallies[source.first_tally + leaf];
      if (tally.count == 0 && !tally.overflow) continue;
      const auto& [pattern, plan] = of_leaves[leaf];
      found.push_back({update.position, pattern, update.change.inserts, subgraphs_of(tally, plan)});
    }
  }
  const auto key = [](const PatternChange& change) { return std::tuple(change.position, change.pattern); };
  std::ranges::stable_sort(found, {}, key);
  for (const PatternChange& change : found) {
    if (!sum.changes.empty() && key(sum.changes.back()) == key(change))
      sum.changes.back().subgraphs = checked_subgraphs(WideCount{sum.changes.back().subgraphs} + change.subgraphs);
    else
      sum.changes.push_back(change);
  }
}

Executor::Executor(const DynamicGraph& graph, const Options& options, int threads)
    : graph_(graph),
      threads_(threads),
      list_(options.list || options.digest),
      max_rows_(options.max_results > 0 && !options.digest ? options.max_results + 1
                                                           : std::numeric_limits<Index>::max()),
      workers_(threads) {}

void Executor::clear(UpdateGroup& group) {
  group.updates.clear();
  group.searches.clear();
  group.sources.clear();
  group.tallies.clear();
  group.sum.clear();
  group.replica = nullptr;
  if (group.parts.empty()) return;
  const std::lock_guard lock(mutex_);
  for (ListedPart& part : group.parts) {
    if (spare_parts_.size() < kSpareParts) spare_parts_.push_back(std::move(part));
  }
  group.parts.clear();
}

Index Executor::group_size() const {
  const double seconds = seconds_per_update_.load(std::memory_order_relaxed);
  if (threads_ == 1 || seconds * kMaxGroup < kGroupSeconds) return kMaxGroup;
  return std::max<Index>(1, static_cast<Index>(kGroupSeconds / seconds));
}

void Executor::search(UpdateGroup& group) {
  group.sum.started = Clock::now();
  const Stopwatch stopwatch;
  find(group, 0);
  group.sum_up();
  note_seconds(group.apply_seconds + stopwatch.seconds(), std::ssize(group.updates));
}

void Executor::search_one_by_one(UpdateGroup& group, const std::function<bool()>& take) {
  group.sum.started = Clock::now();
  const Stopwatch stopwatch;
  for (bool goes_on = true; goes_on;) {
    const std::size_t first = group.searches.size();
    goes_on = take();
    goes_on &= find(group, first);
  }
  group.sum_up();
  note_seconds(stopwatch.seconds(), std::ssize(group.updates));
}

void Executor::note_seconds(double seconds, Index num_updates) {
  const double before = seconds_per_update_.load(std::memory_order_relaxed);
  // One group may be held up by other work of the machine: it counts as four times slower than those before it at most.
  const double now = std::min(seconds / static_cast<double>(std::max<Index>(1, num_updates)), 4 * before + 1e-6);
  seconds_per_update_.store(0.9 * before + 0.1 * now, std::memory_order_relaxed);
}

bool Executor::find(UpdateGroup& group, std::size_t first) {
  if (list_) return list(group, first);
  count(group, first);
  return true;
}

void Executor::count(UpdateGroup& group, std::size_t first) {
  const std::span<const UpdateSearch> searches(group.searches);
  const std::span<Tally> tallies(group.tallies);
  const auto first_tally = [&](std::size_t i) {
    return i == searches.size() ? std::ssize(tallies) : group.sources[i].first_tally;
  };
  std::size_t next = first;
  while (next < searches.size()) {
    next += count(searches.subspan(next), tallies.subspan(first_tally(next)),
                  threads_ == 1 ? kNoLimit : search_limits.many_leaves);
    if (next == searches.size()) return;
    count_in_parts(searches[next], tallies.subspan(first_tally(next), first_tally(next + 1) - first_tally(next)));
    ++next;
  }
}

Index Executor::count(std::span<const UpdateSearch> searches, std::span<Tally> tallies, Index max_leaves) {
  Index num_bytes = 0;
  for (const UpdateSearch& search : searches) num_bytes = std::max(num_bytes, search.setup->memory_bytes);
  const auto worker = workers_.take();
  return count_searches(worker->queue, graph_, {searches.data(), std::ssize(searches)}, worker->room(num_bytes),
                        {tallies.data(), std::ssize(tallies)}, max_leaves);
}

void Executor::count_in_parts(const UpdateSearch& search, std::span<Tally> tallies) {
  std::mutex mutex;
  parallel_for_range(threads_, kParts, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      UpdateSearch of_part = search;
      of_part.part = {static_cast<double>(i) / kParts, static_cast<double>(i + 1) / kParts};
      std::vector<Tally> found(tallies.size());
      count({&of_part, 1}, found, kNoLimit);
      const std::lock_guard lock(mutex);
      for (std::size_t t = 0; t < found.size(); ++t) tallies[t].add(found[t]);
    }
  });
}

bool Executor::list(UpdateGroup& group, std::size_t first) {
  bool may_go_on = true;
  Index num_values = 0;
  ListedPart part;
  for (Index i = static_cast<Index>(first); i < std::ssize(group.searches); ++i) {
    part.search = i;
    part.part = {};
    list(group, max_values(group, i), part);
    if (part.rows.size() == 0) continue;
    num_values += part.rows.size();
    may_go_on &= part.is_complete && num_values < kept_values_;
    group.parts.push_back(std::exchange(part, spare_part()));
  }
  return may_go_on;
}

ListedPart Executor::spare_part() {
  const std::lock_guard lock(mutex_);
  if (spare_parts_.empty()) return {};
  ListedPart part = std::move(spare_parts_.back());
  spare_parts_.pop_back();
  return part;
}

Index Executor::max_values(const UpdateGroup& group, Index search) const {
  const Index width = group.sources[search].joined->searches().front().plan.num_vertices;
  return max_rows_ > kept_values_ ? kept_values_ : std::min(kept_values_, max_rows_ * width);
}

void Executor::list(const UpdateGroup& group, Index max_values, ListedPart& part) {
  UpdateSearch of_part = group.searches[part.search];
  of_part.part = part.part;
  const RowWriter writer(group.sources[part.search].joined->searches().front().plan, {});
  part.rows.clear();
  part.is_complete = true;
  visit(of_part, [&](const std::uint32_t* chosen, View<const std::uint32_t> members) {
    if (part.rows.size() >= max_values) return part.is_complete = false;
    writer.append(chosen, members, part.rows);
    return true;
  });
}

/// Pieces end at multiples of a step, so that what DescentPart multiplies by a number of candidates is exact: no leaf is
/// in two pieces, or in none.
/// PERF: to see where pieces end takes a tenth of finding their rows, with their ids.
DescentPart Executor::first_piece(const UpdateSearch& search, DescentPart part, Index most_rows) {
  UpdateSearch of_part = search;
  of_part.part = part;
  Index num_rows = 0;
  const double reached = visit(of_part, [&](const std::uint32_t*, View<const std::uint32_t> members) {
    if (num_rows >= most_rows) return false;
    num_rows += members.size();
    return true;
  });
  if (reached >= part.end) return part;
  const int exact =
      std::numeric_limits<double>::digits - 1 - std::bit_width(static_cast<std::uint64_t>(graph_.max_degree()));
  const int bits = std::min(exact, search_limits.piece_bits);
  const double end = std::ldexp(std::floor(std::ldexp(reached, bits)), -bits);
  return {part.begin, std::min(part.end, std::max(end, part.begin + std::ldexp(1, -bits)))};
}

double Executor::visit(const UpdateSearch& search, const MatchVisitor& visitor) {
  const auto worker = workers_.take();
  return visit_search(worker->queue, graph_, search, worker->room(search.setup->memory_bytes), visitor);
}

}  // namespace quarry::watch
