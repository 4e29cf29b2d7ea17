/// The zip archive is written by libarchive; a header is one line of text.
#include "output/numpy_files.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <type_traits>

namespace quarry::cli {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;

[[noreturn]] void cannot_write(const std::string& path, const char* why) {
  throw SystemError(fmt::format("cannot write {}: {}", path, why));
}

/// A file without a name in the folder of `path`, where there is room for its result as well.
std::FILE* unnamed_file(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  std::FILE* const file = descriptor < 0 ? std::tmpfile() : ::fdopen(descriptor, "w+b");
  if (file == nullptr) cannot_write(path, std::strerror(errno));
  return file;
}

template <class T>
void append(std::FILE* file, std::span<const T> values, const std::string& path) {
  if (values.empty()) return;
  if (std::fwrite(values.data(), sizeof(T), values.size(), file) != values.size())
    cannot_write(path, std::strerror(errno));
}

/// A zip archive that is written from its beginning to its end. Nothing in it is compressed.
class Archive {
 public:
  Archive(Output& output, const std::string& path)
      : output_(output), path_(path), archive_(archive_write_new(), &archive_write_free) {
    if (!archive_) throw std::bad_alloc();
    check(archive_write_set_format_zip(archive_.get()));
    check(archive_write_zip_set_compression_store(archive_.get()));
    check(archive_write_set_bytes_per_block(archive_.get(), 0));
    check(archive_write_open(archive_.get(), this, nullptr, &Archive::take, nullptr));
  }

  /// The array with the header of NumPy. @param put  gives its bytes to `data`
  void add(const char* name, const std::string& header, Index bytes, const std::function<void()>& put) {
    const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(), &archive_entry_free);
    if (!entry) throw std::bad_alloc();
    archive_entry_set_pathname(entry.get(), name);
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_size(entry.get(), std::ssize(header) + bytes);
    check(archive_write_header(archive_.get(), entry.get()));
    data(header);
    put();
  }

  void data(std::string_view bytes) {
    while (!bytes.empty()) {
      const la_ssize_t written = archive_write_data(archive_.get(), bytes.data(), bytes.size());
      if (written <= 0) check(ARCHIVE_FATAL);
      bytes.remove_prefix(written);
    }
  }

  void close() { check(archive_write_close(archive_.get())); }

 private:
  /// Takes bytes of the archive. An exception must not pass through the library.
  static la_ssize_t take(::archive*, void* self, const void* bytes, std::size_t size) {
    auto* const archive = static_cast<Archive*>(self);
    try {
      archive->output_.write({static_cast<const char*>(bytes), size});
      return static_cast<la_ssize_t>(size);
    } catch (...) {
      archive->error_ = std::current_exception();
      return -1;
    }
  }

  void check(int status) {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    if (status == ARCHIVE_OK) return;
    const char* const what = archive_error_string(archive_.get());
    if (what == nullptr || archive_errno(archive_.get()) == ENOMEM) throw std::bad_alloc();
    cannot_write(path_, what);
  }

  Output& output_;
  std::string path_;
  std::exception_ptr error_;
  std::unique_ptr<::archive, decltype(&archive_write_free)> archive_;
};

std::string_view bytes_of(const auto& values) {
  return {reinterpret_cast<const char*>(std::data(values)), std::size(values) * sizeof(*std::data(values))};
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

template <class Value>
SparseFile<Value>::SparseFile(const std::string& path, Index num_columns, const std::vector<std::string>& texts)
    : path_(path),
      output_(path),
      num_columns_(num_columns),
      offsets_(unnamed_file(path), &std::fclose),
      columns_(unnamed_file(path), &std::fclose),
      values_(unnamed_file(path), &std::fclose) {
  for (const std::string& name : texts) texts_.push_back({name, File(unnamed_file(path), &std::fclose)});
  append(offsets_.get(), std::span<const Index>(&num_values_, 1), path_);
}

template <class Value>
void SparseFile<Value>::add_row(std::span<const std::int64_t> columns, std::span<const Value> values) {
  append(columns_.get(), columns, path_);
  append(values_.get(), values, path_);
  num_values_ += std::ssize(columns);
  append(offsets_.get(), std::span<const Index>(&num_values_, 1), path_);
  ++num_rows_;
}

template <class Value>
void SparseFile<Value>::add_text(std::size_t array, std::string_view text) {
  append(texts_[array].file.get(), std::span<const char>(text), path_);
  texts_[array].bytes += std::ssize(text);
}

template <class Value>
void SparseFile<Value>::finish() {
  const std::int64_t shape[] = {num_rows_, num_columns_};
  constexpr std::string_view kFormat = "csr";
  Archive archive(output_, path_);
  const auto add_bytes = [&](const char* name, const std::string& header, std::string_view bytes) {
    archive.add(name, header, std::ssize(bytes), [&] { archive.data(bytes); });
  };
  const auto add_file = [&](const std::string& name, const char* type, std::FILE* file, Index size, Index item_bytes) {
    archive.add(name.c_str(), npy_header(type, {size}), size * item_bytes, [&] {
      if (std::fflush(file) != 0 || std::fseek(file, 0, SEEK_SET) != 0) cannot_write(path_, std::strerror(errno));
      std::vector<char> block(kBlockBytes);
      while (const std::size_t read = std::fread(block.data(), 1, block.size(), file))
        archive.data({block.data(), read});
      if (std::ferror(file) != 0) cannot_write(path_, std::strerror(errno));
    });
  };
  constexpr bool kIsFloat = std::is_same_v<Value, float>;
  add_file("indices.npy", "<i8", columns_.get(), num_values_, sizeof(std::int64_t));
  add_file("indptr.npy", "<i8", offsets_.get(), num_rows_ + 1, sizeof(std::int64_t));
  add_bytes("format.npy", npy_header("|S3", {}), kFormat);
  add_bytes("shape.npy", npy_header("<i8", {2}), bytes_of(shape));
  add_file("data.npy", kIsFloat ? "<f4" : "<i8", values_.get(), num_values_, sizeof(Value));
  for (const Text& text : texts_) add_file(text.name + ".npy", "|u1", text.file.get(), text.bytes, 1);
  archive.close();
  output_.finish();
}

template class SparseFile<float>;
template class SparseFile<std::int64_t>;

}  // namespace quarry::cli
