/// What the program runs on.
#pragma once
#include <string>

namespace quarry {

struct HostInfo {
  std::string cpu;   ///< model as the system names it
  std::string simd;  ///< instruction set that the kernels use here, for example "AVX3"
  int threads = 0;   ///< threads that `threads = 0` means
};

HostInfo host_info();

}  // namespace quarry
