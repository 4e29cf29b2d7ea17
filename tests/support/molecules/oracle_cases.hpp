/// Every pair of a library and a query set against RDKit's own matcher, on all cores.
#pragma once
#include <string>
#include <vector>

#include "quarry/match.hpp"

namespace quarry::test {

/// What came of comparing every pair.
struct Comparison {
  Index pairs = 0;           ///< compared with RDKit or, where RDKit cut its answer short, with src/reference
  Index matching = 0;        ///< of them, pairs that match
  Index capped = 0;          ///< of them, pairs that RDKit cut short
  Index not_comparable = 0;  ///< pairs of queries that RDKit cannot answer, compared with src/reference
  Index molecules = 0;
  std::vector<std::string> disagreements;  ///< the first few, each with molecule, query and numbers

  Comparison& operator+=(const Comparison& other);
};

/// One line: pairs compared, matching, cut short.
std::string to_text(const Comparison& comparison);

/// Match or no match, embeddings and unique embeddings of every pair.
/// @param library  with records
Comparison compare_with_oracle(const Library& library, const QuerySet& queries, bool chirality = false);

/// A library read from a file, which must have at most kChunkMolecules rows and none that is refused.
Library read_library(const std::string& path, bool explicit_hydrogens = false);

}  // namespace quarry::test
