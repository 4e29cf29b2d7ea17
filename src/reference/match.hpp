/// Substructure matching in its plainest form: the truth that the engine `match` is compared with.
///
/// Query atoms are assigned in index order: every data atom is tried, every bond is looked up in a full matrix. What
/// concerns the whole assignment (component groups, stereo) is checked when it is complete. No masks, no refinement, no
/// matching order: nothing of the engine's method is used here.
/// Source of the stereo rules: RDKit 2022.09, GraphMol/Substruct/SubstructMatch.cpp.
#pragma once
#include <cstdint>
#include <vector>

#include "quarry/molecule.hpp"

namespace quarry::reference {

/// Data atom per query atom.
using Embedding = std::vector<std::uint32_t>;

/// Every embedding, in lexicographic order. Exponential in time and memory: for small cases.
std::vector<Embedding> embeddings(const Molecule& molecule, const Pattern& pattern, bool chirality = false);

/// How many embeddings there are, without storing them.
Index count(const Molecule& molecule, const Pattern& pattern, bool chirality = false);

/// How many distinct sets of atoms the embeddings cover.
Index count_unique(const Molecule& molecule, const Pattern& pattern, bool chirality = false);

/// Is there an embedding?
bool matches(const Molecule& molecule, const Pattern& pattern, bool chirality = false);

/// Is this one an embedding? Every condition is checked anew.
bool is_embedding(const Molecule& molecule, const Pattern& pattern, const Embedding& embedding, bool chirality = false);

}  // namespace quarry::reference
