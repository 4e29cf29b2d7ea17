/// The zip archive is written by libzip; a header is one line of text.
#include "output/numpy_files.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <memory>
#include <span>

namespace quarry::cli {
namespace {

/// The bytes of an array with its header.
template <class T>
std::string array_bytes(const std::string& type, std::span<const T> values, const std::vector<Index>& shape) {
  std::string bytes = npy_header(type, shape);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return bytes;
}

[[noreturn]] void fail(const char* why) { throw SystemError(fmt::format("a .npz file cannot be made: {}", why)); }

/// Adds a file to the archive, which reads `bytes` when it is closed. The time is always that which NumPy writes.
void add_entry(zip_t* archive, const char* name, const std::string& bytes) {
  constexpr zip_uint16_t kMidnight = 0, kFirstOf1980 = 0x21;
  zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
  const zip_int64_t index = source == nullptr ? -1 : zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    if (source != nullptr) zip_source_free(source);
    fail(zip_strerror(archive));
  }
  zip_set_file_compression(archive, index, ZIP_CM_STORE, 0);
  zip_file_set_dostime(archive, index, kMidnight, kFirstOf1980, 0);
}

using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;
using Source = std::unique_ptr<zip_source_t, decltype(&zip_source_free)>;

void copy(zip_source_t* memory, Output& output) {
  if (zip_source_open(memory) != 0) fail(zip_error_strerror(zip_source_error(memory)));
  std::vector<char> bytes(std::size_t{1} << 18);
  for (zip_int64_t size = 1; size > 0;) {
    size = zip_source_read(memory, bytes.data(), bytes.size());
    if (size < 0) fail(zip_error_strerror(zip_source_error(memory)));
    output.write({bytes.data(), static_cast<std::size_t>(size)});
  }
  zip_source_close(memory);
}

}  // namespace

std::string npy_header(const std::string& type, const std::vector<Index>& shape) {
  std::string dimensions;
  for (const Index size : shape) dimensions += fmt::format("{},", size);
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, dimensions);
  constexpr std::size_t kBefore = 10, kAlignment = 64;  // magic, version and length; the data begins aligned
  text.append((kAlignment - (kBefore + text.size() + 1) % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header.push_back(text.size() % 256);
  header.push_back(text.size() / 256);
  return header + text;
}

void write_npz(Output& output, const SparseMatrix& matrix) {
  const std::int64_t shape[] = {matrix.num_rows, matrix.num_columns};
  const char format[] = {'c', 's', 'r'};
  const auto size = std::ssize(matrix.values);
  // Declared before the archive, which reads them when it is closed.
  const std::string columns = array_bytes<std::int64_t>("<i8", matrix.columns, {size});
  const std::string rows = array_bytes<std::int64_t>("<i8", matrix.row_offsets, {matrix.num_rows + 1});
  const std::string values = array_bytes<float>("<f4", matrix.values, {size});
  const std::string shape_bytes = array_bytes<std::int64_t>("<i8", shape, {2});
  const std::string format_bytes = array_bytes<char>("|S3", format, {});
  const Source memory(zip_source_buffer_create(nullptr, 0, 0, nullptr), &zip_source_free);
  Archive archive(memory ? zip_open_from_source(memory.get(), ZIP_TRUNCATE, nullptr) : nullptr, &zip_discard);
  if (!archive) fail("out of memory");
  zip_source_keep(memory.get());  // the archive takes one of two references
  add_entry(archive.get(), "indices.npy", columns);
  add_entry(archive.get(), "indptr.npy", rows);
  add_entry(archive.get(), "format.npy", format_bytes);
  add_entry(archive.get(), "shape.npy", shape_bytes);
  add_entry(archive.get(), "data.npy", values);
  if (zip_close(archive.get()) != 0) fail(zip_strerror(archive.get()));
  static_cast<void>(archive.release());  // closing has freed it
  copy(memory.get(), output);
}

}  // namespace quarry::cli
