/// The zip archive is written by libzip; a header is one line of text.
#include "output/numpy_files.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <cerrno>
#include <cstring>
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

[[noreturn]] void fail(const std::string& path, const char* why) {
  throw SystemError(fmt::format("'{}' cannot be written: {}", path, why));
}

/// Adds a file to the archive, which reads `bytes` when it is closed.
void add_entry(zip_t* archive, const std::string& path, const char* name, const std::string& bytes) {
  zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
  const zip_int64_t index = source == nullptr ? -1 : zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    if (source != nullptr) zip_source_free(source);
    fail(path, zip_strerror(archive));
  }
  zip_set_file_compression(archive, index, ZIP_CM_STORE, 0);
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

void write_npz(const std::string& path, const SparseMatrix& matrix) {
  const std::int64_t shape[] = {matrix.num_rows, matrix.num_columns};
  const char format[] = {'c', 's', 'r'};
  const auto size = std::ssize(matrix.values);
  // Declared before the archive, which reads them when it is closed.
  const std::string columns = array_bytes<std::int64_t>("<i8", matrix.columns, {size});
  const std::string rows = array_bytes<std::int64_t>("<i8", matrix.row_offsets, {matrix.num_rows + 1});
  const std::string values = array_bytes<float>("<f4", matrix.values, {size});
  const std::string shape_bytes = array_bytes<std::int64_t>("<i8", shape, {2});
  const std::string format_bytes = array_bytes<char>("|S3", format, {});
  int error = 0;
  std::unique_ptr<zip_t, decltype(&zip_discard)> archive(zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error),
                                                         &zip_discard);
  if (!archive) fail(path, std::strerror(error == ZIP_ER_OPEN ? errno : EIO));
  add_entry(archive.get(), path, "indices.npy", columns);
  add_entry(archive.get(), path, "indptr.npy", rows);
  add_entry(archive.get(), path, "format.npy", format_bytes);
  add_entry(archive.get(), path, "shape.npy", shape_bytes);
  add_entry(archive.get(), path, "data.npy", values);
  if (zip_close(archive.get()) != 0) fail(path, zip_strerror(archive.get()));
  static_cast<void>(archive.release());  // closing has freed it
}

}  // namespace quarry::cli
