/// Similarity of molecules in bulk: nearest neighbours, matrices, clusters, diverse subsets; exact.
///
/// A molecule is a multiset of features: the LINGOs of its SMILES, or the bits of an ECFP4 fingerprint. Two molecules
/// are as similar as the sum of the smaller counts of every feature, divided by the sum of the larger ones (Tanimoto).
/// Source: Haque, Pande, Walters, SIML: A Fast SIMD Algorithm for Calculating LINGO Chemical Similarities on GPUs and
/// CPUs, J. Chem. Inf. Model. 2010, 50, 560; LINGOs: Vidal, Thormann, Pons, J. Chem. Inf. Model. 2005, 45, 386.
/// docs/engines/similar.md says where this differs.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/library.hpp"
#include "quarry/progress.hpp"

#pragma GCC visibility push(default)
namespace quarry::similar {

enum class Metric : std::uint8_t {
  lingo,  ///< substrings of the SMILES, as many times as they occur
  ecfp4,  ///< RDKit's Morgan fingerprint of radius 2, folded to kEcfpBits bits
};

inline constexpr int kMaxLingo = 8;
inline constexpr Index kEcfpBits = 2048;
inline constexpr int kEcfpRadius = 2;
/// Most features of one molecule, repeats counted.
inline constexpr Index kMaxMagnitude = 65534;

/// What molecules are compared by.
struct Definition {
  Metric metric = Metric::lingo;
  int q = 4;                   ///< characters of a LINGO, 1..kMaxLingo
  bool fold_halogens = false;  ///< `Cl` and `Br` are read as the single letters `L` and `R`
  bool operator==(const Definition&) const = default;
};

/// The text that LINGOs are cut from. Outside brackets every ring closure, one digit or `%nn` or `%(n...)`, becomes one
/// `0`; inside brackets digits stay, because they are isotopes, hydrogen counts, charges and atom maps.
/// @throws InputError  a character that is not printable ASCII (names it and its place)
std::string lingo_text(std::string_view smiles, bool fold_halogens = false);

/// The multiset of one molecule as ascending numbers, repeated as often as they occur; never empty.
/// LINGO: every substring of q characters, first character in the highest byte. A text shorter than q is one feature of
/// its own, the whole text, which no longer text has: it is similar to itself alone.
/// @throws InputError  q out of range; text as `lingo_text`; ECFP4: RDKit refuses the SMILES
/// @throws CapacityError  more than kMaxMagnitude features
std::vector<std::uint64_t> features(std::string_view smiles, const Definition& definition = {});

/// The multisets of many molecules, packed for comparing. Reading is thread-safe. Move-only.
class Fingerprints {
 public:
  /// @param threads  0: all cores
  /// @throws InputError, CapacityError  as `features`, with the row, from 0, before it
  static Fingerprints of_smiles(std::span<const std::string> smiles, const Definition& definition = {},
                                int threads = 0);
  /// Uses what `quarry index` stored where that has the same definition, in place. Else a chunk is packed from its
  /// records when it is first compared, and kept: some 100 bytes a molecule. The library must outlive this.
  /// @throws InputError  the records are not SMILES. What cannot be packed is named when it is compared: see
  /// records_fit
  static Fingerprints of_library(const Library& library, const Definition& definition = {});

  Fingerprints(Fingerprints&&) noexcept;
  Fingerprints& operator=(Fingerprints&&) noexcept;
  ~Fingerprints();

  Index size() const;
  const Definition& definition() const;

  struct Impl;
  explicit Fingerprints(std::unique_ptr<Impl> impl);
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// Whether no record of a library is longer than kMaxSmiles, so that `Fingerprints::of_library` can use all. Chunks
/// that are stored packed by this definition are not read. Where it is false, `smiles_of` gives the others, and names
/// these.
/// @throws InputError  the library is damaged
bool records_fit(const Library& library, const Definition& definition = {});

/// What `ReadOptions::similar_section` asks for: packs the SMILES of a chunk, so that a library indexed once is
/// compared without packing. A chunk with a SMILES that cannot be packed, or is longer than kMaxSmiles, gets no
/// section.
/// @throws InputError  q out of range
std::function<std::vector<std::byte>(std::span<const std::string>)> section_maker(const Definition& definition = {});

/// A molecule of the columns, and how similar it is.
struct Neighbour {
  Index molecule = 0;
  float similarity = 0;  ///< the quotient of the two sums, rounded once
  bool operator==(const Neighbour&) const = default;
};

/// Neighbours of consecutive rows. Of one row: the most similar first, equal ones in order of `molecule`.
struct Neighbours {
  Index first_row = 0;
  std::vector<Index> offsets;  ///< [rows + 1] into `items`
  std::vector<Neighbour> items;
  Index num_rows() const { return offsets.empty() ? 0 : static_cast<Index>(offsets.size()) - 1; }
};

/// How a job runs. Nothing of this changes an answer.
struct RunOptions {
  int threads = 0;              ///< of the host, which works for a device too; 0: all cores
  std::string device = "host";  ///< where to compare, see quarry/device.hpp
  Index device_bytes = 0;       ///< memory of each device that a run may use; 0 is three quarters of what is free
  Progress progress = {};       ///< what is done of all: pairs, in clusters two rounds of molecules, or picks
  /// Of a search or a clustering on a device: count frequent features as a product of bit matrices, which tensor cores
  /// know, instead of with counters in registers? Unset: the form that is faster on the first slices of the run.
  std::optional<bool> multiply = {};
};

struct SearchOptions {
  Index k = 0;           ///< so many nearest columns per row, ties to the smaller number; 0: every column
  double threshold = 0;  ///< only columns whose similarity, as a double, is at least this; 0..1
  RunOptions run;
};

/// Where the time went.
struct Statistics {
  Index pairs = 0;  ///< rows times columns
  Index kept = 0;
  double pack_seconds = 0, compare_seconds = 0;  ///< elapsed; of a matrix, without its sink, shared out over threads
  double kernel_seconds = 0;  ///< of a search, of all launches together, on a device by its own clock
};

/// Compares every row with every column; `sink` receives consecutive rows, in order.
/// Memory does not grow with the number of columns but for what is kept.
/// @throws InputError     the definitions differ, or an option is out of range (names it)
/// @throws DeviceError    the device is not to be had, or failed
/// @throws CapacityError  one row and a block of columns exceed a device
Statistics search(const Fingerprints& rows, const Fingerprints& columns, const SearchOptions& options,
                  const std::function<void(const Neighbours&)>& sink);

/// The same with the whole result in memory.
Neighbours search(const Fingerprints& rows, const Fingerprints& columns, const SearchOptions& options = {});

/// Every similarity, row by row: `sink(first row, values)` receives whole consecutive rows, [rows x columns], in order,
/// from one thread at a time. All columns are in memory, of a device too. @throws as search
Statistics matrix(const Fingerprints& rows, const Fingerprints& columns,
                  const std::function<void(Index, std::span<const float>)>& sink, const RunOptions& options = {});

/// Why two SMILES are as similar as they are, by LINGOs.
struct Explanation {
  std::string texts[2];          ///< lingo_text of each
  std::string marks[2];          ///< `^` below each character of a shared LINGO, else a blank
  Index shared = 0, either = 0;  ///< sums of the smaller and of the larger counts
};

/// @throws InputError  as `features`, or another metric than LINGO
Explanation explain(std::string_view left, std::string_view right, const Definition& definition = {});

/// A partition of molecules, each cluster with its centroid.
struct Clusters {
  std::vector<Index> centroids;   ///< in the order in which they were chosen: by number of neighbours, ties by number
  std::vector<Index> cluster_of;  ///< [molecules] into `centroids`
};

/// Butina clustering (J. Chem. Inf. Comput. Sci. 1999, 39, 747; Taylor 1995): molecules in falling order of how many
/// neighbours they have at `threshold` or above, ties by number; each that is still free becomes a centroid and takes
/// its free neighbours. Memory grows with the molecules, not with their pairs.
/// @throws InputError  threshold not in (0, 1]; else as search
Clusters cluster(const Fingerprints& molecules, double threshold, const RunOptions& options = {});

/// A diverse subset, MaxMin (similarities compared as rounded): begins with `first`, then always the molecule whose
/// nearest pick is least similar, ties to the smaller number. Stops at `count` molecules, or before where every
/// molecule has a pick more similar than `threshold`.
/// @return picks in the order in which they were made
/// @throws InputError  count, first or threshold out of range; else as search
std::vector<Index> pick(const Fingerprints& molecules, Index count, Index first = 0, double threshold = 1,
                        const RunOptions& options = {});

}  // namespace quarry::similar
#pragma GCC visibility pop
