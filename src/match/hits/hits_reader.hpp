/// Reads the parts of a file of hits from any source of bytes.
#pragma once
#include <memory>
#include <string>

#include "library/chunk_codec.hpp"
#include "match/hits/hits_columns.hpp"
#include "util/files/byte_source.hpp"

namespace quarry::match {

class HitsParts {
 public:
  /// @param name       begins every message
  /// @param checksums  whether they are compared; what a fuzzer changed has wrong ones
  /// @throws InputError  as HitsReader
  HitsParts(std::unique_ptr<ByteSource> source, std::string name, Checksums checksums = Checksums::verify);
  const HitsHeader& header() const { return header_; }
  bool next(NamedResult& result);
  Index num_molecules() const { return ended_ ? num_molecules_ : 0; }

 private:
  [[noreturn]] void fail(const std::string& what) const;
  std::size_t read(std::byte* bytes, std::size_t size);
  template <class Fields>
  Fields take_fields();
  void take_header();
  HitsPart take_part();
  /// The data of a part, decompressed.
  std::vector<std::byte> take_data(const HitsPart& part);
  void check_end(const HitsPart& part);

  std::unique_ptr<ByteSource> source_;
  std::string name_, place_;  ///< of the file, and within it: "the header", "block 3"
  Checksums checksums_;
  HitsHeader header_;
  Index num_blocks_ = 0, num_molecules_ = 0;
  std::uint64_t num_hits_ = 0;
  bool ended_ = false;
};

}  // namespace quarry::match
