#include "match/stereo_screen.hpp"

#include <algorithm>

namespace quarry::match {
namespace {

bool has_marks(const Pattern& pattern) { return !pattern.chiral_atoms.empty() || !pattern.stereo_bonds.empty(); }

/// At any depth.
bool has_recursive_marks(const Pattern& pattern) {
  return std::ranges::any_of(pattern.recursive,
                             [](const Pattern& body) { return has_marks(body) || has_recursive_marks(body); });
}

}  // namespace

StereoScreen stereo_screen(const QuerySet& queries) {
  StereoScreen screen;
  screen.queries.hydrogens = queries.hydrogens;
  for (const Query& query : queries.accepted) {
    screen.every_molecule |= has_recursive_marks(query.pattern);
    if (!has_marks(query.pattern)) continue;
    Query& kept = screen.queries.accepted.emplace_back(query);
    kept.least = 1;
    kept.most = Query::kNoMost;
  }
  return screen;
}

}  // namespace quarry::match
