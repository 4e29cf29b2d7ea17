#include "exec/sorter.hpp"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>

namespace quarry {
namespace {

/// PERF: for fewer numbers the standard sort beats Highway's, which first draws a random number.
constexpr std::size_t kMinVectorNumbers = 48;

template <class Number>
void sort(const hwy::Sorter& by_vectors, std::span<Number> numbers) {
  if (numbers.size() < kMinVectorNumbers)
    std::sort(numbers.begin(), numbers.end());
  else
    by_vectors(numbers.data(), numbers.size(), hwy::SortAscending());
}

}  // namespace

Sorter::Sorter() : by_vectors_(std::make_unique<hwy::Sorter>()) {}
Sorter::~Sorter() = default;
void Sorter::operator()(std::span<std::uint32_t> numbers) const { sort(*by_vectors_, numbers); }
void Sorter::operator()(std::span<std::uint64_t> numbers) const { sort(*by_vectors_, numbers); }

}  // namespace quarry
