/// Output formats that hold molecules: SMILES, SDF and tables with SMILES.
#pragma once
#include <memory>
#include <string>

#include "output/hits.hpp"

namespace quarry::cli {

/// Does the name end as that of a file of molecules?
bool is_record_format(const std::string& path);

/// The format for .smi, .smiles, .sdf or .sd. @throws InputError  any other extension
std::unique_ptr<HitFormat> make_record_format(const std::string& path, const HitFormatOptions& options);

/// The format for .tsv, .csv or .jsonl, none is .tsv; nullptr for any other extension.
std::unique_ptr<HitFormat> make_molecule_table(const std::string& path, const HitFormatOptions& options);

}  // namespace quarry::cli
