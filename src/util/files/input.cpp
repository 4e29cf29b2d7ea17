/// The public face of ByteSource.
#include "quarry/files/input.hpp"

#include <fmt/format.h>

#include <vector>

#include "util/files/byte_source.hpp"

namespace quarry {

void read_pieces(const std::string& path, const std::function<void(std::string_view)>& sink) {
  constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
  std::vector<char> piece(kPieceBytes);
  const auto source = open_byte_source(path);
  for (;;) {
    std::size_t size = 0;
    try {
      size = source->read(piece.data(), piece.size());
    } catch (const DamagedBytes& damage) {
      throw InputError(fmt::format("'{}': {}", input_name(path), damage.what()));
    }
    if (size == 0) return;
    sink({piece.data(), size});
  }
}

}  // namespace quarry
