/// Coordinates for molecules that have none.
#pragma once
#include <memory>
#include <string>
#include <vector>

namespace RDKit {
class RWMol;
}  // namespace RDKit

namespace quarry {

/// The stereoisomers of a molecule whose centres and double bonds are not all specified, at most `limit`, in a fixed
/// order; the molecule itself where all are, or where the limit is 1.
std::vector<std::unique_ptr<RDKit::RWMol>> stereoisomers(const RDKit::RWMol& molecule, int limit);

/// Does the molecule leave centres or double bonds open, so that there are several of these?
bool has_several_isomers(const RDKit::RWMol& molecule);

struct EmbeddedIsomer {
  std::unique_ptr<RDKit::RWMol> molecule;
  std::string failure;  ///< why it has no conformers; empty where it has some
};

/// Stereoisomers with up to `num_conformers` conformers each: ETKDGv3 with a fixed seed, then MMFF94 where it has
/// parameters; rounded to 32 bits, as libraries keep them. The same coordinates on any thread.
/// @param molecule  with all its hydrogens
std::vector<EmbeddedIsomer> embed_isomers(const RDKit::RWMol& molecule, int num_conformers, int num_stereoisomers);

}  // namespace quarry
