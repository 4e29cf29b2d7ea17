/// Brute-force matching: assign query atoms in index order, and after each one check all that can be checked.
#include "reference/match.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "reference/stereo.hpp"

namespace quarry::reference {
namespace {

constexpr std::int8_t kNoBond = -1;

/// Receives a complete embedding; false ends the search.
using Visitor = std::function<bool(const Embedding&)>;

/// One molecule with its bonds as a matrix, and the answers about `$()` at its atoms that are already known.
class BruteForce {
 public:
  BruteForce(const Molecule& molecule, bool chirality);
  /// False if the visitor ended the search.
  bool search(const Pattern& pattern, const Visitor& visitor);
  bool holds(const Pattern& pattern, const Embedding& embedding);

 private:
  bool extend(const Pattern& pattern, Embedding& partial, const Visitor& visitor);
  bool fits(const Pattern& pattern, const Embedding& partial);
  bool accepts(const Pattern& pattern, const AtomExpression& expression, std::uint32_t atom);
  bool starts_at(const Pattern& body, std::uint32_t atom);
  bool groups_hold(const Pattern& pattern, const Embedding& embedding) const;
  std::int8_t& bond_between(std::size_t one, std::size_t other) { return bonds_[one * num_atoms_ + other]; }

  const Molecule& molecule_;
  bool chirality_;
  std::size_t num_atoms_;
  std::vector<std::int8_t> bonds_;        // [num_atoms, num_atoms], kind from row to column, or kNoBond
  std::vector<std::uint32_t> component_;  // [num_atoms], smallest atom of the component
  std::map<std::pair<const Pattern*, std::uint32_t>, bool> starts_;
};

BruteForce::BruteForce(const Molecule& molecule, bool chirality)
    : molecule_(molecule),
      chirality_(chirality),
      num_atoms_(molecule.atoms.size()),
      bonds_(num_atoms_ * num_atoms_, kNoBond),
      component_(num_atoms_) {
  for (std::uint32_t atom = 0; atom < num_atoms_; ++atom) component_[atom] = atom;
  for (const Bond& bond : molecule.bonds) {
    bond_between(bond.begin, bond.end) = bond.kind;
    bond_between(bond.end, bond.begin) = reversed(bond.kind);
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Bond& bond : molecule.bonds) {
      const auto smaller = std::min(component_[bond.begin], component_[bond.end]);
      changed = changed || component_[bond.begin] != smaller || component_[bond.end] != smaller;
      component_[bond.begin] = component_[bond.end] = smaller;
    }
  }
}

bool BruteForce::accepts(const Pattern& pattern, const AtomExpression& expression, std::uint32_t atom) {
  const auto child_accepts = [&](const AtomExpression& child) { return accepts(pattern, child, atom); };
  bool accepted = true;
  switch (expression.op) {
    case AtomExpression::Op::any:
      break;
    case AtomExpression::Op::test: {
      const auto value = value_of(molecule_.atoms[atom], expression.test.property);
      accepted = expression.test.low <= value && value <= expression.test.high;
      break;
    }
    case AtomExpression::Op::recursive:
      accepted = starts_at(pattern.recursive[expression.recursive], atom);
      break;
    case AtomExpression::Op::all_of:
      accepted = std::all_of(expression.children.begin(), expression.children.end(), child_accepts);
      break;
    case AtomExpression::Op::any_of:
      accepted = std::any_of(expression.children.begin(), expression.children.end(), child_accepts);
      break;
  }
  return accepted != expression.negated;
}

/// Does the body of a `$()` have an embedding whose first atom is this one?
bool BruteForce::starts_at(const Pattern& body, std::uint32_t atom) {
  const auto known = starts_.find({&body, atom});
  if (known != starts_.end()) return known->second;
  Embedding partial = {atom};
  const bool found =
      !body.atoms.empty() && fits(body, partial) && !extend(body, partial, [](const Embedding&) { return false; });
  starts_[{&body, atom}] = found;
  return found;
}

/// Does the last atom of a partial embedding agree with those before it?
bool BruteForce::fits(const Pattern& pattern, const Embedding& partial) {
  const auto last = partial.size() - 1;
  if (std::find(partial.begin(), partial.end() - 1, partial[last]) != partial.end() - 1) return false;
  for (const PatternBond& bond : pattern.bonds) {
    if (std::max(bond.begin, bond.end) != last) continue;
    const int kind = bond_between(partial[bond.begin], partial[bond.end]);
    if (kind == kNoBond || ((bond.kinds >> kind) & 1) == 0) return false;
  }
  return accepts(pattern, pattern.atoms[last], partial[last]);
}

bool BruteForce::groups_hold(const Pattern& pattern, const Embedding& embedding) const {
  const auto& group = pattern.component_group;
  for (std::size_t one = 0; one < group.size(); ++one) {
    for (std::size_t other = 0; other < one; ++other) {
      if (group[one] < 0 || group[other] < 0) continue;
      const bool same_component = component_[embedding[one]] == component_[embedding[other]];
      if (same_component != (group[one] == group[other])) return false;
    }
  }
  return true;
}

bool BruteForce::extend(const Pattern& pattern, Embedding& partial, const Visitor& visitor) {
  if (partial.size() == pattern.atoms.size()) {
    const bool complete = groups_hold(pattern, partial) && (!chirality_ || stereo_holds(molecule_, pattern, partial));
    return !complete || visitor(partial);
  }
  for (std::uint32_t atom = 0; atom < num_atoms_; ++atom) {
    partial.push_back(atom);
    const bool go_on = !fits(pattern, partial) || extend(pattern, partial, visitor);
    partial.pop_back();
    if (!go_on) return false;
  }
  return true;
}

bool BruteForce::search(const Pattern& pattern, const Visitor& visitor) {
  if (pattern.atoms.empty()) return true;
  Embedding partial;
  return extend(pattern, partial, visitor);
}

bool BruteForce::holds(const Pattern& pattern, const Embedding& embedding) {
  if (embedding.size() != pattern.atoms.size() || embedding.empty()) return false;
  Embedding partial;
  for (const auto atom : embedding) {
    if (atom >= num_atoms_) return false;
    partial.push_back(atom);
    if (!fits(pattern, partial)) return false;
  }
  return groups_hold(pattern, partial) && (!chirality_ || stereo_holds(molecule_, pattern, partial));
}

}  // namespace

std::vector<Embedding> embeddings(const Molecule& molecule, const Pattern& pattern, bool chirality) {
  std::vector<Embedding> found;
  BruteForce(molecule, chirality).search(pattern, [&](const Embedding& embedding) {
    found.push_back(embedding);
    return true;
  });
  return found;
}

Index count(const Molecule& molecule, const Pattern& pattern, bool chirality) {
  Index found = 0;
  BruteForce(molecule, chirality).search(pattern, [&](const Embedding&) { return ++found > 0; });
  return found;
}

Index count_unique(const Molecule& molecule, const Pattern& pattern, bool chirality) {
  std::set<Embedding> atom_sets;
  BruteForce(molecule, chirality).search(pattern, [&](Embedding embedding) {
    std::sort(embedding.begin(), embedding.end());
    atom_sets.insert(std::move(embedding));
    return true;
  });
  return std::ssize(atom_sets);
}

bool matches(const Molecule& molecule, const Pattern& pattern, bool chirality) {
  return !BruteForce(molecule, chirality).search(pattern, [](const Embedding&) { return false; });
}

bool is_embedding(const Molecule& molecule, const Pattern& pattern, const Embedding& embedding, bool chirality) {
  return BruteForce(molecule, chirality).holds(pattern, embedding);
}

}  // namespace quarry::reference
