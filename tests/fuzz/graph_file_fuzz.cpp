/// Fuzzes the reader of `.qgraph` files. Checksums would stop nearly every mutation, so three inputs in four ignore
/// them; the first byte chooses. What is accepted must be a graph: every edge is looked up from both ends.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "graph/graph_impl.hpp"
#include "graph/read/graph_file.hpp"
#include "require.hpp"
#include "seeded_mutator.hpp"
#include "util/checksum.hpp"

namespace {

using namespace quarry;
using test::require;

void walk(const Graph& graph) {
  const auto offsets = graph.offsets();
  const auto row = [&](std::uint64_t v) { return graph.neighbours().subspan(offsets[v], offsets[v + 1] - offsets[v]); };
  for (Index v = 0; v < graph.num_vertices(); ++v) {
    for (std::size_t i = 0; i < row(v).size(); ++i) {
      const auto back = row(row(v)[i]);
      const auto found = std::ranges::lower_bound(back, v);
      require(found != back.end() && *found == v);
      if (graph.edge_labels().empty()) continue;
      const std::uint64_t reverse = offsets[row(v)[i]] + (found - back.begin());
      require(graph.edge_labels()[reverse] == graph.edge_labels()[offsets[v] + i]);
    }
    graph.id(v);
  }
}

/// A path of three vertices with every column; the columns lie one after the other, each in 64 bytes.
std::vector<std::byte> seed_file() {
  std::vector<std::byte> file(128 + 5 * 64);
  const std::uint64_t offsets[] = {0, 1, 3, 4}, ids[] = {4, 7, 9};
  const std::uint32_t neighbours[] = {1, 0, 2, 1}, vertex_labels[] = {1, 2, 3}, edge_labels[] = {5, 5, 6, 6};
  const std::span<const std::byte> columns[] = {std::as_bytes(std::span(offsets)), std::as_bytes(std::span(neighbours)),
                                                std::as_bytes(std::span(vertex_labels)),
                                                std::as_bytes(std::span(edge_labels)), std::as_bytes(std::span(ids))};
  GraphHeader header;
  header.num_vertices = 3;
  header.num_edges = 2;
  header.columns = 31;
  for (std::size_t column = 0; column < kNumGraphColumns; ++column) {
    header.checksums[column] = checksum_of(columns[column]);
    std::ranges::copy(columns[column], file.data() + 128 + 64 * column);
  }
  header.checksum = checksum_of(std::as_bytes(std::span(&header, 1)).first(offsetof(GraphHeader, checksum)));
  std::memcpy(file.data(), &header, sizeof header);
  GraphAccess::Impl graph{GraphColumns{}};
  read_graph_file(file, "seed", true, graph);  // a seed that is refused would be a bug of this harness
  return file;
}

}  // namespace

test::Seed test::make_seed(unsigned number) {
  static const auto bytes = seed_file();
  return {static_cast<std::uint8_t>(number % 4), test::text_of(bytes)};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto bytes = test::bytes_after_choice(data, size);
  auto graph = std::make_unique<GraphAccess::Impl>(GraphColumns{});
  try {
    read_graph_file(bytes, "fuzz", data[0] % 4 == 3, *graph);
    walk(GraphAccess::make(std::move(graph)));
  } catch (const InputError&) {
  }
  return 0;
}
