/// Similarity of molecules in bulk: nearest neighbours, matrices, clusters, diverse subsets; exact.
///
/// A molecule is a multiset of features: the LINGOs of its SMILES, or the bits of an ECFP4 fingerprint. The similarity
/// of two molecules is the Tanimoto coefficient of their multisets: the sum of the smaller of the two counts of every
/// feature, divided by the sum of the larger ones.
/// Source: Haque, Pande, Walters, SIML: A Fast SIMD Algorithm for Calculating LINGO Chemical Similarities on GPUs and
/// CPUs, J. Chem. Inf. Model. 2010, 50, 560; LINGOs: Vidal, Thormann, Pons, J. Chem. Inf. Model. 2005, 45, 386.
/// docs/engines/similar.md says where this differs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/error.hpp"
#include "quarry/library.hpp"
#include "quarry/run.hpp"

#pragma GCC visibility push(default)
namespace quarry::similar {

enum class Metric : std::uint8_t {
  lingo,  ///< substrings of the SMILES, each as often as it occurs
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
/// @throws InputError  a character is not printable ASCII (the message has its code and position)
[[nodiscard]] std::string lingo_text(std::string_view smiles, bool fold_halogens = false);

/// The multiset of one molecule as ascending numbers, each repeated as often as it occurs; never empty.
/// LINGO: every substring of q characters, its first character in the highest byte. A text shorter than q has one
/// feature, the whole text, which no longer text has: the molecule is similar to itself only.
/// @throws InputError  q is out of range; as `lingo_text`; ECFP4: the SMILES cannot be read
/// @throws CapacityError  more than kMaxMagnitude features
[[nodiscard]] std::vector<std::uint64_t> features(std::string_view smiles, const Definition& definition = {});

struct ChunkStore;  // of the library itself

/// Most bytes of unpacked chunks of a library that a search keeps for later ones.
inline constexpr Index kKeptBytes = Index{1} << 30;

/// The multisets of many molecules, packed for comparing. Reading is thread-safe. Move-only.
class Fingerprints {
 public:
  /// @param threads  0: all cores
  /// @throws InputError, CapacityError  as `features`; the message begins with the row, counted from 0
  [[nodiscard]] static Fingerprints of_smiles(std::span<const std::string> smiles, const Definition& definition = {},
                                              int threads = 0);
  /// Compares the fingerprints that the library stores, where they have the same definition. Other chunks are packed from
  /// their records when they are first compared, and kept: some 100 bytes a molecule. Stored chunks are unpacked when they
  /// are needed, and the first ones kept, up to kKeptBytes. The library must outlive this object.
  /// @throws InputError  the records are not SMILES. A record that cannot be packed is an error of the first
  /// comparison; see `records_fit`
  [[nodiscard]] static Fingerprints of_library(const Library& library, const Definition& definition = {});

  Fingerprints(Fingerprints&&) noexcept;
  Fingerprints& operator=(Fingerprints&&) noexcept;
  ~Fingerprints();

  Index size() const;
  const Definition& definition() const;

 private:
  friend struct ChunkStore;  // of the library itself
  explicit Fingerprints(std::unique_ptr<ChunkStore> store);
  std::unique_ptr<ChunkStore> store_;
};

/// Can `Fingerprints::of_library` use every record: is none longer than kMaxSmiles? Chunks whose fingerprints of this
/// definition are stored are not read. Where the answer is no, `smiles_of` returns the records that can be used and
/// names the others.
/// @throws InputError  the library is damaged
[[nodiscard]] bool records_fit(const Library& library, const Definition& definition = {});

/// Molecules whose fingerprints of this definition the library stores; `Fingerprints::of_library` packs those of the others.
/// @throws InputError  the library is damaged
[[nodiscard]] Index num_stored(const Library& library, const Definition& definition = {});

/// Packs the SMILES of a chunk of a library into the bytes of its section `fingerprints`, so that they need not be packed
/// again for each comparison: call it in `ReadOptions::similar_section`.
/// @return without those definitions by which a SMILES cannot be packed; empty where none is left, or a SMILES is longer
/// than kMaxSmiles
/// @throws InputError  q is out of range
[[nodiscard]] std::vector<std::byte> pack_section(std::span<const std::string_view> smiles,
                                                  const std::vector<Definition>& definitions = {Definition{}});

/// A column that is similar to a row.
struct Neighbour {
  Index molecule = 0;     ///< number of the column
  double similarity = 0;  ///< the quotient of the two sums, rounded once
  bool operator==(const Neighbour&) const = default;
  /// The more similar one comes first, of equal ones that with the smaller number.
  bool operator<(const Neighbour& other) const {
    return similarity != other.similarity ? similarity > other.similarity : molecule < other.molecule;
  }
};

/// Neighbours of consecutive rows; those of one row begin with the most similar, equal ones in order of `molecule`.
struct Neighbours {
  Index first_row = 0;
  std::vector<Index> offsets;  ///< [rows + 1] into `items`
  std::vector<Neighbour> items;
  Index num_rows() const { return offsets.empty() ? 0 : std::ssize(offsets) - 1; }
};

/// How a job runs. The progress counts pairs; in `cluster` molecules, each of them twice; in `pick` picks.
struct Options : RunOptions {
  /// On a device, frequent features can be counted in registers or as a product of bit matrices, which tensor cores
  /// compute. Unset: a search measures both on its first slices and goes on with the faster.
  std::optional<bool> multiply = {};
};

struct SearchOptions : Options {
  Index k = 0;                  ///< the k most similar columns of each row, ties to the smaller number; 0: all columns
  double threshold = 0;         ///< only columns whose similarity, as a double, is at least this; 0 to 1
  bool without_itself = false;  ///< rows and columns are the same molecules, and no row has itself as a neighbour
  Index first_row = 0;  ///< rows before it are not compared, as for a run that goes on where another one stopped
  Index last_row = std::numeric_limits<Index>::max();  ///< nor are this one and those after it
  Index first_column = 0;                              ///< as of rows
  Index last_column = std::numeric_limits<Index>::max();
};

struct Statistics : RunStatistics {
  Index pairs = 0;             ///< rows times columns that were compared
  Index kept = 0;              ///< pairs in the result
  double pack_seconds = 0;     ///< elapsed
  double compare_seconds = 0;  ///< elapsed; of a matrix the time in which threads compared, divided by their number
  double kernel_seconds = 0;   ///< of a search: sum over all launches; on a device by its own clock
};

/// Compares every row with every column; `sink` receives the neighbours of consecutive rows, in order.
/// Memory grows with the neighbours that are kept, not with the number of columns.
/// @throws InputError     the definitions differ, an option is out of range (names it), or with `without_itself` rows and
///                        columns are not as many
/// @throws DeviceError    the device is not available, or failed
/// @throws CapacityError  the memory of a device is too small for one row and a chunk of columns
Statistics search(const Fingerprints& rows, const Fingerprints& columns, const SearchOptions& options,
                  const std::function<void(const Neighbours&)>& sink);

/// The same with the whole result in memory.
[[nodiscard]] Neighbours search(const Fingerprints& rows, const Fingerprints& columns,
                                const SearchOptions& options = {});

/// Every similarity: `sink(first row, values)` receives whole consecutive rows, [rows x columns], in order, from one
/// thread at a time. All columns are in memory, that of a device too. @throws as `search`
Statistics matrix(const Fingerprints& rows, const Fingerprints& columns,
                  const std::function<void(Index, std::span<const float>)>& sink, const Options& options = {});

/// The LINGOs that two SMILES share.
struct Explanation {
  std::string texts[2];          ///< `lingo_text` of each
  std::string marks[2];          ///< `^` below each character of a shared LINGO, a blank below the others
  Index shared = 0, either = 0;  ///< sums of the smaller and of the larger counts
};

/// @throws InputError  as `features`, or the metric is not LINGO
[[nodiscard]] Explanation explain(std::string_view left, std::string_view right, const Definition& definition = {});

/// A partition of molecules, each cluster with its centroid.
struct Clusters {
  std::vector<Index> centroids;   ///< in the order in which they were chosen
  std::vector<Index> cluster_of;  ///< [molecules] into `centroids`
};

/// Butina clustering (J. Chem. Inf. Comput. Sci. 1999, 39, 747; Taylor 1995). Molecules are visited in order of how
/// many neighbours they have at `threshold` or above, most first, ties by number. Each that is in no cluster yet
/// becomes a centroid, and its neighbours that are in no cluster yet join it. Memory grows with the molecules, not with
/// their pairs.
/// @throws InputError  threshold is not in (0, 1]; as `search`
[[nodiscard]] Clusters cluster(const Fingerprints& molecules, double threshold, const Options& options = {});

/// The same of neighbours that are known, as `search` finds them for all molecules.
/// @param offsets    [molecules + 1] into `molecules`
/// @param molecules  the neighbours of each molecule, in any order, itself among them
/// @throws InputError  the offsets do not ascend from 0 to the number of neighbours, or one of these is no molecule
[[nodiscard]] Clusters cluster(std::span<const Index> offsets, std::span<const Index> molecules);

/// A diverse subset, chosen by MaxMin: the first pick is `first`; each further one is the molecule that is least
/// similar to the pick nearest to it, by the similarity rounded to float, ties to the smaller number. Ends with `count`
/// picks, or earlier, when every other molecule is more similar than `threshold` to some pick.
/// @return picks in the order in which they were made
/// @throws InputError  count, first or threshold is out of range; as `search`
[[nodiscard]] std::vector<Index> pick(const Fingerprints& molecules, Index count, Index first = 0, double threshold = 1,
                                      const Options& options = {});

}  // namespace quarry::similar
#pragma GCC visibility pop
