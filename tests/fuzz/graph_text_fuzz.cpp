/// Fuzzes the readers of graphs as text: any bytes under any format give a graph, or an error in words.
///
/// The first byte chooses format and options. Memory is limited, so that a header may state what it likes.
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "graph/read/graph_file.hpp"
#include "memory_file.hpp"
#include "quarry/graph.hpp"
#include "require.hpp"
#include "seeded_mutator.hpp"

namespace {

using namespace quarry;
using test::require;

void check(const LoadedGraph& loaded) {
  const auto& [graph, report] = loaded;
  require(check_rows(GraphAccess::impl(graph)).empty());
  require(report.rows == report.ok + report.rejected);
  require(report.ok == report.edges + report.loops + report.repeated + report.reversed);
  require(report.vertices == graph.num_vertices() && report.edges == graph.num_edges());
  require(report.isolated <= report.vertices);
  require(graph.vertex_labels().empty() || std::ssize(graph.vertex_labels()) == graph.num_vertices());
  require(graph.edge_labels().empty() || graph.edge_labels().size() == graph.neighbours().size());
}

/// A good text of each format, the edge list first.
constexpr std::string_view kSeeds[] = {
    "# V 4 E 2\nfrom,to\n0,1,7\n3;2 5\n",
    "1\t18446744073709551615\n4294967296 9\n",
    "%%MatrixMarket matrix coordinate integer symmetric\n% c\n3 3 2\n2 1 4\n3 3 5\n",
    "3 2 111 2\n9 1 8 2 3\n9 2 8 1 3 3 4\n9 3 8 2 4\n",
    "t 3 2\nv 0 5 1\nv 1 6 2\nv 2 5 1\ne 0 1\ne 1 2 3\n",
    "source,target,n\n\"a \"\"x\"\"\",b,1\nb , c d,2\n1,b,3\n",
    "v 7 5\nv 1 6\nv 18446744073709551615 5\ne 7 1\ne 1 18446744073709551615 3\n",
};

}  // namespace

test::Seed test::make_seed(unsigned number) {
  const std::size_t seed = number % std::size(kSeeds);
  const std::size_t format = seed == 3 ? 3 : 0;  // METIS must be named, others are recognised
  const std::size_t choice = number / std::size(kSeeds) % 8 * 32;
  return {static_cast<std::uint8_t>(choice + (format + 7 - choice % 7) % 7), std::string(kSeeds[seed])};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char* const formats[] = {"", "edges", "mtx", "metis", "labelled", "adjlist", "names"};
  GraphReadOptions options;
  options.format = formats[data[0] % 7];
  options.edge_labels = (data[0] & 32) != 0;
  options.skip_bad = (data[0] & 64) != 0;
  options.threads = 1;
  options.memory_bytes = Index{1} << 25;
  const test::MemoryFile file(data + 1, size - 1);
  if ((data[0] & 128) != 0) options.vertex_labels = file.path();  // the same file has the labels
  try {
    check(read_graph(file.path(), options));
  } catch (const InputError&) {
  } catch (const CapacityError&) {
  }
  return 0;
}
