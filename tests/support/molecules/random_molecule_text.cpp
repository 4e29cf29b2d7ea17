#include "support/molecules/random_molecule_text.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace quarry::test {
namespace {

struct Joint {
  int neighbour = 0, bond = 0;
};

/// Atoms and bonds without elements.
class Skeleton {
 public:
  explicit Skeleton(Random& random) : random_(random) {
    if (random_.chance(85)) {
      add_path(add_atom(), kNone, ring_size() - 1);
    } else {
      add_path(add_atom(), kNone, random_.between(0, 12), /*closed=*/false);
    }
    for (Index left = random_.below(random_.chance(10) ? 14 : 7); left > 0; --left) grow();
  }

  int num_atoms() const { return static_cast<int>(joints_.size()); }
  int num_bonds() const { return num_bonds_; }
  const std::vector<Joint>& joints(int atom) const { return joints_[atom]; }

 private:
  static constexpr int kNone = -1;

  Index ring_size() {
    return random_.chance(80) ? random_.between(5, 6) : random_.between(3, random_.chance(10) ? 28 : 9);
  }
  int add_atom() {
    joints_.emplace_back();
    return num_atoms() - 1;
  }
  void join(int left, int right) {
    joints_[left].push_back({right, num_bonds_});
    joints_[right].push_back({left, num_bonds_});
    ++num_bonds_;
  }
  bool are_joined(int left, int right) const {
    return std::ranges::any_of(joints_[left], [&](Joint joint) { return joint.neighbour == right; });
  }
  /// New atoms from `begin`, and to `end` or back to `begin` where they close a ring.
  void add_path(int begin, int end, Index length, bool closed = true) {
    int last = begin;
    for (; length > 0; --length) {
      const int atom = add_atom();
      join(last, atom);
      last = atom;
    }
    if (end == kNone) end = begin;
    if (closed && last != end && !are_joined(last, end)) join(last, end);
  }

  void grow() {
    const int atom = static_cast<int>(random_.below(num_atoms()));
    if (joints_[atom].size() >= 4) return;
    switch (random_.below(10)) {
      case 0:  // a ring that shares this atom alone
        return add_path(atom, kNone, ring_size() - 1);
      case 1:  // a ring at a bond
      case 2: {
        const int linked = add_atom();
        join(atom, linked);
        return add_path(linked, kNone, ring_size() - 1);
      }
      case 3: {  // a bridge
        const int other = static_cast<int>(random_.below(num_atoms()));
        if (other == atom || joints_[other].size() >= 4) return;
        return add_path(atom, other, random_.below(4));
      }
      case 4:
        return add_path(atom, kNone, random_.between(1, 4), /*closed=*/false);
      case 5:  // a part of its own
        if (random_.chance(20)) add_path(add_atom(), kNone, ring_size() - 1);
        return;
      default: {  // a ring fused at a bond
        if (joints_[atom].empty()) return;
        const int other = random_.pick(joints_[atom]).neighbour;
        if (joints_[other].size() >= 4) return;
        return add_path(atom, other, ring_size() - 2);
      }
    }
  }

  Random& random_;
  std::vector<std::vector<Joint>> joints_;
  int num_bonds_ = 0;
};

/// Gives a skeleton elements and bonds, and writes it.
class Writer {
 public:
  Writer(const Skeleton& skeleton, Random& random)
      : skeleton_(skeleton), random_(random), atoms_(skeleton.num_atoms()), is_double_(skeleton.num_bonds()) {
    aromatic_ = random_.chance(50);
    plain_ = random_.chance(60);
    place_double_bonds();
    for (int atom = 0; atom < skeleton.num_atoms(); ++atom) atoms_[atom].symbol = symbol_of(atom);
  }

  std::string text() {
    std::string result;
    for (int atom = 0; atom < skeleton_.num_atoms(); ++atom) {
      if (atoms_[atom].seen) continue;
      find_closures(atom, -1);
      if (!result.empty()) result += '.';
      write(atom, -1, result);
    }
    return result;
  }

 private:
  struct Atom {
    bool is_double = false, seen = false, written = false;
    std::string symbol;
    std::vector<std::pair<int, int>> closures;  // number, bond
  };

  void place_double_bonds() {
    const Index percent = random_.pick(std::vector<Index>{0, 40, 90, 100});
    std::vector<int> order(skeleton_.num_atoms());
    for (int i = 0; i < skeleton_.num_atoms(); ++i) order[i] = i;
    if (random_.chance(30)) random_.shuffle(order);
    for (const int atom : order) {
      if (!random_.chance(percent)) continue;
      for (const auto& [neighbour, bond] : skeleton_.joints(atom)) {
        if (atoms_[atom].is_double || atoms_[neighbour].is_double || skeleton_.joints(atom).size() > 3 ||
            skeleton_.joints(neighbour).size() > 3)
          continue;
        is_double_[bond] = atoms_[atom].is_double = atoms_[neighbour].is_double = true;
      }
    }
  }

  /// The first ones of a list are the usual ones.
  std::string pick(const std::vector<std::string>& symbols) {
    return symbols[random_.below(plain_ ? std::min<Index>(4, std::ssize(symbols)) : std::ssize(symbols))];
  }

  std::string symbol_of(int atom) {
    using Symbols = std::vector<std::string>;
    const std::size_t degree = skeleton_.joints(atom).size();
    if (!plain_ && random_.chance(4)) return odd_symbol();
    const bool is_double = atoms_[atom].is_double;
    if (is_double && degree <= 2) {
      return pick(aromatic_ ? Symbols{"c", "c", "c", "c", "n", "[cH]", "[n+]([O-])", "[c-]", "p", "[o+]", "[n-]"}
                            : Symbols{"C", "C", "C", "N", "[NH+]", "[CH]", "[O+]", "P", "[C]"});
    }
    if (is_double) {
      return pick(aromatic_ ? Symbols{"c", "c", "c", "c", "[n+]", "[cH0]", "[si]", "[c+]"}
                            : Symbols{"C", "C", "C", "[N+]", "S(=O)", "P"});
    }
    if (degree <= 2) {
      return pick(aromatic_ ? Symbols{"o", "s", "[nH]", "c(=O)", "C", "[se]", "n", "C(=O)", "[te]", "s(=O)", "[bH]"}
                            : Symbols{"C", "O", "S", "N", "C(=O)", "[CH2]", "S(=O)(=O)", "[C@@H](F)", "[SiH2]", "[CH+]",
                                      "[CH-]", "B", "C([H])", "*", "[Se]"});
    }
    if (degree == 3) {
      return pick(aromatic_ ? Symbols{"n", "C", "N", "[C@H]", "c", "b", "p(=O)"}
                            : Symbols{"C", "N", "[C@H]", "[C@@H]", "P(=O)", "B", "[NH+]", "[S@@](=O)", "[CH]"});
    }
    return pick(Symbols{"C", "[C@]", "[C@@]", "[N+]", "[Si]", "[B-]", "[P+]", "S"});
  }

  std::string odd_symbol() {
    return random_.pick(std::vector<std::string>{
        "[Fe]",           "[Cl]",      "[2H]",    "[13C]", "[13CH]", "[15N]", "[As]",        "[as]", "*",
        "[3*]",           "I(=O)(=O)", "N(=O)=O", "[H]",   "[Mg]",   "[Sn]",  "[Hg]",        "[Te]", "P(=O)(O)",
        "Cl(=O)(=O)(=O)", "[C:7]",     "[U]",     "[Al]",  "[H+]",   "C#N",   "N=[N+]=[N-]", "N=N#N"});
  }

  /// Depth first; the bonds that lead back close rings.
  void find_closures(int atom, int from_bond) {
    atoms_[atom].seen = true;
    for (const auto& [neighbour, bond] : skeleton_.joints(atom)) {
      if (bond == from_bond || is_closure(atom, bond)) continue;
      if (atoms_[neighbour].seen) {
        ++num_closures_;
        atoms_[atom].closures.push_back({num_closures_, bond});
        atoms_[neighbour].closures.push_back({num_closures_, bond});
      } else {
        find_closures(neighbour, bond);
      }
    }
  }
  bool is_closure(int atom, int bond) const {
    return std::ranges::any_of(atoms_[atom].closures, [&](const auto& closure) { return closure.second == bond; });
  }

  std::string bond_text(int bond) {
    if (is_double_[bond] && !aromatic_) return "=";
    if (random_.chance(plain_ ? 1 : 3)) return random_.pick(std::vector<std::string>{"-", "/", "\\", ":", "=", "#"});
    return "";
  }

  void write(int atom, int from_bond, std::string& result) {
    atoms_[atom].written = true;
    std::string symbol = atoms_[atom].symbol;
    // Branches of a symbol come after its ring bonds.
    const auto branch = symbol.starts_with('[') ? std::min(symbol.find(']') + 1, symbol.size()) : symbol.find('(');
    result += symbol.substr(0, branch);
    for (const auto& [number, bond] : atoms_[atom].closures) {
      if (random_.chance(50)) result += bond_text(bond);
      result += number < 10 ? std::to_string(number) : '%' + std::to_string(number % 90 + 10);
    }
    if (branch < symbol.size()) result += symbol.substr(branch);
    std::vector<Joint> rest;
    for (const Joint& joint : skeleton_.joints(atom)) {
      if (joint.bond != from_bond && !is_closure(atom, joint.bond)) rest.push_back(joint);
    }
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const bool last = i + 1 == rest.size();
      if (!last) result += '(';
      result += bond_text(rest[i].bond);
      write(rest[i].neighbour, rest[i].bond, result);
      if (!last) result += ')';
    }
  }

  const Skeleton& skeleton_;
  Random& random_;
  std::vector<Atom> atoms_;
  std::vector<bool> is_double_;
  bool aromatic_ = false, plain_ = false;
  int num_closures_ = 0;
};

}  // namespace

std::string random_molecule_text(Random& random) {
  const Skeleton skeleton(random);
  return Writer(skeleton, random).text();
}

std::string mutated_text(std::string text, Random& random) {
  static const std::string kCharacters = "CNOScnos[]()=#-+.:/\\@H123456789%0BFPIlr*ebiat";
  for (Index left = random.between(1, 3); left > 0 && !text.empty(); --left) {
    const Index place = random.below(std::ssize(text));
    const char c = kCharacters[random.below(std::ssize(kCharacters))];
    switch (random.below(4)) {
      case 0:
        text[place] = c;
        break;
      case 1:
        text.insert(place, 1, c);
        break;
      case 2:
        text.erase(place, 1);
        break;
      default:
        text.insert(place, text.substr(random.below(std::ssize(text)), random.between(1, 6)));
    }
  }
  return text;
}

}  // namespace quarry::test
