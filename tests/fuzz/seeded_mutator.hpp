/// The mutator of harnesses that know a good input: where an input is short it starts from that, and everything else is
/// libFuzzer's own mutation. To be included by one file of a harness, for it defines the mutator.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace quarry::test {

/// A byte of choices, and a good input for them.
struct Seed {
  std::uint8_t choice = 0;
  std::string text;
};

/// A good input, chosen by a random number. Each harness defines it.
Seed make_seed(unsigned number);

/// Inputs of at most this many bytes give way to a seed.
inline constexpr std::size_t kShortInput = 8;

}  // namespace quarry::test

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned number) {
  if (size > quarry::test::kShortInput) return LLVMFuzzerMutate(data, size, max_size);
  const quarry::test::Seed seed = quarry::test::make_seed(number);
  if (seed.text.size() + 1 > max_size) return LLVMFuzzerMutate(data, size, max_size);
  data[0] = seed.choice;
  std::ranges::copy(seed.text, data + 1);
  return seed.text.size() + 1;
}
