/// Sorts numbers in ascending order, by vectors where that pays.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

namespace hwy {
class Sorter;
}

namespace quarry {

/// For one thread: it keeps the working memory of the sort.
class Sorter {
 public:
  Sorter();
  ~Sorter();
  void operator()(std::span<std::uint32_t> numbers) const;
  void operator()(std::span<std::uint64_t> numbers) const;

 private:
  std::unique_ptr<hwy::Sorter> by_vectors_;
};

}  // namespace quarry
