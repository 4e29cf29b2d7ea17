/// A random tree of atoms with a few ring bonds, written depth first.
#include "random_smarts.hpp"

#include <utility>
#include <vector>

namespace quarry::test {
namespace {

/// Repeated words are more likely.
const std::vector<std::string> kPlainAtoms = {"C", "C", "C", "c", "c", "c", "N",  "O",  "O", "n",
                                              "*", "*", "a", "A", "S", "F", "Cl", "Br", "o"};
const std::vector<std::string> kPrimitives = {
    "C",  "C",  "c",  "c",  "N",     "n",  "O",  "o",      "S",  "#6", "#6",     "#7", "#8",     "#16",
    "*",  "a",  "A",  "D1", "D2",    "D3", "D",  "D{2-3}", "X2", "X3", "X4",     "X",  "X{3-}",  "H0",
    "H1", "H2", "H3", "H",  "h0",    "h1", "h",  "h{1-}",  "R",  "R0", "R1",     "R2", "R{1-2}", "r",
    "r5", "r6", "r0", "r3", "r{5-}", "x",  "x0", "x2",     "x3", "v2", "v3",     "v4", "v{-3}",  "+0",
    "+",  "-",  "+1", "-1", "^1",    "^2", "^3", "z",      "z0", "z1", "z{1-2}", "Z",  "Z0",     "Z1",
    "d1", "d2", "d3", "2H", "13C",   "0*", "@",  "@@",     "Cl", "F",  "P",      "Na"};
const std::vector<std::string> kBonds = {"-",   "-",   "=",   "=",    "#",    ":",   "~",  "~", "@",  "!@",    "!-",
                                         "-,=", "=,:", "-;@", "-;!@", "~;!:", "-&@", "!=", "/", "\\", "-,:;@", "=,#"};
const std::vector<std::string> kPieces = {"C",
                                          "C",
                                          "CC",
                                          "N",
                                          "O",
                                          "C(=O)",
                                          "NC(=O)C",
                                          "NC(C)C(=O)",
                                          "N[C@@H](C)C(=O)",
                                          "c1ccc(cc1)",
                                          "C1CCN(CC1)",
                                          "S(=O)(=O)",
                                          "C/C=C/",
                                          "C#C",
                                          "[N+](C)(C)",
                                          "C(F)(F)",
                                          "c1cnc(nc1)",
                                          "C(Cl)",
                                          "[13CH2]",
                                          "c1ccc2cc(ccc2c1)",
                                          "C1CC1",
                                          "P(=O)(O)O",
                                          "C([O-])",
                                          "[Si](C)(C)",
                                          "N(C)",
                                          "SC"};

/// Bodies of `$()` may nest so deep, and are smaller than a whole pattern.
constexpr int kMaxDepth = 2;

std::string pattern(Random& random, int depth);

std::string primitive(Random& random, int depth) {
  const std::string negation = random.chance(18) ? "!" : "";
  if (depth < kMaxDepth && random.chance(8)) return negation + "$(" + pattern(random, depth + 1) + ")";
  return negation + random.pick(kPrimitives);
}

/// `most` parts with a sign between.
template <class Part>
std::string joined(Random& random, Index most, const char* sign, Part&& part) {
  std::string text = part();
  for (Index i = random.chance(55) ? 1 : most; i < most; ++i) text += sign + part();
  return text;
}

std::string atom(Random& random, int depth) {
  if (random.chance(55)) return random.pick(kPlainAtoms);
  const auto conjunction = [&] {
    return joined(random, random.between(1, 2), "&", [&] { return primitive(random, depth); });
  };
  const auto alternatives = [&] { return joined(random, random.between(1, 3), ",", conjunction); };
  const std::string map = random.chance(3) ? ":" + std::to_string(random.between(1, 9)) : "";
  return "[" + joined(random, random.between(1, 3), ";", alternatives) + map + "]";
}

std::string bond(Random& random) { return random.chance(60) ? "" : random.pick(kBonds); }

/// One connected pattern.
class Tree {
 public:
  Tree(Random& random, Index num_atoms, int depth) : random_(random), atoms_(num_atoms), children_(num_atoms) {
    for (std::string& text : atoms_) text = atom(random, depth);
    for (Index i = 1; i < num_atoms; ++i) children_[random.chance(75) ? i - 1 : random.below(i)].push_back(i);
    for (int label = 1; num_atoms > 2 && label <= 2 && random.chance(25); ++label) {
      const Index one = random.below(num_atoms - 2), other = random.between(one + 2, num_atoms - 1);
      const std::string kind = bond(random);
      atoms_[one] += kind + std::to_string(label);
      atoms_[other] += std::to_string(label);
    }
  }
  std::string text(Index from = 0) const {
    std::string text = atoms_[from];
    for (const Index child : children_[from]) {
      const std::string branch = bond(random_) + this->text(child);
      text += child == children_[from].back() ? branch : "(" + branch + ")";
    }
    return text;
  }

 private:
  Random& random_;
  std::vector<std::string> atoms_;
  std::vector<std::vector<Index>> children_;
};

std::string pattern(Random& random, int depth) {
  const Index most = depth == 0 ? 7 : 4;
  if (!random.chance(8)) return Tree(random, random.between(1, most), depth).text();
  const std::string first = Tree(random, random.between(1, 2), depth).text();
  return first + "." + Tree(random, random.between(1, 2), depth).text();
}

}  // namespace

std::string random_smarts(Random& random) { return pattern(random, 0); }

std::string random_chain_smiles(Random& random) {
  std::string smiles = "C";
  for (Index i = random.between(1, 16); i > 0; --i) smiles += random.pick(kPieces);
  return smiles + "C";
}

}  // namespace quarry::test
