/// Published streams: what their files hold, and `watch` on them, the engine and the plain form, against the results of
/// two other engines, of which streams/README.md says how they were made.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "quarry/graph_update.hpp"
#include "reference/watch.hpp"
#include "support/shared_data.hpp"
#include "support/test_device.hpp"

namespace quarry {
namespace {

using Kind = GraphUpdate::Kind;
using reference::PlainWatcher;

/// A row of reference/streams.tsv.
struct StreamRow {
  std::string set, stream, query;
  Index query_vertices = 0, query_edges = 0, automorphisms = 0, insertions = 0, deletions = 0, invalid = 0;
  std::uint64_t positive = 0, negative = 0, subgraphs = 0, nonzero_updates = 0, max_per_update = 0;
  std::uint64_t hash_positive = 0, hash_negative = 0, digest = 0;
};

std::vector<StreamRow> stream_rows() {
  std::vector<StreamRow> rows;
  std::ifstream file(test::shared_data("reference/streams.tsv"));
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    StreamRow row;
    std::uint64_t prefix = 0;
    fields >> row.set >> row.stream >> row.query >> row.query_vertices >> row.query_edges >> row.automorphisms >>
        row.insertions >> row.deletions >> row.invalid >> row.positive >> row.negative >> row.subgraphs >>
        row.nonzero_updates >> row.max_per_update >> prefix >> prefix >> std::hex >> row.hash_positive >>
        row.hash_negative >> row.digest;
    rows.push_back(row);
  }
  return rows;
}

/// The rows of one stream, such as `lastfm/dirty`.
std::vector<StreamRow> rows_of(const std::string& stream) {
  std::vector<StreamRow> rows = stream_rows();
  std::erase_if(rows, [&](const StreamRow& row) { return row.set + "/" + row.stream != stream; });
  return rows;
}

std::string folder_of(const StreamRow& row) { return test::shared_data("streams/" + row.set); }

std::vector<GraphUpdate> updates_of(const StreamRow& row) {
  UpdateReader reader(folder_of(row) + "/" + row.stream + ".stream.gz");
  std::vector<GraphUpdate> updates;
  for (GraphUpdate update; reader.next(update);) updates.push_back(update);
  EXPECT_EQ(reader.report().rejected, 0) << row.set << " " << row.stream;
  return updates;
}

TEST(SharedUpdates, HaveTheStatedNumbers) {
  std::set<std::string> seen;
  for (const StreamRow& row : stream_rows()) {
    if (!seen.insert(row.set + "/" + row.stream).second) continue;
    Index insertions = 0, deletions = 0;
    for (const GraphUpdate& update : updates_of(row)) {
      insertions += update.kind == Kind::insert_edge;
      deletions += update.kind == Kind::delete_edge;
    }
    EXPECT_EQ(insertions, row.insertions) << row.set << " " << row.stream;
    EXPECT_EQ(deletions, row.deletions) << row.set << " " << row.stream;
  }
  if (seen.empty()) GTEST_SKIP() << "reference/streams.tsv is not there";
}

std::vector<GraphPattern> patterns_of(const std::vector<StreamRow>& rows) {
  std::vector<GraphPattern> patterns;
  for (const StreamRow& row : rows) {
    patterns.push_back(read_graph_patterns(folder_of(row) + "/queries/" + row.query).front());
    EXPECT_EQ(patterns.back().size(), row.query_vertices) << row.query;
    EXPECT_EQ(std::ssize(patterns.back().edges), row.query_edges) << row.query;
  }
  return patterns;
}

std::string test_name(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == '-'; }, '_');
  return name;
}

/// Sets that the plain form watches in seconds.
class PlainStreams : public testing::TestWithParam<const char*> {};

void expect_counts(const StreamRow& row, const watch::PatternTotals& totals) {
  EXPECT_EQ(totals.automorphisms, row.automorphisms);
  EXPECT_EQ(totals.positive, row.positive);
  EXPECT_EQ(totals.negative, row.negative);
  EXPECT_EQ(totals.positive_subgraphs + totals.negative_subgraphs, row.subgraphs);
  EXPECT_EQ(totals.nonzero_updates, row.nonzero_updates);
  EXPECT_EQ(totals.max_per_update, row.max_per_update);
  EXPECT_EQ(totals.truncated, 0u);
}

void expect_row(const StreamRow& row, const watch::PatternTotals& totals) {
  SCOPED_TRACE(row.query);
  expect_counts(row, totals);
  EXPECT_EQ(totals.hash_positive, row.hash_positive);
  EXPECT_EQ(totals.hash_negative, row.hash_negative);
  EXPECT_EQ(totals.digest, row.digest);
}

TEST_P(PlainStreams, AgreeWithOtherEngines) {
  const std::vector<StreamRow> rows = rows_of(GetParam());
  if (rows.empty()) GTEST_SKIP() << GetParam() << " is not there";
  PlainWatcher watcher(read_graph(folder_of(rows[0]) + "/initial.graph.gz").graph, patterns_of(rows));
  for (const GraphUpdate& update : updates_of(rows[0])) watcher.apply(update);
  for (std::size_t i = 0; i < rows.size(); ++i) expect_row(rows[i], watcher.totals()[i]);
  Index invalid = 0;
  for (const Index faults : watcher.faults()) invalid += faults;
  EXPECT_EQ(invalid, rows[0].invalid);
}

INSTANTIATE_TEST_SUITE_P(All, PlainStreams,
                         testing::Values("churn/churn", "hub/churn", "lastfm/dirty", "lastfm/vops", "lastfm/orig",
                                         "amazon10/mix", "mathoverflow-win/win"),
                         test_name);

/// All streams, by the engine.
class WatchedStreams : public testing::TestWithParam<const char*> {};

/// Rows with more embeddings are counted and not visited, to save half of the time: 33 of 256, most of them of
/// human, collegemsg, bitcoinotc and lsbench3k. Tried once, the engine agreed with their hashes too.
constexpr std::uint64_t kMaxVisited = 6'000'000;

class ListedUpdates final : public UpdateSource {
 public:
  explicit ListedUpdates(const std::vector<GraphUpdate>& updates) : updates_(updates) {}
  Next next(GraphUpdate& update, std::chrono::steady_clock::time_point) override {
    if (taken_ == updates_.size()) return Next::end;
    update = updates_[taken_++];
    return Next::update;
  }

 private:
  const std::vector<GraphUpdate>& updates_;
  std::size_t taken_ = 0;
};

/// `+n` or `-n` of a query and an update among the first kPrefix.
using Prefix = std::map<std::pair<std::string, Index>, std::string>;
constexpr Index kPrefix = 1000;

Prefix prefix_of(const std::string& stream) {
  Prefix prefix;
  std::ifstream file(test::shared_data("reference/streams_prefix.tsv"));
  std::string line;
  for (std::getline(file, line); std::getline(file, line);) {
    std::istringstream fields(line);
    std::string set, of, query, count;
    Index update = 0;
    fields >> set >> of >> query >> update >> count;
    if (set + "/" + of == stream) prefix[{query, update}] = count;
  }
  return prefix;
}

/// What alerts say of the first updates, and the digest of each pattern.
struct Alerts {
  Prefix prefix;
  std::vector<std::uint64_t> digests;
};

watch::Statistics run_engine(watch::Watcher& watcher, const std::vector<StreamRow>& rows,
                             const std::vector<GraphUpdate>& updates, Alerts& alerts) {
  alerts.digests.resize(rows.size());
  ListedUpdates source(updates);
  return watcher.run(source, [&](const watch::Alert& alert) {
    if (alert.embeddings == 0) return;
    alerts.digests[alert.pattern] += reference::update_digest(alert.update, alert.created, alert.embeddings);
    if (alert.update >= kPrefix) return;
    alerts.prefix[{rows[alert.pattern].query, alert.update}] =
        (alert.created ? "+" : "-") + std::to_string(alert.embeddings);
  });
}

void expect_statistics(const StreamRow& row, const watch::Statistics& found) {
  EXPECT_EQ(found.insertions, row.insertions);
  EXPECT_EQ(found.deletions, row.deletions);
  EXPECT_EQ(found.updates - found.faults[0], row.invalid);
}

TEST_P(WatchedStreams, AreCountedAsByOtherEngines) {
  const std::vector<StreamRow> rows = rows_of(GetParam());
  if (rows.empty()) GTEST_SKIP() << GetParam() << " is not there";
  watch::Watcher watcher(read_graph(folder_of(rows[0]) + "/initial.graph.gz").graph, patterns_of(rows));
  Alerts alerts;
  expect_statistics(rows[0], run_engine(watcher, rows, updates_of(rows[0]), alerts));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(rows[i].query);
    expect_counts(rows[i], watcher.totals()[i]);
    EXPECT_EQ(alerts.digests[i], rows[i].digest);
  }
  EXPECT_EQ(alerts.prefix, prefix_of(GetParam()));
}

TEST_P(WatchedStreams, HaveTheEmbeddingsOfOtherEngines) {
  std::vector<StreamRow> rows = rows_of(GetParam());
  if (rows.empty()) GTEST_SKIP() << GetParam() << " is not there";
  std::erase_if(rows, [](const StreamRow& row) { return row.positive + row.negative > kMaxVisited; });
  watch::Options options;
  options.digest = true;
  watch::Watcher watcher(read_graph(folder_of(rows[0]) + "/initial.graph.gz").graph, patterns_of(rows), options);
  Alerts alerts;
  expect_statistics(rows[0], run_engine(watcher, rows, updates_of(rows[0]), alerts));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    expect_row(rows[i], watcher.totals()[i]);
    EXPECT_EQ(alerts.digests[i], rows[i].digest) << rows[i].query;
  }
}

/// On the device of the tests, or else an emulated one: as many updates as that finds in seconds, against the host.
TEST_P(WatchedStreams, AreTheSameOnADevice) {
  std::vector<StreamRow> rows = rows_of(GetParam());
  if (rows.empty()) GTEST_SKIP() << GetParam() << " is not there";
  std::vector<GraphUpdate> updates = updates_of(rows[0]);
  const bool emulated = test::test_device() == "host" || test::test_device().starts_with("emulated");
  if (emulated) updates.resize(std::min<std::size_t>(updates.size(), 2000));
  const Graph graph = read_graph(folder_of(rows[0]) + "/initial.graph.gz").graph;
  const auto digests = [&](const std::string& device) {
    watch::Options options;
    options.device = device;
    options.batch = 500;
    watch::Watcher watcher(graph, patterns_of(rows), options);
    Alerts alerts;
    run_engine(watcher, rows, updates, alerts);
    return alerts;
  };
  const Alerts host = digests("host"), device = digests(emulated ? "emulated:1" : test::test_device());
  EXPECT_EQ(device.digests, host.digests);
  EXPECT_EQ(device.prefix, host.prefix);
}

INSTANTIATE_TEST_SUITE_P(All, WatchedStreams,
                         testing::Values("amazon10/ins", "amazon10/mix", "ascaida/diff", "bitcoinotc/ins",
                                         "bitcoinotc/mix", "bitcoinotc-win/win", "churn/churn", "collegemsg/ins",
                                         "collegemsg/mix", "collegemsg-win/win", "github/orig", "hub/churn",
                                         "human/ins", "human/mix", "lastfm/dirty", "lastfm/orig", "lastfm/vops",
                                         "lsbench3k/ins", "lsbench3k/mix", "mathoverflow/ins", "mathoverflow/mix",
                                         "mathoverflow-win/win"),
                         test_name);

TEST(StreamTable, HasTheStreamsAbove) {
  const std::vector<StreamRow> rows = stream_rows();
  if (rows.empty()) GTEST_SKIP() << "reference/streams.tsv is not there";
  EXPECT_EQ(rows.size(), 256u);
  std::set<std::string> streams;
  for (const StreamRow& row : rows) streams.insert(row.set + "/" + row.stream);
  EXPECT_EQ(streams.size(), 22u);
}

}  // namespace
}  // namespace quarry
