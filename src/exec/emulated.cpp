#ifdef QUARRY_WITH_EMULATION
#include "exec/emulated.hpp"

#include <chrono>
#include <cstring>
#include <utility>

#include "exec/emulated_stream.hpp"

namespace quarry {
namespace {

using Clock = std::chrono::steady_clock;

class EmulatedStream : public Stream {
 public:
  explicit EmulatedStream(int lanes) : lanes_(lanes) {}

  void* allocate(Index bytes) override {
    void* memory = ::operator new(static_cast<std::size_t>(bytes), std::align_val_t(64), std::nothrow);
    if (memory == nullptr) throw DeviceError("an emulated device has no room for " + std::to_string(bytes) + " bytes");
    std::memset(memory, static_cast<int>(kRubbish), static_cast<std::size_t>(bytes));
    return memory;
  }
  void release(void* memory) noexcept override { ::operator delete(memory, std::align_val_t(64)); }
  std::byte* staging(Index bytes) override {
    staging_.assign(static_cast<std::size_t>(bytes), kRubbish);
    return staging_.data();
  }
  void upload(void* to, const void* from, Index bytes) override {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
  void download(void* to, const void* from, Index bytes) override {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
  void fill_zero(void* memory, Index bytes) override { std::memset(memory, 0, static_cast<std::size_t>(bytes)); }
  void begin(std::string_view name) override {
    times_.push_back({name, 0});
    start_ = Clock::now();
  }
  void end() override { times_.back().seconds = std::chrono::duration<double>(Clock::now() - start_).count(); }
  std::vector<Time> finish() override { return std::exchange(times_, {}); }
  int lanes(int) const override { return lanes_; }

 private:
  int lanes_;
  std::vector<std::byte> staging_;
  std::vector<Time> times_;
  Clock::time_point start_;
};

}  // namespace

std::unique_ptr<Stream> open_emulated_stream(int lanes) { return std::make_unique<EmulatedStream>(lanes); }

}  // namespace quarry
#endif
