/// Compression of an output, chosen by its name.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "util/files/temporary/temporary_file.hpp"

namespace quarry {

/// Takes text, hands compressed bytes to a file.
class Compressor {
 public:
  virtual ~Compressor() = default;
  virtual void compress(std::string_view text, bool last, TemporaryFile& file) = 0;
};

/// That for `.gz`, `.zst`, `.bz2` or `.xz` at the end of the path; nullptr for any other.
std::unique_ptr<Compressor> compressor_for(const std::string& path);

}  // namespace quarry
