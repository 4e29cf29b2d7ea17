/// RDKit's Morgan fingerprints (ECFP): the bits that a molecule sets.
///
/// Source: Rogers, Hahn, J. Chem. Inf. Model. 2010, 50, 742, as RDKit's MorganFingerprints::getFingerprintAsBitVect.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "chemistry/fingerprints/morgan.hpp"
#include "chemistry/smiles/native_reader.hpp"
#include "quarry/index.hpp"

namespace quarry {

/// The set bits in ascending order, of `num_bits`, as RDKit computes them. Radius 2 is ECFP4.
/// @throws InputError  RDKit refuses the SMILES (says why)
std::vector<std::uint32_t> rdkit_ecfp_bits(std::string_view smiles, int radius, Index num_bits);

/// The same bits of many SMILES: computed without RDKit where the molecule can be read without it.
class EcfpReader {
 public:
  EcfpReader(int radius, Index num_bits) : radius_(radius), num_bits_(num_bits), morgan_(radius, num_bits) {}
  /// Valid until the next call. @throws InputError  as rdkit_ecfp_bits
  const std::vector<std::uint32_t>& bits(std::string_view smiles);

 private:
  int radius_;
  Index num_bits_;
  smiles::NativeReader reader_;
  MorganBits morgan_;
  std::vector<std::uint32_t> from_rdkit_;
};

}  // namespace quarry
