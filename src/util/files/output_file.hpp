/// Text output that is complete or absent, compressed as its name says.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "util/files/temporary/temporary_file.hpp"

namespace quarry {

class Compressor;

class OutputFile {
 public:
  /// @param path  `.gz`, `.zst`, `.bz2` and `.xz` are compressed; "-" is standard output
  /// @throws SystemError  the folder cannot be written
  explicit OutputFile(const std::string& path);
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) noexcept;
  ~OutputFile();  ///< without `finish`, leaves nothing behind

  /// @throws SystemError  the disk is full or the write failed
  void write(std::string_view text);
  /// Ends the compressed stream and commits the file. @throws SystemError as `write`
  void finish();
  /// As `finish`, but the file appears even where files of this process are held.
  void finish_at_once();

 private:
  std::unique_ptr<TemporaryFile> file_;
  std::unique_ptr<Compressor> compressor_;  // null where nothing is compressed
};

}  // namespace quarry
