/// SMARTS that between them use every primitive, operator and construct. Written for these tests.
#pragma once
#include <string>
#include <vector>

namespace quarry::test {

std::vector<std::string> varied_smarts();

/// Those with marks of stereo, and near relatives.
std::vector<std::string> stereo_smarts();

/// Those that name hydrogens as atoms.
std::vector<std::string> hydrogen_smarts();

}  // namespace quarry::test
