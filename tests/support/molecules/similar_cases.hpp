/// What the tests of `similar` share: molecules as the engine and as the reference see them, and results beside the
/// truth.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quarry/similar.hpp"
#include "reference/similar.hpp"
#include "support/random.hpp"

namespace quarry::test {

/// The LINGO definition in one line.
similar::Definition lingo(int q, bool fold_halogens = false);

std::vector<reference::SortedMultiset> plain_sets(const std::vector<std::string>& smiles,
                                                  const similar::Definition& definition);

/// The same molecules twice.
struct BothForms {
  similar::Fingerprints packed;
  std::vector<reference::SortedMultiset> plain;
};
BothForms both_forms(const std::vector<std::string>& smiles, const similar::Definition& definition);

/// On the device of the tests (test_device).
similar::Options run_options(int threads = 0);
similar::SearchOptions search_options(Index k, double threshold, int threads = 0);
/// As `options` say, and on the host.
similar::SearchOptions search_on(const similar::Options& options, Index k, double threshold);
similar::SearchOptions search_on_host(Index k, double threshold);

/// Every similarity, [rows, columns]. A sink that does not receive whole consecutive rows is a failure.
std::vector<float> whole_matrix(const similar::Fingerprints& rows, const similar::Fingerprints& columns,
                                const similar::Options& options = run_options());
std::vector<float> plain_matrix(const std::vector<reference::SortedMultiset>& rows,
                                const std::vector<reference::SortedMultiset>& columns);

/// Of one row.
std::vector<similar::Neighbour> items_of(const similar::Neighbours& neighbours, Index row);

/// Equal in every array, similarities bit for bit.
::testing::AssertionResult same_bits(const std::vector<float>& one, const std::vector<float>& other);
::testing::AssertionResult same_neighbours(const similar::Neighbours& one, const similar::Neighbours& other);

/// Searches, and compares every `stride`-th row and the last with the reference.
void expect_nearest(const BothForms& rows, const BothForms& columns, const similar::SearchOptions& options,
                    Index stride = sized(1, 7));

}  // namespace quarry::test
