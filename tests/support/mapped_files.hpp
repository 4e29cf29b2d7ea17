/// How many files of a folder this process has mapped.
#pragma once
#include <fstream>
#include <string>

#include "quarry/index.hpp"

namespace quarry::test {

inline Index num_mapped(const std::string& folder) {
  std::ifstream maps("/proc/self/maps");
  Index count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find(folder) != std::string::npos ? 1 : 0;
  return count;
}

}  // namespace quarry::test
