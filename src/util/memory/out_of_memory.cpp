/// The sentence of OutOfMemory, made without memory.
#include <algorithm>
#include <string_view>

#include "quarry/error.hpp"

namespace quarry {

OutOfMemory::OutOfMemory(std::string_view place) noexcept {
  constexpr std::string_view kEnd = ": out of memory";
  const auto shown = place.substr(0, std::size(sentence_) - kEnd.size() - 1);
  *std::ranges::copy(kEnd, std::ranges::copy(shown, sentence_).out).out = '\0';
}

}  // namespace quarry
