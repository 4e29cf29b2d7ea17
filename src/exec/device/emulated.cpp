#ifdef QUARRY_WITH_EMULATION
#include "exec/device/emulated.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <unordered_map>
#include <utility>

#include "exec/device/emulated_stream.hpp"
#include "util/stopwatch.hpp"

namespace quarry {
namespace {

constexpr Index kDefaultBytes = Index{1} << 30;
/// PERF: of larger pieces tests use the front, and a page that nobody touches costs nothing.
constexpr Index kMaxGarbageBytes = Index{1} << 18;

/// What the environment sets for a device, see the header.
Index asked(int lanes, const std::string& what, Index otherwise) {
  const char* value = std::getenv(("QUARRY_EMULATED_" + std::to_string(lanes) + what).c_str());
  return value == nullptr ? otherwise : std::strtoll(value, nullptr, 10);
}

/// Memory that is zero, in pages of its own. PERF: std::calloc would clear pages that were in use before.
/// AddressSanitizer watches only what std::calloc gives.
void* map_zeros(std::size_t bytes) {
#ifdef QUARRY_ADDRESS_SANITIZER
  return std::calloc(bytes, 1);
#else
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
#endif
}

void unmap_zeros(void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef QUARRY_ADDRESS_SANITIZER
  std::free(memory);
#else
  ::munmap(memory, bytes);
#endif
}

/// Bytes in use on each device, by its lanes: all streams of the process share the device's memory.
std::atomic<Index>& used_bytes(int lanes) {
  static std::array<std::atomic<Index>, 65> used{};
  return used.at(lanes);
}

class EmulatedStream : public Stream {
 public:
  explicit EmulatedStream(int lanes)
      : lanes_(lanes),
        memory_bytes_(asked(lanes, "_BYTES", kDefaultBytes)),
        operations_left_(asked(lanes, "_LOST_AFTER", INT64_MAX)) {}

  void* allocate(Index bytes) override {
    operate("allocate " + std::to_string(bytes) + " bytes");
    const bool fits = (used_bytes(lanes_) += bytes) <= memory_bytes_;
    void* memory = fits ? ::operator new(bytes, std::align_val_t(64), std::nothrow) : nullptr;
    if (memory == nullptr) {
      used_bytes(lanes_) -= bytes;
      throw_no_room({Api::emulated, lanes_}, bytes);
    }
    std::memset(memory, std::to_integer<int>(kGarbage), std::min(bytes, kMaxGarbageBytes));
    sizes_[memory] = bytes;
    return memory;
  }
  void release(void* memory) noexcept override {
    const auto size = sizes_.find(memory);
    used_bytes(lanes_) -= size->second;
    sizes_.erase(size);
    ::operator delete(memory, std::align_val_t(64));
  }
  std::byte* staging(Index bytes) override {
    operate("finish its work");
    staging_.assign(bytes, kGarbage);
    return staging_.data();
  }
  void upload(void* to, const void* from, Index bytes) override { copy("take ", to, from, bytes); }
  void download(void* to, const void* from, Index bytes) override { copy("give ", to, from, bytes); }
  void fill_zero(void* memory, Index bytes) override {
    operate("clear memory");
    std::memset(memory, 0, bytes);
  }
  void begin(const LaunchLabel& launch) override {
    operate("launch '" + std::string(launch.name) + "'");
    times_.push_back({launch, 0});
    (void)watch_.lap();
  }
  void end() override { times_.back().seconds = watch_.seconds(); }
  std::vector<LaunchTime> finish() override {
    operate("finish its work");
    return std::exchange(times_, {});
  }
  int lanes(int) const override { return lanes_; }
  bool can_stay() const override { return true; }
  void* share(Index bytes) override {
    operate("share " + std::to_string(bytes) + " bytes");
    void* const memory = map_zeros(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    sizes_[memory] = bytes;
    return memory;
  }
  void unshare(void* memory) noexcept override {
    const auto size = sizes_.find(memory);
    unmap_zeros(memory, size->second);
    sizes_.erase(size);
  }
  void check() override { operate("go on"); }

 private:
  void operate(const std::string& action) {
    if (operations_left_.fetch_sub(1) > 0) return;
    operations_left_ = 0;
    throw DeviceError(name_of({{Api::emulated, lanes_}}) + " could not " + action + ": the device is lost");
  }
  void copy(const char* action, void* to, const void* from, Index bytes) {
    operate(action + std::to_string(bytes) + " bytes");
    std::memcpy(to, from, bytes);
  }

  int lanes_;
  Index memory_bytes_;
  std::atomic<Index> operations_left_;  ///< two threads may look whether it goes on
  std::unordered_map<void*, Index> sizes_;
  std::vector<std::byte> staging_;
  std::vector<LaunchTime> times_;
  Stopwatch watch_;
};

}  // namespace

DeviceFacts describe_emulated(int lanes) {
  const Index memory = asked(lanes, "_BYTES", kDefaultBytes);
  return {name_of({{Api::emulated, lanes}}), memory, memory - used_bytes(lanes)};
}

std::unique_ptr<Stream> open_emulated_stream(int lanes) { return std::make_unique<EmulatedStream>(lanes); }

}  // namespace quarry
#endif
