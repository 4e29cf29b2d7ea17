/// Rows of molecules as text: the id, the number of queries that match, and their ids; TSV, CSV and JSON lines.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "output/hits.hpp"

namespace quarry::cli {

/// Columns molecule, alerts and queries.
/// @param extension  that of extension_of
/// @return           nullptr where it is that of no table
std::unique_ptr<HitFormat> make_per_molecule_rows(const std::string& extension,
                                                  const std::vector<match::HitsQuery>& queries);

}  // namespace quarry::cli
