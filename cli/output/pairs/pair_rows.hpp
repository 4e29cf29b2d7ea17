/// Rows of pairs as text: TSV, CSV and JSON lines. There may be billions, so a row is its parts copied one after another.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "output/hits.hpp"

namespace quarry::cli {

/// Columns molecule, query, count, status and, where `with_mappings`, mapping.
/// @param extension  that of extension_of
/// @return           nullptr where it is that of no table
std::unique_ptr<HitFormat> make_pair_rows(const std::string& extension, const std::vector<match::HitsQuery>& queries,
                                          bool with_mappings);

}  // namespace quarry::cli
