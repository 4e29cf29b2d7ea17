#include "match/planning/pattern_graph.hpp"

#include "graph/pattern/matching_order.hpp"

namespace quarry::match {

PatternGraph pattern_graph(const Pattern& pattern, std::span<const std::uint32_t> atom_labels,
                           std::span<const std::uint32_t> bond_labels) {
  PatternGraph result;
  std::vector<QueryEdge> edges;
  for (const PatternBond& bond : pattern.bonds) edges.push_back({bond.begin, bond.end});
  result.vertices.resize(pattern.atoms.size());
  for (const OrderedNode& atom : matching_order(std::vector<double>(pattern.atoms.size(), 0), edges, 0)) {
    result.vertices[atom.node] = static_cast<std::uint32_t>(result.atoms.size());
    result.is_connected &= result.atoms.empty() || !atom.edges.empty();
    result.atoms.push_back(atom.node);
    result.graph.labels.push_back(atom_labels[atom.node]);
  }
  result.graph.vertices.resize(pattern.atoms.size());
  for (std::size_t b = 0; b < pattern.bonds.size(); ++b) {
    const PatternBond& bond = pattern.bonds[b];
    result.graph.edges.push_back({result.vertices[bond.begin], result.vertices[bond.end], bond_labels[b]});
  }
  return result;
}

}  // namespace quarry::match
