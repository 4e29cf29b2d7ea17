/// A borrowed array that a kernel may hold: a pointer and a size, nothing else.
#pragma once
#include <cstddef>
#include <iterator>
#include <type_traits>

#include "exec/macros.hpp"
#include "quarry/index.hpp"

namespace quarry {

template <class T>
class View {
 public:
  using value_type = std::remove_const_t<T>;

  View() = default;
  QUARRY_HD View(T* data, Index size) : data_(data), size_(size) {}
  /// A view of const elements from one of mutable elements.
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
  QUARRY_HD View(View<U> other) : data_(other.data()), size_(other.size()) {}

  QUARRY_INLINE T& operator[](Index i) const { return data_[i]; }
  QUARRY_INLINE T* data() const { return data_; }
  QUARRY_HD Index size() const { return size_; }
  QUARRY_HD T* begin() const { return data_; }
  QUARRY_HD T* end() const { return data_ + size_; }
  QUARRY_HD View part(Index first, Index count) const { return View(data_ + first, count); }

 private:
  T* data_ = nullptr;
  Index size_ = 0;
};

/// The view of a host container such as std::vector or std::span.
template <class Container>
auto view_of(Container& container) {
  return View<std::remove_pointer_t<decltype(container.data())>>(container.data(), std::ssize(container));
}

}  // namespace quarry
