/// Fuzzes the text of graph patterns: any bytes give a pattern, which as text reads as itself, or one of the errors.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "quarry/graph_pattern.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto pattern = quarry::parse_graph_pattern({reinterpret_cast<const char*>(data), size});
    const std::string text = quarry::to_text(pattern);
    if (pattern.edges.empty() || quarry::to_text(quarry::parse_graph_pattern(text)) != text) std::abort();
  } catch (const quarry::InputError&) {
  } catch (const quarry::CapacityError&) {
  }
  return 0;
}
