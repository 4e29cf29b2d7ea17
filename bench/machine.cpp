#include "bench/machine.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>

#include "quarry/device.hpp"
#include "quarry/version.hpp"

namespace quarry::bench {

Json load_average() {
  std::array<double, 3> load{};
  if (getloadavg(load.data(), 3) != 3) return nullptr;
  return {load[0], load[1], load[2]};
}

Json describe_run(const std::string& commit) {
  const HostInfo host = host_info();
  const std::time_t now = std::time(nullptr);
  std::array<char, 32> date{};
  std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return {{"cpu", host.cpu},
          {"simd", host.simd},
          {"cores", host.threads},
          {"memory_gib", memory / (1 << 30)},
          {"compiler", QUARRY_COMPILER},
          {"flags", QUARRY_FLAGS},
          {"quarry", kVersion},
          {"rdkit", rdkit_version()},
          {"commit", commit},
          {"date", date.data()},
          {"load_average", load_average()}};
}

Index peak_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6));
  }
  return 0;
}

}  // namespace quarry::bench
