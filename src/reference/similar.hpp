/// Similarity in its plainest form: the truth that the engine `similar` is compared with, and the paper's own method,
/// against which its speed is measured.
///
/// A multiset is a map from substring to count, or two arrays in order of the substring, which is packed into a number.
/// Two multisets are compared by walking both. No bounds, no lists of molecules, no bitmaps: nothing of the engine's
/// method is used here.
/// Source: Haque, Pande, Walters, J. Chem. Inf. Model. 2010, 50, 560 (SIML), the sorted merge; Butina, J. Chem. Inf.
/// Comput. Sci. 1999, 39, 747.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/similar.hpp"

namespace quarry::reference {

/// The text that LINGOs are cut from; `smiles` is printable ASCII.
std::string lingo_text(std::string_view smiles, bool fold_halogens = false);

/// Every substring of q characters with how often it occurs, or the whole text where it is shorter.
std::map<std::string, Index> lingos(std::string_view text, int q);

/// The two sums of which a similarity is the quotient.
struct Tanimoto {
  Index smaller = 0;  ///< sum of the smaller counts
  Index larger = 0;   ///< sum of the larger counts, at least 1
  /// Two different quotients of sums below 2^26 are different doubles, so doubles order them exactly.
  double exact() const { return static_cast<double>(smaller) / larger; }
  float rounded() const { return static_cast<float>(smaller) / larger; }
  bool operator==(const Tanimoto&) const = default;
};

Tanimoto tanimoto(const std::map<std::string, Index>& one, const std::map<std::string, Index>& other);

/// A multiset as SIML keeps it.
struct SortedMultiset {
  std::vector<std::uint64_t> grams;   ///< ascending, each once
  std::vector<std::uint32_t> counts;  ///< [grams]
  Index magnitude = 0;                ///< sum of the counts
};

/// @param q  at most 8: a gram is packed with its first character highest
SortedMultiset sorted_multiset(std::string_view text, int q);
/// The same of any features, in any order, each repeated as often as it occurs.
SortedMultiset sorted_multiset(std::vector<std::uint64_t> features);

/// Sum of the smaller counts.
Index intersection(const SortedMultiset& one, const SortedMultiset& other);
Tanimoto tanimoto(const SortedMultiset& one, const SortedMultiset& other);

/// The columns at `threshold` or above, the most similar first, ties by number: the first k of them, or all if k is 0.
std::vector<similar::Neighbour> nearest(const SortedMultiset& row, const std::vector<SortedMultiset>& columns, Index k,
                                        double threshold);

/// Compares every pair twice and keeps every list of neighbours in memory.
similar::Clusters cluster(const std::vector<SortedMultiset>& molecules, double threshold);

/// MaxMin: looks through all molecules for each pick.
std::vector<Index> pick(const std::vector<SortedMultiset>& molecules, Index count, Index first = 0,
                        double threshold = 1);

}  // namespace quarry::reference
