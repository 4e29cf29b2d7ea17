/// Fuzzes the readers of updates: any bytes under any format give updates, one for each row, or an error in words.
///
/// The first byte chooses the format and whether there is a window. A window deletes only what arrived before.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "memory_file.hpp"
#include "quarry/error.hpp"
#include "quarry/graph_update.hpp"
#include "require.hpp"
#include "seeded_mutator.hpp"

namespace {

using namespace quarry;
using Kind = GraphUpdate::Kind;
using test::require;

void read_all(const std::string& path, const UpdateReadOptions& options) {
  UpdateReader reader(path, options);
  std::set<std::pair<std::uint64_t, std::uint64_t>> present;
  Index num_updates = 0, num_unreadable = 0;
  for (GraphUpdate update; reader.next(update); ++num_updates) {
    num_unreadable += update.kind == Kind::unreadable;
    require(!update.adds_ends || update.kind == Kind::insert_edge);
    require(update.label != kAnyLabel || update.kind != Kind::insert_edge);
    if (options.window == 0 || update.from == update.to) continue;
    const auto ends = std::minmax(update.from, update.to);
    if (update.kind == Kind::insert_edge) require(present.insert(ends).second);
    if (update.kind == Kind::delete_edge) require(present.erase(ends) == 1);
  }
  const UpdateReport& report = reader.report();
  require(report.rows == report.ok + report.rejected && report.rejected == num_unreadable);
  require(num_updates == report.rows - report.refreshed + report.expired);
  require(std::ssize(report.rejected_rows) == std::min(report.rejected, kMaxNamedRows));
}

constexpr const char* kFormats[] = {"updates", "csv", "tsv", "jsonl"};
/// A good text of each format.
constexpr std::string_view kSeeds[] = {
    "# c\ne 1 2 3\r\n-e 2 1\nv 18446744073709551615 4\n-v 4294967296\n",
    "from,to,label,op,time,from_label,to_label\n1,2,3,+,4,5,6\n1, \"2\",,insert,4.5,,\n2,1,3,+,9,,\n"
    "2,1,3,+,2024-02-29T23:59:60.5+05:30,,\n",
    "time\tsource\ttarget\n1\t2\t3\n2\t3\t2\n-1e3\t5\t6\n8\t9\t9\n",
    "{\"from\":1,\"to\":2,\"time\":3}\n{\"vertex\":4,\"op\":\"-\"}\n{\"source\":2,\"target\":1,\"label\":null,\"time\":"
    "7}\n",
};

}  // namespace

test::Seed test::make_seed(unsigned number) {
  const std::size_t format = number % std::size(kSeeds);
  return {static_cast<std::uint8_t>(format + (number & 4)), std::string(kSeeds[format])};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  UpdateReadOptions options;
  options.format = kFormats[data[0] % std::size(kFormats)];
  options.window = (data[0] & 4) != 0 ? 3 : 0;
  const test::MemoryFile file(data + 1, size - 1);
  try {
    read_all(file.path(), options);
  } catch (const InputError&) {
  }
  return 0;
}
