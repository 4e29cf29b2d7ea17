/// Fuzzes what reads GraphML, GML and Pajek by igraph: any bytes give a graph, or an error in words, and igraph never
/// ends the program.
///
/// The first byte chooses the format. Inputs are short and memory is limited, for igraph itself is not what is tested.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "graph/read/graph_file.hpp"
#include "memory_file.hpp"
#include "quarry/graph.hpp"
#include "seeded_mutator.hpp"

namespace {

using namespace quarry;

constexpr const char* kFormats[] = {"graphml", "gml", "pajek"};
constexpr std::string_view kSeeds[] = {
    "<graphml><key id=\"w\" for=\"edge\" attr.name=\"w\" attr.type=\"double\"/><graph edgedefault=\"directed\">"
    "<node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"><data key=\"w\">1</data></edge></graph></graphml>",
    "graph [ directed 1 node [ id 1 label \"a\" ] node [ id 2 label \"b\" ] edge [ source 1 target 2 weight 3 ] ]",
    "*Vertices 3\n1 \"a b\" 0.1 0.2\n2 \"c\"\n*Edges\n1 2 1.5\n*Arcs\n3 1\n",
};

}  // namespace

test::Seed test::make_seed(unsigned number) {
  const std::size_t format = number % std::size(kSeeds);
  return {static_cast<std::uint8_t>(format), std::string(kSeeds[format])};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  GraphReadOptions options;
  options.format = kFormats[data[0] % std::size(kFormats)];
  options.threads = 1;
  options.memory_bytes = Index{1} << 22;
  const test::MemoryFile file(data + 1, size - 1);
  try {
    const auto [graph, report] = read_graph(file.path(), options);
    if (!check_rows(GraphAccess::impl(graph)).empty() || report.rows != report.ok) std::abort();
    for (Index v = 0; graph.has_names() && v < graph.num_vertices(); ++v)
      if (graph.name(v).empty() || (v > 0 && graph.name(v) <= graph.name(v - 1))) std::abort();
  } catch (const InputError&) {
  } catch (const CapacityError&) {
  }
  return 0;
}
