/// Molecules that are hard for matchers: charges, isotopes, metals, stereo, odd valences, rings of every kind, salts,
/// and sizes beyond one, two and eight words of 64 atoms. Written for these tests.
#pragma once
#include <string>
#include <vector>

namespace quarry::test {

/// `SMILES id` lines.
std::vector<std::string> awkward_molecules();

/// The lines as one text.
std::string as_file(const std::vector<std::string>& lines);

}  // namespace quarry::test
