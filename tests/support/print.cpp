/// One line per molecule or pattern: atoms, then bonds as begin-end:kinds, then marks and groups.
#include "support/print.hpp"

#include <bit>
#include <ostream>
#include <sstream>

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

void print(std::ostream& out, const AtomKind& kind) {
  const char* separator = "";
  out << " [";
  for (std::size_t property = 0; property < kind.size(); ++property) {
    if (kind[property] == 0) continue;
    out << separator << kPropertyNames[property] << "=" << kind[property];
    separator = " ";
  }
  out << "]";
}

void print(std::ostream& out, const AtomExpression& expression) {
  if (expression.negated) out << "!";
  switch (expression.op) {
    case AtomExpression::Op::any:
      out << "*";
      return;
    case AtomExpression::Op::test:
      out << kPropertyNames[static_cast<std::size_t>(expression.test.property)] << "=" << expression.test.low << ".."
          << expression.test.high;
      return;
    case AtomExpression::Op::recursive:
      out << "$" << expression.recursive;
      return;
    case AtomExpression::Op::all_of:
      out << "all(";
      break;
    case AtomExpression::Op::any_of:
      out << "some(";
      break;
  }
  const char* separator = "";
  for (const AtomExpression& child : expression.children) {
    out << separator;
    print(out, child);
    separator = " ";
  }
  out << ")";
}

void print_kinds(std::ostream& out, std::uint64_t kinds) {
  if (kinds == ~std::uint64_t{0}) out << "any";
  if (kinds == ~std::uint64_t{0}) return;
  const char* separator = "";
  for (; kinds != 0; kinds &= kinds - 1) {
    out << separator << std::countr_zero(kinds);
    separator = ",";
  }
}

void print_marks(std::ostream& out, const std::vector<ChiralAtom>& chiral_atoms,
                 const std::vector<StereoBond>& stereo_bonds) {
  for (const ChiralAtom& chiral : chiral_atoms) out << " @" << chiral.atom << (chiral.clockwise ? "cw" : "ccw");
  for (const StereoBond& bond : stereo_bonds) {
    out << (bond.cis ? " cis " : " trans ") << bond.begin_neighbour << "-" << bond.begin << "=" << bond.end << "-"
        << bond.end_neighbour;
  }
}

void print(std::ostream& out, const Pattern& pattern) {
  out << "pattern";
  for (const AtomExpression& expression : pattern.atoms) {
    out << " [";
    print(out, expression);
    out << "]";
  }
  out << " bonds";
  for (const PatternBond& bond : pattern.bonds) {
    out << " " << bond.begin << "-" << bond.end << ":";
    print_kinds(out, bond.kinds);
  }
  print_marks(out, pattern.chiral_atoms, pattern.stereo_bonds);
  if (!pattern.component_group.empty()) out << " groups";
  for (const auto group : pattern.component_group) out << " " << group;
  for (std::size_t body = 0; body < pattern.recursive.size(); ++body) {
    out << " $" << body << "={";
    print(out, pattern.recursive[body]);
    out << "}";
  }
}

}  // namespace

std::string to_text(const Molecule& molecule) {
  std::ostringstream out;
  out << "molecule";
  for (const AtomKind& kind : molecule.atoms) print(out, kind);
  out << " bonds";
  for (const Bond& bond : molecule.bonds) out << " " << bond.begin << "-" << bond.end << ":" << int{bond.kind};
  print_marks(out, molecule.chiral_atoms, molecule.stereo_bonds);
  return out.str();
}

std::string to_text(const Pattern& pattern) {
  std::ostringstream out;
  print(out, pattern);
  return out.str();
}

}  // namespace quarry::test
