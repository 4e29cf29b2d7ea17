/// What the tests of the match engine share: a case of molecules and patterns, and its result set beside the truth.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quarry/match.hpp"
#include "reference/match.hpp"
#include "support/test_device.hpp"

namespace quarry::test {

/// Molecules, and patterns to look for in them.
struct MatchCase {
  std::vector<Molecule> molecules;
  std::vector<Pattern> patterns;
};

/// Small random molecules and 40 random patterns.
MatchCase random_match_case(std::uint64_t seed, Index num_molecules);

/// Queries with ids "1", "2", ... from patterns.
QuerySet query_set(const std::vector<Pattern>& patterns);

match::Result run_match(const std::vector<Molecule>& molecules, const std::vector<Pattern>& patterns,
                        const match::Options& options);

/// For messages.
const char* name_of(match::Mode mode);

/// Options of one mode, on the device of the tests; everything else as it is by default.
match::Options in_mode(match::Mode mode);

/// One pair of a result, for looking at.
struct Pair {
  const match::Hit* hit = nullptr;  ///< null where the pair did not match
  std::vector<reference::Embedding> stored;
};
/// @param num_atoms  of the query
Pair pair_of(const match::Result& result, Index molecule, Index query, Index num_atoms);

/// Equal in every array.
::testing::AssertionResult same_result(const match::Result& one, const match::Result& other);

/// All embeddings of every pair by brute force, [molecules, patterns].
class Truth {
 public:
  Truth(const std::vector<Molecule>& molecules, const std::vector<Pattern>& patterns, bool chirality = false);
  const std::vector<reference::Embedding>& of(Index molecule, Index query) const {
    return embeddings_[molecule * num_queries_ + query];
  }

 private:
  Index num_queries_;
  std::vector<std::vector<reference::Embedding>> embeddings_;
};

/// The distinct atom sets of embeddings, each sorted.
std::vector<reference::Embedding> atom_sets(const std::vector<reference::Embedding>& embeddings);

/// Every mode, every pair, against the truth; a failure names molecule and pattern.
void expect_truth(const std::vector<Molecule>& molecules, const std::vector<Pattern>& patterns, const Truth& truth,
                  const match::Options& options = in_mode(match::Mode::first));

}  // namespace quarry::test
