/// Things that threads take in turns, such as the queues of several devices: whoever is free takes the next that is
/// free.
#pragma once
#include <condition_variable>
#include <mutex>
#include <vector>

namespace quarry {

template <class T>
class Pool {
 public:
  /// Everything is free at first. The elements must outlive the pool.
  explicit Pool(std::vector<T>& elements) {
    for (auto element = elements.rbegin(); element != elements.rend(); ++element) free_.push_back(&*element);
  }

  /// An element that is this caller's until the lease ends.
  class Lease {
   public:
    Lease(Pool& pool, T* element) : pool_(pool), element_(element) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { pool_.give_back(element_); }
    T& operator*() const { return *element_; }
    T* operator->() const { return element_; }

   private:
    Pool& pool_;
    T* element_;
  };

  /// Waits until an element is free.
  Lease take() {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [&] { return !free_.empty(); });
    T* element = free_.back();  // the last used, whose memory is warm
    free_.pop_back();
    return Lease(*this, element);
  }

 private:
  void give_back(T* element) {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(element);
    }
    returned_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<T*> free_;
};

}  // namespace quarry
