/// RDKit's Morgan fingerprints (ECFP): the bits that a molecule sets.
///
/// Source: Rogers, Hahn, J. Chem. Inf. Model. 2010, 50, 742, as RDKit's MorganFingerprints::getFingerprintAsBitVect.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "quarry/index.hpp"

namespace quarry {

/// The set bits in ascending order, of `num_bits`. Radius 2 is ECFP4.
/// @throws InputError  RDKit refuses the SMILES (says why)
std::vector<std::uint32_t> ecfp_bits(std::string_view smiles, int radius, Index num_bits);

}  // namespace quarry
