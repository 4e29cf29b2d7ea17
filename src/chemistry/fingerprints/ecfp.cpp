/// RDKit's folded Morgan fingerprint, bit by bit.
#include "chemistry/fingerprints/ecfp.hpp"

#include <DataStructs/ExplicitBitVect.h>
#include <GraphMol/Fingerprints/MorganFingerprints.h>
#include <GraphMol/RWMol.h>

#include <memory>
#include <string>

#include "chemistry/perceive.hpp"
#include "quarry/error.hpp"

namespace quarry {

std::vector<std::uint32_t> rdkit_ecfp_bits(std::string_view smiles, int radius, Index num_bits) {
  std::string reason;
  const auto molecule = parse_record(smiles, RecordFormat::smiles, false, reason);
  if (!molecule) throw InputError(reason);
  const std::unique_ptr<ExplicitBitVect> vector(
      RDKit::MorganFingerprints::getFingerprintAsBitVect(*molecule, radius, num_bits));
  std::vector<int> set;
  vector->getOnBits(set);
  return {set.begin(), set.end()};
}

const std::vector<std::uint32_t>& EcfpReader::bits(std::string_view smiles) {
  if (const Molecule* const molecule = reader_.read(smiles)) return morgan_.bits(*molecule);
  return from_rdkit_ = rdkit_ecfp_bits(smiles, radius_, num_bits_);
}

}  // namespace quarry
