/// What patterns of up to five vertices are counted from: sums over vertices, edges, triangles and cycles.
///
/// passes.hpp says which pass over the graph finds each sum, formulas.hpp what the sums of a pattern add up to.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <numeric>

#include "quarry/mine.hpp"

namespace quarry::mine {

/// Each is named for the pattern that it counts, exactly or with some more that the formula takes away.
/// d: degree of a vertex; t: triangles at a vertex or an edge; W: common neighbours of two vertices; k: those of the
/// three vertices of a triangle; C(n, k): n over k. A dash marks the other end of an edge.
enum class Sum : std::uint8_t {
  wedges,                 ///< vertices: C(d, 2)
  three_stars,            ///< vertices: C(d, 3)
  four_stars,             ///< vertices: C(d, 4)
  four_paths,             ///< edges: (d - 1)(d' - 1)
  forks,                  ///< edges, both ways: C(d - 1, 2)(d' - 1)
  five_paths,             ///< vertices: pairs of walks of two steps that begin with different steps
  triangles,              ///< each once
  tailed_triangles,       ///< vertices: t (d - 2)
  crickets,               ///< vertices: t C(d - 2, 2)
  long_tailed_triangles,  ///< vertices: t times the neighbours' sum of d - 1, less 2 t (d - 1)
  hourglasses,            ///< vertices: C(t, 2)
  diamonds,               ///< edges: C(t, 2)
  triangle_books,         ///< edges: C(t, 3)
  bulls,                  ///< edges: t (d - 2)(d' - 2)
  tailed_diamonds,        ///< edges: C(t, 2)(d + d' - 6)
  kite_tails,             ///< triangles and their corners: (t of the opposite edge - 1)(d - 2)
  gems,                   ///< triangles and pairs of their edges: (t - 1)(t' - 1)
  crossed_five_cycles,    ///< what five_cycles counts though the walk visits a vertex twice
  four_cycles,            ///< each once
  houses,                 ///< 4-cycles and their edges: t
  tailed_four_cycles,     ///< 4-cycles and their vertices: d - 2
  five_cycles,            ///< vertices i and edges j-k before i: W(i, j) W(i, k)
  k23,                    ///< pairs of vertices: C(W, 3)
  chordal_k23,            ///< diamonds: W of their tips - 2
  four_wheels,            ///< hubs and 4-cycles among their neighbours
  four_cliques,           ///< each once
  tailed_four_cliques,    ///< 4-cliques and their vertices: d - 3
  hatted_four_cliques,    ///< 4-cliques and their edges: t - 2
  near_five_cliques,      ///< triangles: C(k, 2)
  five_cliques,           ///< each once
};
inline constexpr int kNumSums = static_cast<int>(Sum::five_cliques) + 1;

/// Some values of an enum that has at most 64.
template <class Enum>
class EnumSet {
 public:
  constexpr EnumSet(std::initializer_list<Enum> values = {}) {
    for (const Enum value : values) insert(value);
  }
  constexpr void insert(Enum value) { bits_ |= bit(value); }
  constexpr void erase(Enum value) { bits_ &= ~bit(value); }
  constexpr EnumSet& operator|=(EnumSet other) {
    bits_ |= other.bits_;
    return *this;
  }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool contains(Enum value) const { return (bits_ & bit(value)) != 0; }
  constexpr bool contains_any(EnumSet others) const { return (bits_ & others.bits_) != 0; }
  constexpr bool is_within(EnumSet others) const { return (bits_ & ~others.bits_) == 0; }

 private:
  static constexpr std::uint64_t bit(Enum value) { return std::uint64_t{1} << static_cast<int>(value); }
  std::uint64_t bits_ = 0;
};

using SumSet = EnumSet<Sum>;

/// A value for each of an enum's values.
template <class Enum, class Value, int kSize>
class EnumArray {
 public:
  Value& operator[](Enum key) { return values_[static_cast<int>(key)]; }
  Value operator[](Enum key) const { return values_[static_cast<int>(key)]; }
  EnumArray& operator+=(const EnumArray& other) {
    for (int i = 0; i < kSize; ++i) values_[i] += other.values_[i];
    return *this;
  }
  Value total() const { return std::accumulate(values_.begin(), values_.end(), Value{}); }

 private:
  std::array<Value, kSize> values_{};
};

using Sums = EnumArray<Sum, Count, kNumSums>;

}  // namespace quarry::mine
