/// The memory of a team that searches: every set has room for its members and for a vector beyond them, which may be
/// written too, every loaded set a bitmap, and no two share a byte.
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

/// Four sets at two vertices: rows, a part of a row with a label, and what is in two of them.
struct FourSets {
  FourSets() {
    nodes[0].last_set = nodes[1].first_set = 2;
    nodes[1].last_set = 4;
    sets[1].edge_label = 7;
    sets[1].load = true;
    sets[2].source = 1;
    sets[2].intersect = true;
    sets[3].source = 0;
    sets[3].load = true;
    setup.sets = view_of(std::as_const(sets));
    setup.nodes = view_of(std::as_const(nodes));
  }
  std::vector<SetDefinition> sets = std::vector<SetDefinition>(4);
  std::vector<SearchNode> nodes = std::vector<SearchNode>(2);
  SearchSetup setup;
};

void expect_distinct(std::vector<Part> parts, Index memory_bytes) {
  std::ranges::sort(parts, {}, &Part::begin);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) EXPECT_LE(parts[i].end, parts[i + 1].begin);
  EXPECT_EQ(parts.front().begin, 0);
  EXPECT_LE(parts.back().end, memory_bytes);
}

TEST(SearchRooms, HoldAVectorBeyondTheLastMember) {
  for (const bool copied : {false, true}) {
    for (const Index size : {1, 7, 8, 9, 15, 16, 17, 32, 1000}) {
      for (const int lanes : {1, 64}) {
        SCOPED_TRACE(testing::Message() << size << " members, " << lanes << " lanes, copied " << copied);
        FourSets made;
        const Index bitmap_bytes = (size + 63) / 64 * 8;
        const auto rooms = lay_out_memory(made.setup, lanes,
                                          {.whole = size, .after = size, .bitmap_vertices = size, .copied = copied});
        std::vector<Part> parts = {{0, lanes * std::ssize(made.sets) * Index{sizeof(LiveSet)}}};
        int num_bitmaps = 0, num_members = 0;
        for (const SetRoom& room : rooms) {
          if (room.members >= 0) parts.push_back({room.members, room.members + 4 * (size + kVector)});
          if (room.bitmap >= 0) parts.push_back({room.bitmap, room.bitmap + bitmap_bytes});
          num_members += room.members >= 0 ? 1 : 0;
          num_bitmaps += room.bitmap >= 0 ? 1 : 0;
        }
        parts.push_back({made.setup.row_room, made.setup.row_room + 4 * (size + kVector)});
        expect_distinct(parts, made.setup.memory_bytes);
        EXPECT_EQ(num_members, copied ? 4 : 3) << "a set that is a part of a row needs none";
        EXPECT_EQ(num_bitmaps, 2);
      }
    }
  }
}

}  // namespace
}  // namespace quarry
