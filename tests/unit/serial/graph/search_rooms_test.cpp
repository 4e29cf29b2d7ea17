/// The memory of a team that searches: every set has room for its members and for a vector beyond them, which may be
/// written too, and no two share a byte.
#include <gtest/gtest.h>

#include <algorithm>

#include "graph/pattern/search/search_job.hpp"

namespace quarry {
namespace {

/// Vertices of the widest vector.
constexpr Index kVector = 8;

struct Part {
  Index begin = 0, end = 0;
};

TEST(SearchRooms, HoldAVectorBeyondTheLastMember) {
  std::vector<SetDefinition> sets(4);
  std::vector<SearchNode> nodes(2);
  nodes[0].last_set = nodes[1].first_set = 2;
  nodes[1].last_set = 4;
  SearchSetup setup;
  setup.sets = view_of(std::as_const(sets));
  setup.nodes = view_of(std::as_const(nodes));
  for (const Index size : {1, 7, 8, 9, 15, 16, 17, 32, 1000}) {
    const auto rooms = lay_out_memory(setup, 1, {.whole = size, .after = size, .copied = true});
    std::vector<Part> parts;
    for (const SetRoom& room : rooms) parts.push_back({room.members, room.members + 4 * (size + kVector)});
    parts.push_back({setup.row_room, setup.row_room + 4 * (size + kVector)});
    std::ranges::sort(parts, {}, &Part::begin);
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) EXPECT_LE(parts[i].end, parts[i + 1].begin) << size;
    EXPECT_GE(parts.front().begin, 0);
    EXPECT_LE(parts.back().end, setup.memory_bytes) << size;
  }
}

}  // namespace
}  // namespace quarry
