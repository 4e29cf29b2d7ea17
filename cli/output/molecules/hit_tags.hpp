/// What is written beside a molecule that some query matches: ids of the queries, numbers of matches, their atoms.
#pragma once
#include <string>
#include <vector>

#include "output/hits.hpp"

namespace quarry::cli {

/// Names of the values: quarry_queries; where the mode counts matches, quarry_counts; where it keeps them, quarry_atoms.
std::vector<std::string> hit_tag_names(match::Mode mode);

/// The values: `acid;ester`, `1;2`, and `6,7,8;1,2,3 4,5,6`, with a semicolon between queries and a blank between matches.
/// A + follows a number that is cut short.
/// @param numbers  for each atom of the molecule its number where it is written, from 0; `-` stands for those without one.
///                 Empty: as they are
std::vector<std::string> hit_tags(const MoleculeHits& molecule, const QuerySet& queries, match::Mode mode,
                                  const std::vector<Index>& numbers);

}  // namespace quarry::cli
