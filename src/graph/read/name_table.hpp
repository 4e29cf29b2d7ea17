/// Names and their numbers, in the order in which the names come.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/index.hpp"

namespace quarry {

class NameTable {
 public:
  /// The number of a name, a new one where it comes for the first time.
  std::uint32_t number(std::string_view name);
  std::string_view name(std::uint32_t number) const {
    return std::string_view(text_).substr(ends_[number], ends_[number + 1] - ends_[number]);
  }
  Index size() const { return std::ssize(ends_) - 1; }
  Index bytes() const { return std::ssize(text_) + 8 * std::ssize(ends_) + 4 * std::ssize(slots_); }
  /// The numbers, ordered by name.
  std::vector<std::uint32_t> sorted() const;

 private:
  std::uint32_t& slot_of(std::string_view name);
  void grow();

  std::string text_;
  std::vector<std::uint64_t> ends_{0};  // of the name before
  std::vector<std::uint32_t> slots_;    // by hash, the next free one after it; kFree, or a number
};

}  // namespace quarry
