/// Fuzzes what opens compressed files: gzip, zstd, bzip2 and xz by their first bytes. Decompressed in parts, gzip and zstd
/// give the same. At most a few MiB are taken of each, for a hundred bytes may become many.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "memory_file.hpp"
#include "quarry/error.hpp"
#include "require.hpp"
#include "util/files/byte_source.hpp"
#include "util/files/compression/parallel_bytes.hpp"

namespace {

using namespace quarry;

class Stored final : public ByteSource {
 public:
  explicit Stored(std::string_view bytes) : rest_(bytes) {}
  std::size_t read(char* bytes, std::size_t size) override {
    const std::size_t got = rest_.copy(bytes, size);
    rest_.remove_prefix(got);
    return got;
  }
  Index bytes_read() const override { return 0; }
  Index bytes_total() const override { return 0; }

 private:
  std::string_view rest_;
};

/// The first bytes, and whether all is well with them.
std::string bytes_of_source(ByteSource& source, bool& good) {
  static std::string room(std::size_t{3} << 20, '\0');
  std::size_t size = 0;
  good = true;
  try {
    while (const std::size_t got = source.read(room.data() + size, room.size() - size)) size += got;
  } catch (const DamagedBytes&) {
    good = false;
  }
  return room.substr(0, size);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view stored(reinterpret_cast<const char*>(data), size);
  const test::MemoryFile file(data, size);
  bool good = false, good_in_parts = false;
  try {
    const auto source = open_byte_source(file.path());
    const std::string whole = bytes_of_source(*source, good);
    const bool gzip = stored.starts_with("\x1f\x8b");
    if (!gzip && !stored.starts_with("\x28\xb5\x2f\xfd")) return 0;
    const auto parts = parallel_source(std::make_unique<Stored>(stored), gzip ? PartFormat::gzip : PartFormat::zstd, 2);
    const std::string in_parts = bytes_of_source(*parts, good_in_parts);
    test::require(good == good_in_parts && (!good || whole == in_parts));
  } catch (const InputError&) {
  }
  return 0;
}
