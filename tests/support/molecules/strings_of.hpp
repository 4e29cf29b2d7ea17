/// The strings of a column of text, to compare them, and strings as what a column is made of.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "quarry/library.hpp"

namespace quarry::test {

inline std::vector<std::string> strings_of(const TextColumn& column) { return {column.begin(), column.end()}; }

/// Valid as long as the strings.
inline std::vector<std::string_view> views_of(const std::vector<std::string>& strings) {
  return {strings.begin(), strings.end()};
}

}  // namespace quarry::test
