#include "graph/pattern/pattern_symmetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "quarry/error.hpp"
#include "util/check.hpp"

namespace quarry {
namespace {

/// A pattern, and what its vertices see around them.
class Surroundings {
 public:
  explicit Surroundings(const GraphPattern& pattern, std::span<const int> colours = {})
      : pattern_(pattern), colours_(colours), matrix_(pattern), numbers_(pattern.vertices.size()) {
    describe();
  }

  int size() const { return pattern_.size(); }
  std::int64_t edge(int one, int other) const { return matrix_.at(one, other); }
  /// Different where no map carries a vertex to the other, most of the time. In most patterns without symmetries this tells all
  /// vertices apart.
  std::uint64_t number(int vertex) const { return numbers_[vertex]; }
  /// Have the two vertices one label, one colour and one number?
  bool are_alike(int vertex, const Surroundings& other, int image) const {
    return numbers_[vertex] == other.numbers_[image] && pattern_.labels[vertex] == other.pattern_.labels[image] &&
           (colours_.empty() || colours_[vertex] == other.colours_[image]);
  }

 private:
  void describe() {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    const auto mix = [](std::uint64_t number) { return (number ^ number >> 29) * 0xBF58476D1CE4E5B9 + 1; };
    for (std::size_t v = 0; v < numbers_.size(); ++v) {
      const std::uint64_t colour = colours_.empty() ? 0 : colours_[v];
      numbers_[v] = mix(mix(pattern_.labels[v]) + colour * kOdd);
    }
    const auto num_kinds = [&] {
      std::vector<std::uint64_t> sorted = numbers_;
      std::ranges::sort(sorted);
      return std::unique(sorted.begin(), sorted.end()) - sorted.begin();
    };
    for (Index before = 0, now = num_kinds(); now != before;) {
      std::vector<std::uint64_t> wider = numbers_;
      for (const Edge& edge : pattern_.edges) {
        wider[edge.from] += mix(mix(numbers_[edge.to]) + edge.label * kOdd);
        wider[edge.to] += mix(mix(numbers_[edge.from]) + edge.label * kOdd);
      }
      for (std::size_t v = 0; v < wider.size(); ++v) numbers_[v] = mix(wider[v]);
      before = now;
      now = num_kinds();
    }
  }

  const GraphPattern& pattern_;
  std::span<const int> colours_;
  PatternMatrix matrix_;
  std::vector<std::uint64_t> numbers_;  ///< [vertices]
};

/// Looks for one isomorphism, or for one with some images given. A symmetry is one of a pattern to itself.
class IsomorphismSearch {
 public:
  IsomorphismSearch(const Surroundings& from, const Surroundings& to,
                    Index max_tries = std::numeric_limits<Index>::max())
      : from_(from), to_(to), images_(from.size(), -1), tries_left_(max_tries) {}

  Index tries_left() const { return std::max<Index>(tries_left_, 0); }
  /// Were there too many tries? Then what it did not find may exist.
  bool gave_up() const { return tries_left_ < 0; }

  bool exists() {
    clear();
    return complete(0, [] { return true; });
  }
  /// Is there one that leaves `fixed` where they are and carries `from` to `to`?
  bool exists(const std::vector<int>& fixed, int from, int to) {
    if (from_.number(from) != to_.number(to)) return false;
    clear();
    for (const int vertex : fixed) {
      if (!assign(vertex, vertex)) return false;
    }
    return assign(from, to) && complete(0, [] { return true; });
  }
  /// Is there one that carries two vertices to two others?
  bool exists(std::pair<int, int> from, std::pair<int, int> to) {
    clear();
    return assign(from.first, to.first) && assign(from.second, to.second) && complete(0, [] { return true; });
  }

  /// `visit(images)` for every one.
  template <class Visit>
  void for_each(const Visit& visit) {
    complete(0, [&] {
      visit(images_);
      return false;
    });
  }

 private:
  void clear() {
    images_.assign(images_.size(), -1);
    taken_ = 0;
  }
  bool assign(int vertex, int image) {
    if (tries_left_ < 0 || --tries_left_ < 0) return false;
    if ((taken_ >> image & 1) != 0 || !from_.are_alike(vertex, to_, image)) return false;
    for (int other = 0; other < from_.size(); ++other) {
      if (images_[other] >= 0 && from_.edge(vertex, other) != to_.edge(image, images_[other])) return false;
    }
    images_[vertex] = image;
    taken_ |= 1U << image;
    return true;
  }
  /// Gives every vertex from here on an image. @param at_end  called for each way to do so; returns true to stop
  template <class AtEnd>
  bool complete(int vertex, const AtEnd& at_end) {
    if (vertex == from_.size()) return at_end();
    if (images_[vertex] >= 0) return complete(vertex + 1, at_end);
    for (int image = 0; image < to_.size(); ++image) {
      if (!assign(vertex, image)) continue;
      if (complete(vertex + 1, at_end)) return true;
      images_[vertex] = -1;
      taken_ &= ~(1U << image);
    }
    return false;
  }

  const Surroundings& from_;
  const Surroundings& to_;
  std::vector<int> images_;
  std::uint32_t taken_ = 0;
  Index tries_left_;
};

}  // namespace

PatternMatrix::PatternMatrix(const GraphPattern& pattern) : size_(pattern.size()), labels_(size_ * size_, kNoEdge) {
  for (const Edge& edge : pattern.edges) {
    labels_[edge.from * size_ + edge.to] = edge.label;
    labels_[edge.to * size_ + edge.from] = edge.label;
  }
}

Symmetry symmetry_of(const GraphPattern& pattern, const std::vector<int>& order, std::span<const int> colours,
                     Index most, Index max_tries) {
  Symmetry symmetry;
  const Surroundings surroundings(pattern, colours);
  IsomorphismSearch search(surroundings, surroundings, max_tries);
  std::vector<int> fixed;
  for (const int vertex : order) {
    std::vector<OrderRule> orbit;
    for (int other = 0; other < pattern.size(); ++other) {
      if (other == vertex || !search.exists(fixed, vertex, other)) continue;
      orbit.push_back({vertex, other});
    }
    if (search.gave_up()) break;
    const Index size = std::ssize(orbit) + 1;
    if (symmetry.order > most / size) break;
    symmetry.order *= size;
    symmetry.rules.insert(symmetry.rules.end(), orbit.begin(), orbit.end());
    fixed.push_back(vertex);
  }
  return symmetry;
}

Index num_automorphisms(const GraphPattern& pattern) {
  std::vector<int> order(pattern.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  return symmetry_of(pattern, order).order;
}

bool is_carried(const GraphPattern& pattern, std::pair<int, int> from, std::pair<int, int> to) {
  const Surroundings surroundings(pattern);
  return IsomorphismSearch(surroundings, surroundings).exists(from, to);
}

bool are_isomorphic(const GraphPattern& one, const GraphPattern& other, Index& tries_left) {
  QUARRY_CHECK(one.size() <= 32, "a search for isomorphisms has a word for the vertices that are taken");
  if (one.size() != other.size() || one.edges.size() != other.edges.size()) return false;
  const Surroundings from(one), to(other);
  IsomorphismSearch search(from, to, tries_left);
  const bool found = search.exists();
  tries_left = search.tries_left();
  return found;
}

std::uint64_t isomorphism_hash(const GraphPattern& pattern) {
  const Surroundings surroundings(pattern);
  std::uint64_t hash = pattern.edges.size();
  for (int vertex = 0; vertex < pattern.size(); ++vertex) hash += surroundings.number(vertex);
  return hash;
}

std::vector<std::uint8_t> automorphisms(const GraphPattern& pattern, Index limit) {
  if (const Index number = num_automorphisms(pattern); number > limit)
    throw CapacityError(fmt::format("automorphisms of the pattern '{}'", pattern.name), limit, number);
  std::vector<std::uint8_t> all;
  const Surroundings surroundings(pattern);
  IsomorphismSearch(surroundings, surroundings).for_each([&](const std::vector<int>& images) {
    for (const int image : images) all.push_back(static_cast<std::uint8_t>(image));
  });
  return all;
}

}  // namespace quarry
