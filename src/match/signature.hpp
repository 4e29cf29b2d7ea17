/// Query signatures: how many atoms of each label class lie within each radius of a query atom.
///
/// A data atom can stand for a query atom only if its counts dominate. Counts are over the whole ball of radius r: an
/// embedding can only shorten distances (a query path may lie in a ring), so counts over the sphere at exact distance r
/// would lose matches. Source: SIGMo (SC'25), section 4.3, with the ball in place of the sphere.
#pragma once
#include <vector>

#include "match/plan.hpp"

namespace quarry::match {

/// The label classes: one atom test each. Classes may overlap; an atom counts in each one it surely belongs to.
const std::vector<AtomTest>& signature_classes();

/// Constraints of every atom of a pattern for radii 1..`radius`, those already implied by a smaller radius left out.
/// @return  [pattern.atoms.size()] sorted features
std::vector<std::vector<Feature>> signature_features(const Pattern& pattern, int radius);

}  // namespace quarry::match
