#include "bench/platform.hpp"

#include <string_view>

#include "exec/device/stream.hpp"
#include "quarry/device.hpp"
#include "util/ascii.hpp"

namespace quarry::bench {

Platform platform_of(const DeviceId& device_id) {
  const std::string where = name_of({device_id});
  const std::string api = where.substr(0, where.find(':'));
  if (device_id.api == Api::host) return {host_info().cpu, api, false};
  return {device_facts(device_id).model, api, device_id.api == Api::emulated};
}

std::string with_platform(const std::string& path, const Platform& platform) {
  constexpr std::string_view kWord = "PLATFORM";
  const auto at = path.find(kWord);
  if (at == std::string::npos) return path;
  std::string name;
  for (const char c : lower_case(platform.name)) {
    const bool plain = is_letter(c) || is_digit(c);
    if (plain) name += c;
    if (!plain && !name.empty() && name.back() != '-') name += '-';
  }
  return path.substr(0, at) + name + path.substr(at + kWord.size());
}

}  // namespace quarry::bench
