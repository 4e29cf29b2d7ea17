/// Fuzzes files of queries: lines, tables with a header, CSV. Any bytes give queries within their limits, refused rows, or an
/// InputError. Few SMARTS are compiled: smarts_fuzz does that.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "chemistry/smarts/query_rows.hpp"
#include "memory_file.hpp"
#include "quarry/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const quarry::test::MemoryFile file(data, size);
  try {
    quarry::Index last_line = 0;
    quarry::for_each_query_row(file.path(), [&](quarry::QueryRow&& row) {
      const quarry::Query& query = row.query;
      if (query.line <= last_line) std::abort();
      last_line = query.line;
      if (query.least < 0 || query.most < 0) std::abort();
      if (row.reason.empty() && query.least > query.most) std::abort();
      if (row.reason.empty() && query.smarts.empty()) std::abort();
    });
  } catch (const quarry::InputError&) {
  }
  return 0;
}
