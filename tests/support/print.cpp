/// One line per molecule or pattern: atoms, then bonds as begin-end:kinds, then marks and groups.
#include "support/print.hpp"

#include <bit>

namespace quarry::test {
namespace {

constexpr std::array<const char*, kNumAtomProperties> kPropertyNames = {"element",      "aromatic",
                                                                        "charge",       "isotope",
                                                                        "hydrogens",    "implicit_hydrogens",
                                                                        "degree",       "heavy_degree",
                                                                        "total_degree", "valence",
                                                                        "ring_count",   "ring_size",
                                                                        "ring_bonds",   "hybridization",
                                                                        "heteroatoms",  "aliphatic_heteroatoms"};

std::string atom_text(const AtomKind& kind) {
  std::string text = "[";
  for (std::size_t property = 0; property < kind.size(); ++property) {
    if (kind[property] == 0) continue;
    if (text.size() > 1) text += " ";
    text += std::string(kPropertyNames[property]) + "=" + std::to_string(kind[property]);
  }
  return text + "]";
}

std::string expression_text(const AtomExpression& expression) {
  std::string text = expression.negated ? "!" : "";
  switch (expression.op) {
    case AtomExpression::Op::any:
      return text + "*";
    case AtomExpression::Op::test:
      return text + kPropertyNames[static_cast<std::size_t>(expression.test.property)] + "=" +
             std::to_string(expression.test.low) + ".." + std::to_string(expression.test.high);
    case AtomExpression::Op::recursive:
      return text + "$" + std::to_string(expression.recursive);
    case AtomExpression::Op::all_of:
      text += "all(";
      break;
    case AtomExpression::Op::any_of:
      text += "some(";
      break;
  }
  for (const AtomExpression& child : expression.children) text += expression_text(child) + " ";
  return text + ")";
}

std::string kinds_text(std::uint64_t kinds) {
  if (kinds == ~std::uint64_t{0}) return "any";
  std::string text;
  for (; kinds != 0; kinds &= kinds - 1) text += (text.empty() ? "" : ",") + std::to_string(std::countr_zero(kinds));
  return text;
}

template <class Stereo>
std::string marks_text(const Stereo& marked) {
  std::string text;
  for (const ChiralAtom& chiral : marked.chiral_atoms) {
    text += " @" + std::to_string(chiral.atom) + (chiral.clockwise ? "cw" : "ccw");
  }
  for (const StereoBond& bond : marked.stereo_bonds) {
    text += " " + std::to_string(bond.begin_neighbour) + (bond.cis ? "\\" : "/") + std::to_string(bond.begin) + "=" +
            std::to_string(bond.end) + "/" + std::to_string(bond.end_neighbour);
  }
  return text;
}

std::string bond_text(std::uint32_t begin, std::uint32_t end, const std::string& kinds) {
  return " " + std::to_string(begin) + "-" + std::to_string(end) + ":" + kinds;
}

}  // namespace

std::string to_text(const Molecule& molecule) {
  std::string text = "molecule";
  for (const AtomKind& kind : molecule.atoms) text += " " + atom_text(kind);
  text += " bonds";
  for (const Bond& bond : molecule.bonds) text += bond_text(bond.begin, bond.end, std::to_string(bond.kind));
  return text + marks_text(molecule);
}

std::string to_text(const Pattern& pattern) {
  std::string text = "pattern";
  for (const AtomExpression& expression : pattern.atoms) text += " [" + expression_text(expression) + "]";
  text += " bonds";
  for (const PatternBond& bond : pattern.bonds) text += bond_text(bond.begin, bond.end, kinds_text(bond.kinds));
  text += marks_text(pattern);
  if (!pattern.component_group.empty()) text += " groups";
  for (const auto group : pattern.component_group) text += " " + std::to_string(group);
  for (std::size_t body = 0; body < pattern.recursive.size(); ++body) {
    text += " $" + std::to_string(body) + "={" + to_text(pattern.recursive[body]) + "}";
  }
  return text;
}

}  // namespace quarry::test
