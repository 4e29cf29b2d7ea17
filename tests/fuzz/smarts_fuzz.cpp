/// Fuzzes the SMARTS compiler: any text is either compiled or refused with a reason, and the answer is the same twice.
///
/// The text first passes through RDKit's own parser, whose recursion grows with the input; 200 characters keep it
/// within any stack.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "quarry/query.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 200) return 0;
  const auto hydrogens = data[0] % 2 == 0 ? quarry::QueryHydrogens::literal : quarry::QueryHydrogens::merge;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  const quarry::QuerySet set = quarry::compile_queries({text}, hydrogens);
  if (set.accepted.size() + set.rejected.size() > 1) std::abort();
  for (const quarry::Query& query : set.accepted) {
    const quarry::QuerySet again = quarry::compile_queries({text}, hydrogens);
    if (again.accepted.size() != 1 || !(again.accepted[0].pattern == query.pattern)) std::abort();
  }
  return 0;
}
