/// "Did you mean ...?" for misspelled words.
#pragma once
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace quarry {

/// ", did you mean 'match'?" with the one of `words` closest to `word`, the first of several. Empty where none is
/// close: at most two letters, and one in three, are added, left out, changed, or swapped with the next one.
[[nodiscard]] std::string suggestion(const std::string& word, const std::vector<std::string>& words);

}  // namespace quarry
#pragma GCC visibility pop
