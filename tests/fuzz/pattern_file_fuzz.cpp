/// Fuzzes files of graph patterns: any bytes give patterns that are connected and labelled, or one of the errors.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "memory_file.hpp"
#include "quarry/graph_pattern.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const quarry::test::MemoryFile file(data, size);
  try {
    for (const auto& pattern : quarry::read_graph_patterns(file.path())) {
      const auto again = quarry::parse_graph_pattern(quarry::to_text(pattern));
      if (again.size() != pattern.size() || again.edges.size() != pattern.edges.size()) std::abort();
    }
  } catch (const quarry::InputError&) {
  } catch (const quarry::CapacityError&) {
  }
  return 0;
}
