/// RDKit searches the one graph of heavy atoms in the other; with as many atoms and bonds, what it finds is the whole.
#include "chemistry/ligand/isomorphism.hpp"

#include <GraphMol/RWMol.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include <numeric>

#include "chemistry/elements.hpp"

namespace quarry {
namespace {

constexpr unsigned kMaxMaps = 100'000;

/// Heavy atoms joined by single bonds, and the number of each in its molecule.
class HeavyGraph {
 public:
  void add_atom(int number, int element) {
    if (number >= std::ssize(position_)) position_.resize(number + 1, -1);
    if (element == kHydrogen) return;
    position_[number] = static_cast<int>(numbers_.size());
    numbers_.push_back(number);
    graph_.addAtom(new RDKit::Atom(element), /*updateLabel=*/false, /*takeOwnership=*/true);
  }
  void add_bond(int begin, int end) {
    if (position_[begin] < 0 || position_[end] < 0) return;
    graph_.addBond(position_[begin], position_[end], RDKit::Bond::SINGLE);
  }
  /// Atoms of different marks are not alike. @param mark  above 0
  void mark_atom(int number, int mark) {
    if (position_[number] >= 0) graph_.getAtomWithIdx(position_[number])->setIsotope(mark);
  }
  const RDKit::RWMol& graph() const { return graph_; }
  int number(int position) const { return numbers_[position]; }

 private:
  RDKit::RWMol graph_;
  std::vector<int> numbers_, position_;
};

HeavyGraph graph_of(const Ligand& ligand) {
  HeavyGraph graph;
  for (int atom = 0; atom < ligand.num_atoms(); ++atom) graph.add_atom(atom, ligand.elements[atom]);
  for (const LigandBond& bond : ligand.bonds) graph.add_bond(bond.begin, bond.end);
  return graph;
}

std::vector<RDKit::MatchVectType> all_matches(const HeavyGraph& from, const HeavyGraph& to, unsigned most) {
  RDKit::SubstructMatchParameters parameters;
  parameters.uniquify = false;
  parameters.maxMatches = most;
  return RDKit::SubstructMatch(to.graph(), from.graph(), parameters);
}

HeavyGraph graph_of(const RDKit::ROMol& molecule) {
  HeavyGraph graph;
  for (const RDKit::Atom* atom : molecule.atoms()) graph.add_atom(atom->getIdx(), atom->getAtomicNum());
  for (const RDKit::Bond* bond : molecule.bonds()) graph.add_bond(bond->getBeginAtomIdx(), bond->getEndAtomIdx());
  return graph;
}

}  // namespace

std::vector<std::vector<int>> isomorphisms(const Ligand& ligand, const RDKit::ROMol& other) {
  const HeavyGraph from = graph_of(ligand), to = graph_of(other);
  const bool same_size =
      from.graph().getNumAtoms() == to.graph().getNumAtoms() && from.graph().getNumBonds() == to.graph().getNumBonds();
  if (!same_size) return {};
  const auto matches = all_matches(from, to, kMaxMaps + 1);
  if (matches.size() > kMaxMaps) {
    throw CapacityError("symmetric maps of the ligand " + ligand.id, kMaxMaps, std::ssize(matches));
  }
  std::vector<std::vector<int>> maps;
  for (const auto& match : matches) {
    auto& map = maps.emplace_back(match.size());
    for (const auto& [position, image] : match) map[position] = to.number(image);
  }
  return maps;
}

std::vector<std::vector<std::uint16_t>> symmetries_of(const Ligand& ligand) {
  HeavyGraph graph = graph_of(ligand);
  std::vector<int> hydrogens(ligand.num_atoms(), 0);
  for (const LigandBond& bond : ligand.bonds) {
    hydrogens[bond.begin] += ligand.elements[bond.end] == kHydrogen ? 1 : 0;
    hydrogens[bond.end] += ligand.elements[bond.begin] == kHydrogen ? 1 : 0;
  }
  for (int atom = 0; atom < ligand.num_atoms(); ++atom) graph.mark_atom(atom, 1 + hydrogens[atom]);
  std::vector<std::vector<std::uint16_t>> symmetries;
  for (const auto& match : all_matches(graph, graph, kMaxSymmetries + 1)) {
    std::vector<std::uint16_t> map(ligand.num_atoms());
    std::iota(map.begin(), map.end(), std::uint16_t{0});
    bool is_identity = true;
    for (const auto& [from, to] : match) {
      map[graph.number(from)] = static_cast<std::uint16_t>(graph.number(to));
      is_identity &= from == to;
    }
    if (!is_identity && symmetries.size() < kMaxSymmetries) symmetries.push_back(std::move(map));
  }
  return symmetries;
}

}  // namespace quarry
