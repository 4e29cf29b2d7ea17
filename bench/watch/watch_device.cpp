/// `watch` on a device: updates a second beside the host, by the size of batches.
#include <fmt/format.h>

#include "bench/platform.hpp"
#include "bench/watch/watch_workload.hpp"

namespace quarry::bench {
namespace {

/// Of a stream whose sums must be those that the host finds. @return seconds, of one run: all cells take minutes
double seconds_of(const Stream& stream, const std::string& query, const watch::Options& options,
                  const watch::PatternTotals& expected) {
  watch::Watcher watcher(stream.initial, {load_query(stream, query)}, options);
  const double seconds = run_all(watcher, stream.updates).run_seconds;
  const watch::PatternTotals found = watcher.totals().front();
  if (found.digest != expected.digest || found.positive != expected.positive || found.negative != expected.negative)
    throw SystemError(fmt::format("{}/{} {}: the sums are not the host's, so the time means nothing", stream.set,
                                  stream.name, query));
  return seconds;
}

watch::PatternTotals sums_of_host(const Stream& stream, const std::string& query) {
  watch::Watcher watcher(stream.initial, {load_query(stream, query)}, watch_options(0));
  (void)run_all(watcher, stream.updates);
  return watcher.totals().front();
}

}  // namespace

Json watch_device_section(const std::string& device) {
  const Platform platform = platform_of(find_devices(device).at(0));
  // Updates of a stream, so that all streams take minutes; an emulated device measures nothing.
  const std::size_t num_updates = platform.emulated ? 500 : 200'000;
  Json section = Json::array();
  fmt::print("\ncounting, thousand updates a second, the graph sent before: {} by the updates of a batch\n", device);
  fmt::print("  {:<20} {:<12} {:>9} {:>9} {:>9} {:>9}\n", "stream", "query", "host", "64", "1024", "16384");
  for (const PeerRow& peer : peer_rows()) {
    auto stream = load_stream(peer.stream);
    if (!stream) continue;
    const bool is_whole = stream->updates.size() <= num_updates;
    if (!is_whole) stream->updates.resize(num_updates);
    for (const PeerCell& cell : peer.cells) {
      const watch::PatternTotals expected = sums_of_host(*stream, cell.query);
      if (is_whole) require_published(*stream, cell.query, expected);
      const auto rate = [&](const watch::Options& options) {
        return 1e-3 * static_cast<double>(stream->updates.size()) / seconds_of(*stream, cell.query, options, expected);
      };
      const double host = rate(watch_options(0));
      Json row = {{"stream", peer.stream}, {"query", cell.query}, {"host", host}};
      fmt::print("  {:<20} {:<12} {:>9.1f}", peer.stream, cell.query, host);
      for (const Index batch : {64, 1024, 16'384}) {
        watch::Options options = watch_options(0);
        options.device = device;
        options.batch = batch;
        row["thousand_updates"][std::to_string(batch)] = rate(options);
        fmt::print(" {:>9.1f}", row["thousand_updates"][std::to_string(batch)].get<double>());
      }
      fmt::print("\n");
      section.push_back(row);
      if (platform.emulated) break;
    }
    if (platform.emulated && section.size() == 2) break;
  }
  return {{"platform", platform.name}, {"api", platform.api}, {"emulated", platform.emulated}, {"counts", section}};
}

}  // namespace quarry::bench
