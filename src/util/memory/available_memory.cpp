/// Reads what Linux says about memory: /proc/meminfo, and the limits of control groups of either version.
#include "util/memory/available_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace quarry {
namespace {

constexpr Index kUnknown = std::numeric_limits<Index>::max();

/// The number after `key`, or the first of the file where the key is empty.
Index number_in(const char* path, const std::string& key) {
  std::ifstream file(path);
  std::string word;
  if (!key.empty()) {
    while (file >> word && word != key) {
    }
  }
  Index value = 0;
  return file >> value ? value : kUnknown;  // "max" stands where there is no limit
}

/// What a group may still take: its limit less its use, not counting file pages that the system can drop.
Index left_in_group(const char* limit_file, const char* usage_file, const char* statistics_file,
                    const std::string& reclaimable_key) {
  const Index limit = number_in(limit_file, ""), usage = number_in(usage_file, "");
  if (limit == kUnknown || usage == kUnknown) return kUnknown;
  const Index reclaimable = number_in(statistics_file, reclaimable_key);
  return std::max<Index>(0, limit - usage + (reclaimable == kUnknown ? 0 : std::min(reclaimable, usage)));
}

}  // namespace

Index available_memory_bytes() {
  const Index kibibytes = number_in("/proc/meminfo", "MemAvailable:");
  const Index machine = kibibytes == kUnknown ? kUnknown : kibibytes * 1024;
  const Index second = left_in_group("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current",
                                     "/sys/fs/cgroup/memory.stat", "inactive_file");
  const Index first =
      left_in_group("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes",
                    "/sys/fs/cgroup/memory/memory.stat", "total_inactive_file");
  return std::min({machine, first, second});
}

}  // namespace quarry
