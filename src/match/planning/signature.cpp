#include "match/planning/signature.hpp"

#include <algorithm>
#include <limits>

#include "chemistry/predicates.hpp"
#include "util/cast.hpp"

namespace quarry::match {
namespace {

constexpr Index kMaxThreshold = 255;  // counts of the kernels stop there too

/// Bit per label: do all atoms that fulfil the expression have it?
std::uint32_t labels_of(const AtomExpression& expression) {
  std::uint32_t bits = 1;  // every atom has label 0
  const auto& labels = signature_labels();
  for (std::size_t i = 1; i < labels.size(); ++i) bits |= std::uint32_t{implies(expression, labels[i])} << i;
  return bits;
}

/// Atoms within each distance of `center` by breadth-first search: [r] holds those at distance r.
std::vector<std::vector<std::uint32_t>> spheres(const std::vector<std::vector<std::uint32_t>>& neighbours,
                                                std::uint32_t center, int radius) {
  std::vector<std::vector<std::uint32_t>> result{{center}};
  std::vector<bool> seen(neighbours.size(), false);
  seen[center] = true;
  for (int r = 1; r <= radius; ++r) {
    std::vector<std::uint32_t> next;
    for (const std::uint32_t atom : result.back()) {
      for (const std::uint32_t neighbour : neighbours[atom]) {
        if (!seen[neighbour]) next.push_back(neighbour);
        seen[neighbour] = true;
      }
    }
    result.push_back(std::move(next));
  }
  return result;
}

}  // namespace

const std::vector<AtomTest>& signature_labels() {
  using enum AtomProperty;
  constexpr std::int16_t kMax = std::numeric_limits<std::int16_t>::max();
  static const std::vector<AtomTest> labels{{element, 0, kMax}, {element, 1, 1},   {element, 6, 6},
                                            {element, 7, 7},    {element, 8, 8},   {element, 9, 9},
                                            {element, 15, 15},  {element, 16, 16}, {element, 17, 17},
                                            {element, 35, 35},  {aromatic, 1, 1},  {ring_count, 1, kMax}};
  return labels;
}

std::vector<std::vector<Feature>> signature_features(const Pattern& pattern, int radius) {
  const std::size_t num_atoms = pattern.atoms.size();
  std::vector<std::vector<Feature>> result(num_atoms);
  if (radius == 0) return result;
  std::vector<std::vector<std::uint32_t>> neighbours(num_atoms);
  for (const PatternBond& bond : pattern.bonds) {
    neighbours[bond.begin].push_back(bond.end);
    neighbours[bond.end].push_back(bond.begin);
  }
  std::vector<std::uint32_t> labels(num_atoms);
  std::ranges::transform(pattern.atoms, labels.begin(), labels_of);

  for (std::uint32_t atom = 0; atom < num_atoms; ++atom) {
    std::vector<Index> counts(signature_labels().size(), 0);
    const auto by_distance = spheres(neighbours, atom, radius);
    for (int r = 1; r <= radius; ++r) {
      if (by_distance[r].empty()) break;
      for (std::size_t label = 0; label < counts.size(); ++label) {
        const auto added =
            std::ranges::count_if(by_distance[r], [&](std::uint32_t a) { return (labels[a] >> label & 1) != 0; });
        if (added == 0) continue;
        counts[label] += added;
        Feature& feature = result[atom].emplace_back();
        feature.radius = checked_cast<std::uint8_t>(r);
        feature.label = checked_cast<std::uint8_t>(label);
        feature.threshold = checked_cast<std::uint8_t>(std::min(counts[label], kMaxThreshold));
      }
    }
    std::ranges::sort(result[atom]);
  }
  return result;
}

}  // namespace quarry::match
