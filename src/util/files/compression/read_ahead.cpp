#include "util/files/compression/read_ahead.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace quarry {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18, kMaxBlocks = 4;
constexpr Index kBytesWithoutThread = Index{1} << 21;

class ReadAhead final : public ByteSource {
 public:
  explicit ReadAhead(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), bytes_total_(source_->bytes_total()) {}
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  ~ReadAhead() override {
    {
      const std::scoped_lock lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  std::size_t read(char* bytes, std::size_t size) override {
    if (!thread_.joinable() && (alone_ || bytes_delivered_ < kBytesWithoutThread || !start())) {
      const std::size_t got = source_->read(bytes, size);
      bytes_delivered_ += static_cast<Index>(got);
      bytes_read_ = source_->bytes_read();
      return got;
    }
    if (used_ == block_.bytes.size() && !next_block()) return 0;
    const std::size_t got = std::min(size, block_.bytes.size() - used_);
    std::memcpy(bytes, block_.bytes.data() + used_, got);
    used_ += got;
    return got;
  }

  Index bytes_read() const override { return bytes_read_; }
  Index bytes_total() const override { return bytes_total_; }

 private:
  struct Block {
    std::vector<char> bytes;  ///< empty at the end
    Index bytes_read = 0;     ///< of the file, with those of this block
    std::exception_ptr error;
  };

  bool start() {
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
      alone_ = true;
    }
    return thread_.joinable();
  }

  /// The thread. Its last block is empty, or has an error.
  void run() {
    for (bool last = false; !last;) {
      Block block;
      try {
        block.bytes.resize(kBlockBytes);
        block.bytes.resize(source_->read(block.bytes.data(), block.bytes.size()));
      } catch (...) {
        block.bytes.clear();
        block.error = std::current_exception();
      }
      block.bytes_read = source_->bytes_read();
      last = block.bytes.empty();
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopped_ || blocks_.size() < kMaxBlocks; });
      if (stopped_) return;
      blocks_.push_back(std::move(block));
      lock.unlock();
      changed_.notify_all();
    }
  }

  /// @return false at the end, where the last block stays
  bool next_block() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !blocks_.empty(); });
    const Block& next = blocks_.front();
    bytes_read_ = next.bytes_read;
    if (next.error) std::rethrow_exception(next.error);
    if (next.bytes.empty()) return false;
    block_ = std::move(blocks_.front());
    used_ = 0;
    blocks_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return true;
  }

  std::unique_ptr<ByteSource> source_;  // of the thread, once it runs
  Index bytes_total_, bytes_read_ = 0, bytes_delivered_ = 0;
  bool alone_ = false;  // no thread is available
  Block block_;
  std::size_t used_ = 0;  // of `block_`
  std::mutex mutex_;      // of the two below
  std::deque<Block> blocks_;
  bool stopped_ = false;
  std::condition_variable changed_;
  std::thread thread_;  // the last member: it uses all others
};

}  // namespace

std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> source) {
  return std::make_unique<ReadAhead>(std::move(source));
}

}  // namespace quarry
