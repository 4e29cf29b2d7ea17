/// Random SMILES that are meant to be molecules: grown ring systems, fused, bridged, spiro and linked, with double bonds or
/// aromatic marks, heteroatoms, charges, isotopes, hydrogens as atoms and marks of stereo, written from a random atom.
/// RDKit accepts about half of them; what it refuses are valences and Kekule forms.
#pragma once
#include <string>

#include "support/random.hpp"

namespace quarry::test {

std::string random_molecule_text(Random& random);

/// The same text after a few random changes of characters. Hardly ever a molecule, but near one.
std::string mutated_text(std::string text, Random& random);

}  // namespace quarry::test
