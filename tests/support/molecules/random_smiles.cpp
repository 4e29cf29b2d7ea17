/// Strings out of pieces, and sets of strings that resemble each other enough to be neighbours.
#include "support/molecules/random_smiles.hpp"

#include <string_view>

namespace quarry::test {
namespace {

constexpr std::string_view kLetters = "CNOcnoSF";

const std::vector<std::string> kPieces = {
    "C",      "C",     "C",    "c",        "c",     "c",        "N",        "n",     "O",     "o",      "S",    "s",
    "F",      "P",     "I",    "Cl",       "Br",    "(",        ")",        "(=O)",  "=",     "#",      "-",    "/",
    "\\",     ".",     ":",    "1",        "1",     "2",        "3",        "9",     "0",     "%10",    "%99",  "%123",
    "%(123)", "%(7)",  "%()",  "%(12",     "%1",    "%",        "[13CH3+]", "[Cl-]", "[Br-]", "[C@@H]", "[nH]", "[N+]",
    "[O-]",   "[Na+]", "[2H]", "[CH3:12]", "[%12]", "c1ccccc1", "C(=O)N",   "[*:1]", "$",     "~",      "*",    "B",
};

/// One piece more, or one character less. Brackets stay whole: SMILES does not say what one within another means.
std::string changed(Random& random, std::string smiles) {
  const bool brackets = smiles.find('[') != std::string::npos;
  const Index at = random.below(std::ssize(smiles) + 1);
  if (brackets || random.chance(30)) return smiles + random.pick(kPieces);
  if (random.chance(50)) return smiles.substr(0, at) + random.pick(kPieces) + smiles.substr(at);
  return smiles.erase(at, 1);
}

std::string repeated_letter(Random& random, Index length) {
  const auto letter = kLetters[random.below(3)];
  return std::string(length, letter);
}

/// @param q  of the set it is for
std::string edge_case(Random& random, int q) {
  switch (random.below(6)) {
    case 0:
      return "";
    case 1:
      return repeated_letter(random, 1);
    case 2:
      return repeated_letter(random, random.below(q));
    case 3:
      return repeated_letter(random, q);
    case 4:
      return repeated_letter(random, random.between(1, 200) + q - 1);
    default:
      return multiset_text({random.below(80), random.below(80), random.below(3), random.below(200)});
  }
}

}  // namespace

std::string random_smiles(Random& random, Index num_pieces) {
  std::string smiles;
  for (Index i = 0; i < num_pieces; ++i) smiles += random.pick(kPieces);
  return smiles;
}

std::string random_plain_smiles(Random& random, Index max_length) {
  std::string smiles;
  for (Index length = random.between(1, max_length); length > 0; --length) smiles += random.chance(50) ? 'C' : 'N';
  return smiles;
}

std::string multiset_text(const std::vector<Index>& counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) text.append(counts[i], kLetters.at(i));
  return text;
}

std::vector<std::string> random_smiles_set(Random& random, Index num_smiles, int q) {
  std::vector<std::string> set;
  while (std::ssize(set) < num_smiles) {
    const Index kind = random.below(100);
    if (kind < 15) {
      set.push_back(edge_case(random, q));
    } else if (kind < 25 || set.empty()) {
      set.push_back(random_plain_smiles(random, 12));
    } else if (kind < 30) {
      set.push_back(std::string(random.pick(set)));
    } else if (kind < 60) {
      set.push_back(changed(random, random.pick(set)));
    } else if (kind < 61) {
      set.push_back(random_smiles(random, random.between(1000, 2500)));
    } else {
      set.push_back(random_smiles(random, random.between(1, 40)));
    }
  }
  return set;
}

}  // namespace quarry::test
