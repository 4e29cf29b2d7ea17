/// Query signatures: how many atoms with each label lie within each radius of a query atom.
///
/// A data atom can stand for a query atom only if its counts dominate. Counts are over the whole ball of radius r: an
/// embedding can only shorten distances (a query path may lie in a ring), so counts over the sphere at exact distance r
/// would lose matches. Source: SIGMo (SC'25), section 4.3, with the ball in place of the sphere.
#pragma once
#include <vector>

#include "match/plan.hpp"

namespace quarry::match {

/// The labels that signatures count, each defined by a test. An atom may have several; it counts under each that it surely
/// has. The first is every atom.
const std::vector<AtomTest>& signature_labels();

/// The features of each atom of a pattern for radii 1..`radius`, without those that a smaller radius implies.
/// @return  [pattern.atoms.size()], sorted
std::vector<std::vector<Feature>> signature_features(const Pattern& pattern, int radius);

}  // namespace quarry::match
