/// Cliques, as kernels: each is found at its first vertex, the root, among the neighbours after it, which are few even
/// where the root has many. A small matrix of bits says which of these are adjacent.
/// Source: ordered cliques, Danisch, Balalau, Sozio, WWW 2018 (kClist); bitmaps instead of lists.
///
/// For one thread of the host: one root or part of a root; each part makes the root's matrix anew.
#include "exec/simd/bits.hpp"
#include "mine/formulas/steps.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::mine {
namespace QUARRY_TARGET {

/// The root is the middle of a triangle v, root, x: the neighbours after the root are marked, and those of each vertex v
/// before it are tested. PERF: a quarter of the tests that testing the rows after the root's neighbours takes (R-MAT 20).
struct Triangles {
  OrderedRows rows;  ///< whole
  Scratch scratch;
  void operator()(Index root, RootPart part) const {
    const auto after = rows.after(root), before = rows.before(root);
    if (after.size() == 0 || before.size() == 0) return;
    for (const std::uint32_t x : after) scratch.marks[x] = 1;
    const std::uint8_t* const marks = scratch.marks.data();
    std::uint64_t triangles = 0;
    for (Index i = part.index; i < before.size(); i += part.count) {
      prefetch_row(rows, before, i, part.count, true);
      // From the row's end down to the root, which stands in it.
      const std::uint32_t* x = rows.neighbours.data() + rows.offsets[before[i] + 1] - 1;
      for (; *x > root; --x) triangles += marks[*x];
    }
    for (const std::uint32_t x : after) scratch.marks[x] = 0;
    (*scratch.sums)[Sum::triangles] += triangles;
  }
};

/// The matrix of a root: row i has bit j where the i-th and the j-th neighbour after the root are adjacent.
class CliqueMatrix {
 public:
  /// @param both  bits below the diagonal too
  CliqueMatrix(const OrderedRows& rows, const Scratch& scratch, Index root, bool both) : bits_(scratch.bitmaps.data()) {
    const auto after = rows.after(root);
    size_ = after.size();
    words_ = words_for(size_);
    for (Index w = 0; w < size_ * words_; ++w) bits_[w] = 0;
    for (Index i = 0; i < size_; ++i) scratch.indices[after[i]] = i + 1;
    for (Index i = 0; i < size_; ++i) {
      for (const std::uint32_t x : rows.after(after[i])) {
        const Index index = scratch.indices[x];
        if (index == 0) continue;
        set(i, index - 1);
        if (both) set(index - 1, i);
      }
    }
    for (const std::uint32_t v : after) scratch.indices[v] = 0;
  }
  Index size() const { return size_; }
  Index words() const { return words_; }
  QUARRY_INLINE const std::uint64_t* row(Index i) const { return bits_ + i * words_; }
  /// The memory behind the rows.
  std::uint64_t* rest() const { return bits_ + size_ * words_; }

 private:
  QUARRY_INLINE void set(Index i, Index j) const { bits_[i * words_ + j / 64] |= std::uint64_t{1} << (j % 64); }
  std::uint64_t* bits_;
  Index size_ = 0, words_ = 0;
};

/// `visit(i)` for every bit.
template <class Visit>
QUARRY_INLINE void for_each_bit(const std::uint64_t* bits, Index words, Visit&& visit) {
  for (Index w = 0; w < words; ++w) {
    for (std::uint64_t word = bits[w]; word != 0; word &= word - 1) visit(64 * w + lowest_bit(word));
  }
}

/// Pairs of adjacent vertices in a set.
template <class Words>
QUARRY_INLINE std::uint64_t count_pairs(const CliqueMatrix& matrix, const std::uint64_t* set, Words words) {
  std::uint64_t pairs = 0;
  for_each_bit(set, words, [&](Index i) {
    const std::uint64_t* const row = matrix.row(i);
    std::uint64_t count = 0;
    for (Index w = 0; w < words; ++w) count += count_bits(set[w] & row[w]);
    pairs += count;
  });
  return pairs;
}

/// A number of words that the compiler knows.
template <int kWords>
struct FixedWords {
  constexpr operator Index() const { return kWords; }
};

struct Cliques {
  OrderedRows rows;
  Scratch scratch;
  int size = 4;  ///< vertices, at least 4
  Count* found = nullptr;

  void operator()(Index root, RootPart part) const {
    if (rows.after(root).size() < size - 1) return;
    const CliqueMatrix matrix(rows, scratch, root, false);
    switch (matrix.words()) {
      case 1:
        return count(matrix, part, FixedWords<1>());
      case 2:
        return count(matrix, part, FixedWords<2>());
      case 3:
        return count(matrix, part, FixedWords<3>());
      case 4:
        return count(matrix, part, FixedWords<4>());
      default:
        return count(matrix, part, matrix.words());
    }
  }

 private:
  /// A search without recursion: level l holds the vertices that are adjacent to the l chosen ones, and those of them
  /// that are still to be tried.
  template <class Words>
  QUARRY_INLINE void count(const CliqueMatrix& matrix, RootPart part, Words words) const {
    const int last = size - 3;  // vertices chosen among the neighbours when pairs are counted
    std::uint64_t* const sets = matrix.rest();
    std::uint64_t* const left = sets + (last + 1) * words;
    std::uint64_t cliques = 0;  // 64 bits are enough for one root: the work grows with it
    fill_ones(sets, matrix.size(), words);
    copy(left, sets, words);
    if (!part.is_whole()) keep_part(left, matrix.size(), part);
    for (int level = 0; level >= 0;) {
      const Index next = take_lowest(left + level * words, words);
      if (next < 0) {
        --level;
        continue;
      }
      std::uint64_t* const set = sets + (level + 1) * words;
      const std::uint64_t* const row = matrix.row(next);
      for (Index w = 0; w < words; ++w) set[w] = sets[level * words + w] & row[w];
      if (level + 1 == last) {
        cliques += count_pairs(matrix, set, words);
      } else {
        ++level;
        copy(left + level * words, set, words);
      }
    }
    *found += cliques;
  }
  QUARRY_INLINE static void fill_ones(std::uint64_t* set, Index num_bits, Index words) {
    for (Index w = 0; w < words; ++w) set[w] = ~std::uint64_t{0};
    if (num_bits % 64 != 0) set[words - 1] = (std::uint64_t{1} << (num_bits % 64)) - 1;
  }
  static void keep_part(std::uint64_t* set, Index num_bits, RootPart part) {
    for (Index i = 0; i < num_bits; ++i) {
      if (i % part.count != part.index) set[i / 64] &= ~(std::uint64_t{1} << (i % 64));
    }
  }
  template <class Words>
  QUARRY_INLINE static void copy(std::uint64_t* to, const std::uint64_t* from, Words words) {
    for (Index w = 0; w < words; ++w) to[w] = from[w];
  }
  /// -1 where none is left.
  template <class Words>
  QUARRY_INLINE static Index take_lowest(std::uint64_t* set, Words words) {
    for (Index w = 0; w < words; ++w) {
      if (set[w] == 0) continue;
      const Index bit = 64 * w + lowest_bit(set[w]);
      set[w] &= set[w] - 1;
      return bit;
    }
    return -1;
  }
};

/// 4-cliques, each six times, and over their vertices d - 3, six times too: counted from the neighbours that two
/// adjacent neighbours of the root share with it, without visiting each clique.
struct CliqueTails {
  OrderedRows rows;  ///< whole rows, for the degrees
  Scratch scratch;
  void operator()(Index root, RootPart part) const {
    const auto after = rows.after(root);
    if (after.size() < 3) return;
    const CliqueMatrix matrix(rows, scratch, root, true);
    const Index words = matrix.words();
    Count cliques = 0, tails = 0;
    for (Index i = part.index; i < after.size(); i += part.count) {
      std::uint64_t shared = 0;  // by i and each j: twice the cliques of the root and i
      for_each_bit(matrix.row(i), words, [&](Index j) {
        for (Index w = 0; w < words; ++w) shared += count_bits(matrix.row(i)[w] & matrix.row(j)[w]);
      });
      cliques += shared;
      tails += Count{shared} * (rows.degree(after[i]) - 3);
    }
    Sums& sums = *scratch.sums;
    sums[Sum::four_cliques] += cliques;
    sums[Sum::tailed_four_cliques] += 3 * tails + cliques * (rows.degree(root) - 3);
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::mine
QUARRY_AFTER_TARGET();
