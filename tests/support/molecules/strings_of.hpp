/// The strings of a column of text, to compare them.
#pragma once
#include <string>
#include <vector>

#include "quarry/library.hpp"

namespace quarry::test {

inline std::vector<std::string> strings_of(const TextColumn& column) { return {column.begin(), column.end()}; }

}  // namespace quarry::test
