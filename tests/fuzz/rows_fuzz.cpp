/// Fuzzes the row readers: any bytes under any of the three formats, plain or compressed, with a guessed or a named
/// column of ids, give rows or an InputError; ids and values of columns are fields of a table.
///
/// Readers open files, so the bytes pass through a file in memory that has no name on disk.
#include <algorithm>
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
  options.whole_ids = data[0] / 3 % 4 == 1;
  if (data[0] / 3 % 4 >= 2) options.id_column = data[0] / 3 % 4 == 2 ? "id" : "x";
  const quarry::test::MemoryFile file(data + 1, size - 1);
  try {
    const auto rows = quarry::open_rows(file.path(), options);
    quarry::Row row;
    for (quarry::Index line = 0; rows->next(row); line = row.line) {
      if (row.line <= line) std::abort();
      if (row.id.empty() || row.id.find_first_of("\t\n\r") != std::string::npos) std::abort();
      if (options.format == "smi" && row.record.find_first_of(" \t") != std::string::npos) std::abort();
      const std::string values = rows->column_values();
      if (values.find_first_of("\n\r") != std::string::npos || (!values.empty() && values.front() != '\t'))
        std::abort();
      if (options.format == "csv" &&
          std::count(values.begin(), values.end(), '\t') > static_cast<std::ptrdiff_t>(rows->columns().size()))
        std::abort();
    }
    for (const std::string& name : rows->columns())
      if (name.find_first_of("\t\n\r") != std::string::npos) std::abort();
  } catch (const quarry::InputError&) {
  }
  return 0;
}
