/// Random SMARTS, and random molecules to look in, as text.
#pragma once
#include <string>

#include "support/random.hpp"

namespace quarry::test {

/// A pattern of 1 to 7 atoms: branches, rings and several pieces, bracket atoms with all primitives and logic that RDKit
/// 2022.09 reads, bonds with logic, `$()` up to two deep. RDKit refuses a few of them.
std::string random_smarts(Random& random);

/// The SMILES of a chain of 1 to 16 pieces such as amides, rings and charged groups. RDKit reads all of them.
std::string random_chain_smiles(Random& random);

}  // namespace quarry::test
