#include "util/memory.hpp"

#include <fstream>
#include <string>

namespace quarry {

Index available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  for (Index kibibytes = 0; file >> name >> kibibytes; std::getline(file, unit)) {
    if (name == "MemAvailable:") return 1024 * kibibytes;
  }
  return 0;
}

}  // namespace quarry
