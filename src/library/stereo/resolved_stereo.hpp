/// Stereo marks of molecules whose library keeps them as text alone, once somebody has resolved them.
///
/// Each chunk in memory has one such table, which lives as long as the library, so that RDKit reads a record only once. The
/// code that asks RDKit is chemistry/stereo/resolve_stereo.hpp; this is where its answers are kept.
#pragma once
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "library/stereo/stereo_columns.hpp"
#include "quarry/index.hpp"
#include "quarry/library.hpp"

namespace quarry {

struct StereoMarks {
  std::vector<ChiralAtom> chiral_atoms;
  std::vector<StereoBond> stereo_bonds;
};

/// Can the record of a molecule, a SMILES and perhaps columns after a tab, have stereo marks?
bool may_have_stereo(std::string_view record);
/// The SMILES of such a record.
std::string_view smiles_of_record(std::string_view record);

/// Threads may use one at the same time.
class ResolvedStereo {
 public:
  /// Those of some molecules of the chunk that may have marks and are not resolved yet, each with its SMILES.
  /// @param load  gives the text of the chunk, with its records
  std::vector<std::pair<Index, std::string>> missing(std::span<const Index> molecules,
                                                     const std::function<ChunkText()>& load);
  void add(Index molecule, StereoMarks marks);
  /// The marks of some molecules, in this order; those that are not resolved have none.
  void copy(std::span<const Index> molecules, StereoColumns& columns) const;
  /// Frees the records. They are loaded again when a molecule is missing.
  void forget_records();

 private:
  mutable std::mutex mutex_;
  std::unordered_map<Index, StereoMarks> marks_;
  std::vector<std::string> records_;  ///< empty, or of all molecules; only those with marks have text
};

}  // namespace quarry
