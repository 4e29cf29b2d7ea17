/// Receptors as the program reads them.
#pragma once
#include <string>

#include "quarry/receptor.hpp"

namespace quarry::cli {

/// Says on standard error which atoms a receptor lacks and which residues have no template.
void warn_of(const Receptor& receptor, const std::string& path);

/// Reads a receptor, and says on standard error which atoms it lacks and which residues have no template.
/// @throws InputError  as read_receptor
Receptor load_receptor(const std::string& path, const ReceptorOptions& options);

}  // namespace quarry::cli
