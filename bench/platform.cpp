#include "bench/platform.hpp"

#include <cctype>
#include <string_view>

#include "exec/device/stream.hpp"
#include "quarry/device.hpp"

namespace quarry::bench {

Platform platform_of(const Place& place) {
  const std::string where = name_of({place});
  const std::string api = where.substr(0, where.find(':'));
  if (place.api == Api::host) return {host_info().cpu, api, false};
  return {device_facts(place).model, api, place.api == Api::emulated};
}

std::string with_platform(const std::string& path, const Platform& platform) {
  constexpr std::string_view kWord = "PLATFORM";
  const auto at = path.find(kWord);
  if (at == std::string::npos) return path;
  std::string name;
  for (const char letter : platform.name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0;
    if (plain) name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    if (!plain && !name.empty() && name.back() != '-') name += '-';
  }
  return path.substr(0, at) + name + path.substr(at + kWord.size());
}

}  // namespace quarry::bench
