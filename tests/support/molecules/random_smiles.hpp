/// Random strings that look like SMILES to someone who reads characters: pieces of SMILES in any order, with everything
/// that the text of LINGOs treats on its own, and lengths and repeats at the edges. Hardly any of them is a molecule.
#pragma once
#include <string>
#include <vector>

#include "support/random.hpp"

namespace quarry::test {

/// Pieces in any order: atoms, brackets, bonds, branches, ring closures of every form, loose `%` and digits.
std::string random_smiles(Random& random, Index num_pieces);

/// Short texts of two letters: many equal ones, and similarities that many pairs share.
std::string random_plain_smiles(Random& random, Index max_length);

/// The multiset of characters (q = 1) in which the i-th letter occurs counts[i] times, as a text; at most 8 letters.
std::string multiset_text(const std::vector<Index>& counts);

/// A set to compare: most as `random_smiles`, among them equal and nearly equal ones; empty ones, shorter than q and
/// exactly q; one gram up to 200 times; in a large set a few of some thousand characters.
std::vector<std::string> random_smiles_set(Random& random, Index num_smiles, int q);

}  // namespace quarry::test
