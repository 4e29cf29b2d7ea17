/// "Did you mean ...?" for misspelled words of the command line.
#pragma once
#include <string>
#include <vector>

namespace quarry::cli {

/// ", did you mean 'match'?" with the one of `words` closest to `word`, the first of several. Empty where none is close: at most
/// two letters, and one in three, are added, left out, changed, or swapped with the next one.
std::string suggestion(const std::string& word, const std::vector<std::string>& words);

}  // namespace quarry::cli
