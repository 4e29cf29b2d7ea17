/// Text files line by line, plain or compressed (.gz, .zst, .bz2, .xz), or standard input.
///
/// A ByteSource delivers decompressed bytes; LineReader cuts them at line ends: \n, \r\n, or \r in a file that has no
/// \n. What is no text is refused: UTF-16, libraries, graphs and hits. Every error is an InputError that names
/// the file and the line reached.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "quarry/error.hpp"

namespace quarry {

class ByteSource;

/// A longer line is refused: it is not text, or it is damaged.
inline constexpr Index kMaxLineBytes = Index{64} << 20;

class LineReader {
 public:
  /// @param path  a file, compressed or not, or "-" for standard input
  /// @param threads  as for open_byte_source
  /// @throws InputError  the file is missing, a directory or unreadable
  explicit LineReader(const std::string& path, int threads = 1);
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;
  ~LineReader();

  /// Puts the next line, without its \n or \r\n, into `line`. @return false at the end of the file
  /// @throws InputError  the compressed data is damaged or cut short, or a line is longer than kMaxLineBytes
  bool next(std::string& line);
  /// Puts whole lines of about `size` bytes into `lines`, each with its \n, even the last line of the file.
  /// @return false at the end of the file
  /// @throws InputError  as `next`
  bool next_lines(std::string& lines, std::size_t size);

  /// Number of the line that was delivered last, from 1; 0 before the first.
  Index line_number() const { return line_number_; }
  /// Bytes of the file as stored (compressed bytes of a compressed file) read so far and in all; in all is 0 where
  /// it is not known.
  Index bytes_read() const;
  Index bytes_total() const;

 private:
  bool refill();
  std::size_t read_bytes(char* bytes, std::size_t size);
  void know_line_ends();

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t position_ = 0, end_ = 0;
  Index line_number_ = 0;
  bool knows_ends_ = false, ends_with_cr_ = false;  // \r alone ends a line
};

}  // namespace quarry
