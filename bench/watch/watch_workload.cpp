#include "bench/watch/watch_workload.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include "bench/work_folder.hpp"

namespace quarry::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = GraphUpdate::Kind;

/// A row of `streams.tsv`.
struct PublishedSums {
  std::string query;
  std::uint64_t positive = 0, negative = 0;
};

std::vector<PublishedSums> published_sums(const Stream& stream) {
  std::ifstream file(std::filesystem::path(data_folder()) / "reference" / "streams.tsv");
  std::vector<PublishedSums> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::string set, name, skipped;
    PublishedSums row;
    cells >> set >> name >> row.query;
    for (int i = 0; i < 6; ++i) cells >> skipped;
    cells >> row.positive >> row.negative;
    if (set == stream.set && name == stream.name) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<PeerRow> peer_rows() {
  const char *const hybrid = "HybridFlow", *const newsp = "NewSP", *const rapid = "RapidFlow";
  return {
      {"amazon10/ins", {{"sparse_6_1", 2300, hybrid}, {"tree_8_1", 1490, rapid}}},
      {"ascaida/diff", {{"sparse_4_0", 252, rapid}, {"dense_4_0", 672, rapid}, {"dense_6_1", 80, rapid}}},
      {"bitcoinotc/mix", {{"tree_4_0", 305, rapid}, {"sparse_7_0", 43, hybrid}, {"dense_6_1", 107, rapid}}},
      {"collegemsg-win/win", {{"tree_4_0", 242, rapid}, {"sparse_5_0", 18, newsp}, {"dense_6_0", 107, rapid}}},
      {"github/orig",
       {{"orig_4_q5", 4650, rapid},
        {"orig_6_q3", 7.4, rapid},
        {"orig_8_q1", 669, rapid},
        {"orig_10_q4", 395, rapid},
        {"orig_12_q3", 440, rapid}}},
      {"human/ins", {{"tree_8_1", 1260, hybrid}, {"sparse_8_1", 439, hybrid}, {"dense_6_1", 40, rapid}}},
      {"human/mix", {{"tree_5_1", 206, hybrid}, {"dense_5_1", 68, hybrid}}},
      {"lsbench3k/ins",
       {{"tree_4_0", 236, rapid}, {"tree_5_0", 33, hybrid}, {"sparse_5_0", 623, rapid}, {"dense_6_1", 84, rapid}}},
      {"mathoverflow/ins", {{"tree_7_1", 1910, hybrid}, {"sparse_8_1", 1040, hybrid}, {"dense_8_1", 3720, hybrid}}}};
}

std::optional<Stream> load_stream(const std::string& path) {
  const auto slash = path.find('/');
  const std::string set = path.substr(0, slash), name = path.substr(slash + 1);
  const auto folder = std::filesystem::path(data_folder()) / "streams" / set;
  const std::string updates = folder / (name + ".stream.gz");
  if (!std::filesystem::exists(updates)) return std::nullopt;
  Stream stream{set, name, read_graph(folder / "initial.graph.gz").graph, {}};
  UpdateReader reader(updates);
  for (GraphUpdate update; reader.next(update);) stream.updates.push_back(update);
  return stream;
}

GraphPattern load_query(const Stream& stream, const std::string& query) {
  return read_graph_patterns(std::filesystem::path(data_folder()) / "streams" / stream.set / "queries" / query).front();
}

std::vector<std::string> quick_queries(const Stream& stream) {
  std::vector<std::string> queries;
  for (const PublishedSums& row : published_sums(stream)) {
    if (row.query.find("heavy") == std::string::npos) queries.push_back(row.query);
  }
  return queries;
}

void require_published(const Stream& stream, const std::string& query, const watch::PatternTotals& totals) {
  for (const PublishedSums& row : published_sums(stream)) {
    if (row.query != query || (row.positive == totals.positive && row.negative == totals.negative)) continue;
    throw SystemError(
        fmt::format("{}/{} {}: {} created and {} destroyed instead of {} and {}, so its time means nothing", stream.set,
                    stream.name, query, totals.positive, totals.negative, row.positive, row.negative));
  }
}

std::uint64_t published_embeddings(const Stream& stream, const std::string& query) {
  for (const PublishedSums& row : published_sums(stream)) {
    if (row.query == query) return row.positive + row.negative;
  }
  return 0;
}

UpdateSource::Next ListSource::next(GraphUpdate& update, Clock::time_point) {
  if (next_ == updates_.size()) return Next::end;
  update = updates_[next_++];
  return Next::update;
}

GraphUpdate endless_update(std::span<const GraphUpdate> updates, Index number) {
  const Index length = std::ssize(updates), place = number % (2 * length);
  GraphUpdate update = updates[place < length ? place : 2 * length - 1 - place];
  if (place >= length) update.kind = update.kind == Kind::insert_edge ? Kind::delete_edge : Kind::insert_edge;
  return update;
}

ReplaySource::ReplaySource(std::span<const GraphUpdate> updates, double rate, Index count,
                           std::function<void(double)> observe)
    : updates_(updates), seconds_each_(1 / rate), count_(count), observe_(std::move(observe)) {
  prctl(PR_SET_TIMERSLACK, 1UL);  // threads that are made from here on wake up in time, to some microseconds
}

UpdateSource::Next ReplaySource::next(GraphUpdate& update, Clock::time_point deadline) {
  if (next_ == count_ || updates_.empty()) return Next::end;
  if (next_ == 0) begin_ = Clock::now();
  const std::chrono::duration<double> after(static_cast<double>(next_) * seconds_each_);
  const Clock::time_point arrival = begin_ + std::chrono::duration_cast<Clock::duration>(after);
  const Clock::time_point until = std::min(arrival, deadline);
  if (until > now_) now_ = Clock::now();  // what is late needs no look at the clock
  if (until > now_) std::this_thread::sleep_until(until);
  if (observe_) observe_(std::chrono::duration<double>(Clock::now() - begin_).count());
  if (until < arrival) return Next::nothing_yet;
  update = endless_update(updates_, next_++);
  update.arrival = arrival;
  return Next::update;
}

watch::Options watch_options(int threads) {
  watch::Options options;
  options.threads = threads;
  return options;
}

watch::Statistics run_all(watch::Watcher& watcher, std::span<const GraphUpdate> updates) {
  ListSource source(updates);
  return watcher.run(source, [](const watch::Alert&) {});
}

watch::Statistics run_as_text(watch::Watcher& watcher, std::span<const GraphUpdate> updates, std::size_t width) {
  constexpr std::size_t kDigits = 20;
  const auto append = [&](const watch::Alert& alert, std::string& text) {
    const std::string begin = fmt::format("{}\t{}", alert.update, alert.created ? '+' : '-');
    std::array<char, 512> line;  // one row: it has at most 16 numbers
    for (std::size_t i = 0; i < alert.matches.size(); i += width) {
      char* end = std::ranges::copy(begin, line.begin()).out;
      for (const std::uint64_t id : alert.matches.subspan(i, width)) {
        *end++ = '\t';
        end = std::to_chars(end, end + kDigits, id).ptr;
      }
      *end++ = '\n';
      text.append(line.data(), end);
    }
  };
  ListSource source(updates);
  return watcher.run(source, watch::AlertText{append, [](std::string_view) {}});
}

}  // namespace quarry::bench
