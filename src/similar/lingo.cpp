/// One pass over the characters for the text, a sliding window of q bytes for the LINGOs.
#include "similar/lingo.hpp"

#include <fmt/format.h>

#include "readers/smiles_text.hpp"

namespace quarry::similar {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Characters of the ring closure that starts here, outside brackets; 0 where none does.
std::size_t ring_closure_length(std::string_view rest) {
  if (is_digit(rest[0])) return 1;
  if (rest[0] != '%' || rest.size() < 3) return 0;
  if (is_digit(rest[1]) && is_digit(rest[2])) return 3;
  if (rest[1] != '(') return 0;
  std::size_t end = 2;
  while (end < rest.size() && is_digit(rest[end])) ++end;
  return end > 2 && end < rest.size() && rest[end] == ')' ? end + 1 : 0;
}

/// The letter for `Cl` or `Br`, or 0.
char halogen_letter(std::string_view rest) {
  if (rest.starts_with("Cl")) return 'L';
  if (rest.starts_with("Br")) return 'R';
  return 0;
}

}  // namespace

void check_definition(const Definition& definition) {
  if (definition.q < 1 || definition.q > kMaxLingo) {
    throw InputError(fmt::format("q must be 1 to {}, not {}", kMaxLingo, definition.q));
  }
}

std::string lingo_text(std::string_view smiles, bool fold_halogens) {
  if (const std::string why = unprintable(smiles); !why.empty()) throw InputError(why);
  std::string text;
  text.reserve(smiles.size());
  bool in_brackets = false;
  for (std::size_t i = 0; i < smiles.size();) {
    const std::string_view rest = smiles.substr(i);
    const std::size_t closure = in_brackets ? 0 : ring_closure_length(rest);
    const char halogen = fold_halogens ? halogen_letter(rest) : '\0';
    if (rest[0] == '[') in_brackets = true;
    if (rest[0] == ']') in_brackets = false;
    text += closure != 0 ? '0' : halogen != 0 ? halogen : rest[0];
    i += closure != 0 ? closure : halogen != 0 ? 2 : 1;
  }
  return text;
}

void append_lingos(std::string_view text, int q, std::vector<std::uint64_t>& keys) {
  const auto length = static_cast<std::size_t>(q);
  const std::size_t count = text.size() < length ? 1 : text.size() - length + 1;
  if (count > static_cast<std::size_t>(kMaxMagnitude)) {
    throw CapacityError("LINGOs of one SMILES", kMaxMagnitude, static_cast<Index>(count));
  }
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * q);
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    key = (key << 8 | static_cast<unsigned char>(text[i])) & mask;
    if (i + 1 >= length) keys.push_back(key);
  }
  if (text.size() < length) keys.push_back(text.empty() ? 0 : key << 8 * (length - text.size()));
}

}  // namespace quarry::similar
