/// One pass over the characters for the text; its LINGOs are read from it as words.
#include "similar/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>

#include "chemistry/fingerprints/ecfp.hpp"
#include "chemistry/smiles_text.hpp"
#include "quarry/error.hpp"

namespace quarry::similar {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The bytes of a word in memory as a number, the first one highest. PERF: one instruction.
std::uint64_t first_byte_highest(std::uint64_t word) {
  return std::endian::native == std::endian::little ? __builtin_bswap64(word) : word;
}

/// Characters of the ring closure that begins the text, which is outside brackets; 0 where none does.
std::size_t ring_closure_length(std::string_view text) {
  if (is_digit(text[0])) return 1;
  if (text[0] != '%' || text.size() < 3) return 0;
  if (is_digit(text[1]) && is_digit(text[2])) return 3;
  if (text[1] != '(') return 0;
  std::size_t end = 2;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end > 2 && end < text.size() && text[end] == ')' ? end + 1 : 0;
}

/// The letter for `Cl` or `Br`, or 0.
char halogen_letter(std::string_view text) {
  if (text.starts_with("Cl")) return 'L';
  if (text.starts_with("Br")) return 'R';
  return 0;
}

/// Writes a text as `lingo_text` gives it over `text`.
void write_lingo_text(std::string_view smiles, bool fold_halogens, std::string& text) {
  text.resize(smiles.size());
  char* end = text.data();
  bool in_brackets = false;
  for (std::size_t i = 0; i < smiles.size();) {
    const char c = smiles[i];
    std::size_t length = 1;
    char written = c;
    if (c == '[' || c == ']') {
      in_brackets = c == '[';
    } else if (is_digit(c) || c == '%') {
      const std::size_t closure = in_brackets ? 0 : ring_closure_length(smiles.substr(i));
      if (closure != 0) written = '0';
      length = std::max<std::size_t>(closure, 1);
    } else if (fold_halogens && (c == 'C' || c == 'B')) {
      if (const char halogen = halogen_letter(smiles.substr(i)); halogen != 0) {
        written = halogen;
        length = 2;
      }
    }
    *end++ = written;
    i += length;
  }
  text.resize(end - text.data());
}

/// Appends the LINGOs of a text as numbers, from first to last: characters from the highest byte down. A text shorter
/// than q is one LINGO, filled up with zeros, which no text contains.
/// @param text  gets kMaxLingo zeros at its end, so that a whole word can be read at every character
/// @throws CapacityError  more than kMaxMagnitude
void append_lingos(std::string& text, int q, std::vector<std::uint64_t>& keys) {
  const Index length = std::ssize(text), count = std::max<Index>(1, length - q + 1);
  if (count > kMaxMagnitude) throw CapacityError("LINGOs of one SMILES", kMaxMagnitude, count);
  text.append(kMaxLingo, '\0');
  const std::size_t before = keys.size();
  keys.resize(before + count);
  std::uint64_t* const out = keys.data() + before;
  const char* const characters = text.data();
  for (Index i = 0; i < count; ++i) {
    std::uint64_t word;
    std::memcpy(&word, characters + i, sizeof word);
    out[i] = first_byte_highest(word) >> (64 - 8 * q);
  }
}

/// Writes a text as `lingo_text` gives it over `text`, where no halogen is folded and no ring closure has two digits.
/// PERF: digits of all characters become zeros first, many at once; those in brackets, which are few, are put back.
void write_plain_text(std::string_view smiles, std::string& text) {
  text.resize(smiles.size());
  std::ranges::transform(smiles, text.begin(), [](char c) { return is_digit(c) ? '0' : c; });
  for (std::size_t begin = smiles.find('['); begin != std::string_view::npos;) {
    const std::size_t end = std::min(smiles.find(']', begin), smiles.size());
    std::copy(smiles.begin() + begin, smiles.begin() + end, text.begin() + begin);
    begin = smiles.find('[', end);
  }
}

/// Appends the LINGOs of a SMILES.
/// @param text  room for its text
void append_lingos_of(std::string_view smiles, const Definition& definition, std::string& text,
                      std::vector<std::uint64_t>& keys) {
  if (const std::string why = unprintable(smiles); !why.empty()) throw InputError(why);
  if (definition.fold_halogens || smiles.find('%') != std::string_view::npos) {
    write_lingo_text(smiles, definition.fold_halogens, text);
  } else {
    write_plain_text(smiles, text);
  }
  append_lingos(text, definition.q, keys);
}

/// Reads the features of one SMILES after the other.
class FeatureReader {
 public:
  explicit FeatureReader(const Definition& definition) : definition_(definition) {
    if (definition.metric == Metric::ecfp4) ecfp_.emplace(kEcfpRadius, kEcfpBits);
  }
  void append(std::string_view smiles, std::vector<std::uint64_t>& keys) {
    if (ecfp_) {
      std::ranges::copy(ecfp_->bits(smiles), std::back_inserter(keys));
    } else {
      append_lingos_of(smiles, definition_, text_, keys);
    }
  }

 private:
  Definition definition_;
  std::optional<EcfpReader> ecfp_;
  std::string text_;  ///< of the last SMILES
};

using Counts = std::map<std::string, Index>;

/// The LINGOs of a text, from first to last; a text shorter than q is one.
std::vector<std::string> lingos_of(const std::string& text, Index q) {
  if (std::ssize(text) < q) return {text};
  std::vector<std::string> lingos;
  for (Index i = 0; i + q <= std::ssize(text); ++i) lingos.push_back(text.substr(i, q));
  return lingos;
}

Counts count(const std::vector<std::string>& lingos) {
  Counts counts;
  for (const std::string& lingo : lingos) ++counts[lingo];
  return counts;
}

std::string mark(const std::vector<std::string>& lingos, Counts shared, std::size_t size) {
  std::string marks(size, ' ');
  auto begin = marks.begin();
  for (const std::string& lingo : lingos) {
    if (shared[lingo]-- > 0) std::fill_n(begin, lingo.size(), '^');
    ++begin;
  }
  return marks;
}

template <class Text>
void visit_features_of(std::span<const Text> smiles, const Definition& definition, Index first_row, auto&& visit) {
  FeatureReader reader(definition);
  std::vector<std::uint64_t> keys;
  for (Index i = 0; i < std::ssize(smiles); ++i) {
    const auto row = [&] { return fmt::format("row {}: ", first_row + i); };
    keys.clear();
    try {
      reader.append(smiles[i], keys);
    } catch (const CapacityError& error) {
      throw CapacityError(row() + error.what());
    } catch (const InputError& error) {
      throw InputError(row() + error.what());
    }
    visit(std::span<const std::uint64_t>(keys));
  }
}

template <class Text>
Multisets multisets_of_all(std::span<const Text> smiles, const Definition& definition, Index first_row) {
  Multisets multisets;
  multisets.offsets.reserve(smiles.size() + 1);
  visit_features_of(smiles, definition, first_row, [&](std::span<const std::uint64_t> keys) {
    multisets.keys.insert(multisets.keys.end(), keys.begin(), keys.end());
    multisets.offsets.push_back(std::ssize(multisets.keys));
  });
  return multisets;
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
  write_lingo_text(smiles, fold_halogens, text);
  return text;
}

void Multisets::append(const Multisets& others, Index i) {
  keys.insert(keys.end(), others.keys.begin() + others.offsets[i], others.keys.begin() + others.offsets[i + 1]);
  offsets.push_back(std::ssize(keys));
}

Multisets multisets_of(std::span<const std::string> smiles, const Definition& definition, Index first_row) {
  return multisets_of_all(smiles, definition, first_row);
}

Multisets multisets_of(std::span<const std::string_view> smiles, const Definition& definition, Index first_row) {
  return multisets_of_all(smiles, definition, first_row);
}

void visit_features(std::span<const std::string_view> smiles, const Definition& definition, Index first_row,
                    const std::function<void(std::span<const std::uint64_t>)>& visit) {
  visit_features_of(smiles, definition, first_row, visit);
}

std::vector<std::uint64_t> features(std::string_view smiles, const Definition& definition) {
  check_definition(definition);
  std::vector<std::uint64_t> keys;
  FeatureReader(definition).append(smiles, keys);
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// Of each LINGO that both texts have, the first occurrences are shared: as many as both have.
Explanation explain(std::string_view left, std::string_view right, const Definition& definition) {
  check_definition(definition);
  if (definition.metric != Metric::lingo) throw InputError("only a similarity by LINGOs can be explained by SMILES");
  Explanation why;
  why.texts[0] = lingo_text(left, definition.fold_halogens);
  why.texts[1] = lingo_text(right, definition.fold_halogens);
  const auto left_lingos = lingos_of(why.texts[0], definition.q), right_lingos = lingos_of(why.texts[1], definition.q);
  Counts shared = count(left_lingos);
  const Counts others = count(right_lingos);
  for (auto& [lingo, times] : shared) {
    const auto other = others.find(lingo);
    times = other == others.end() ? 0 : std::min(times, other->second);
    why.shared += times;
  }
  why.either = std::ssize(left_lingos) + std::ssize(right_lingos) - why.shared;
  why.marks[0] = mark(left_lingos, shared, why.texts[0].size());
  why.marks[1] = mark(right_lingos, shared, why.texts[1].size());
  return why;
}

}  // namespace quarry::similar
