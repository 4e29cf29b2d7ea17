/// RDKit's folded Morgan fingerprint, bit by bit.
#include "chemistry/ecfp.hpp"

#include <DataStructs/ExplicitBitVect.h>
#include <GraphMol/Fingerprints/MorganFingerprints.h>
#include <GraphMol/RWMol.h>

#include <memory>
#include <string>

#include "chemistry/perceive.hpp"
#include "quarry/error.hpp"

namespace quarry {

std::vector<std::uint32_t> ecfp_bits(std::string_view smiles, int radius, Index num_bits) {
  std::string reason;
  const auto molecule = parse_record(smiles, RecordFormat::smiles, false, reason);
  if (!molecule) throw InputError(reason);
  const std::unique_ptr<ExplicitBitVect> vector(
      RDKit::MorganFingerprints::getFingerprintAsBitVect(*molecule, radius, num_bits));
  std::vector<int> set;
  vector->getOnBits(set);
  return {set.begin(), set.end()};
}

}  // namespace quarry
