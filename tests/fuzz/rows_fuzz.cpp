/// Fuzzes the row readers: any bytes under any of the three formats, plain or compressed, give rows or an InputError.
///
/// Readers open files, so the bytes pass through a file in memory that has no name on disk.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "memory_file.hpp"
#include "readers/row_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char* const formats[] = {"smi", "csv", "sdf"};
  quarry::ReadOptions options;
  options.format = formats[data[0] % 3];
  const quarry::test::MemoryFile file(data + 1, size - 1);
  try {
    const auto rows = quarry::open_rows(file.path(), options);
    quarry::Row row;
    for (quarry::Index line = 0; rows->next(row); line = row.line) {
      if (row.line <= line) std::abort();
    }
  } catch (const quarry::InputError&) {
  }
  return 0;
}
