#include "graph/pattern/pattern_symmetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "quarry/error.hpp"

namespace quarry {
namespace {

/// Looks for one symmetry with some images given.
class SymmetrySearch {
 public:
  SymmetrySearch(const GraphPattern& pattern, const std::vector<int>& colours)
      : pattern_(pattern),
        colours_(colours),
        matrix_(pattern),
        surroundings_(pattern.vertices.size()),
        images_(pattern.vertices.size(), -1) {
    describe_surroundings();
  }

  /// Is there a symmetry that leaves `fixed` where they are and carries `from` to `to`?
  bool exists(const std::vector<int>& fixed, int from, int to) {
    if (surroundings_[from] != surroundings_[to]) return false;
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

  /// `visit(images)` for every symmetry.
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
  /// Gives vertices with different surroundings different numbers, most of the time: none of them is carried to another.
  /// In most patterns without symmetries this tells all vertices apart.
  void describe_surroundings() {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    const auto mix = [](std::uint64_t number) { return (number ^ number >> 29) * 0xBF58476D1CE4E5B9 + 1; };
    for (std::size_t v = 0; v < surroundings_.size(); ++v) {
      const std::uint64_t colour = colours_.empty() ? 0 : colours_[v];
      surroundings_[v] = mix(mix(pattern_.labels[v]) + colour * kOdd);
    }
    const auto num_kinds = [&] {
      std::vector<std::uint64_t> sorted = surroundings_;
      std::ranges::sort(sorted);
      return std::unique(sorted.begin(), sorted.end()) - sorted.begin();
    };
    for (Index before = 0, now = num_kinds(); now != before;) {
      std::vector<std::uint64_t> wider = surroundings_;
      for (const Edge& edge : pattern_.edges) {
        wider[edge.from] += mix(mix(surroundings_[edge.to]) + edge.label * kOdd);
        wider[edge.to] += mix(mix(surroundings_[edge.from]) + edge.label * kOdd);
      }
      for (std::size_t v = 0; v < wider.size(); ++v) surroundings_[v] = mix(wider[v]);
      before = now;
      now = num_kinds();
    }
  }
  bool assign(int vertex, int image) {
    if ((taken_ >> image & 1) != 0 || surroundings_[vertex] != surroundings_[image]) return false;
    if (pattern_.labels[vertex] != pattern_.labels[image]) return false;
    if (!colours_.empty() && colours_[vertex] != colours_[image]) return false;
    for (int other = 0; other < pattern_.size(); ++other) {
      if (images_[other] >= 0 && matrix_.at(vertex, other) != matrix_.at(image, images_[other])) return false;
    }
    images_[vertex] = image;
    taken_ |= 1U << image;
    return true;
  }
  /// Gives every vertex from here on an image. @param at_end  called for each way to do so; returns true to stop
  template <class AtEnd>
  bool complete(int vertex, const AtEnd& at_end) {
    if (vertex == pattern_.size()) return at_end();
    if (images_[vertex] >= 0) return complete(vertex + 1, at_end);
    for (int image = 0; image < pattern_.size(); ++image) {
      if (!assign(vertex, image)) continue;
      if (complete(vertex + 1, at_end)) return true;
      images_[vertex] = -1;
      taken_ &= ~(1U << image);
    }
    return false;
  }

  const GraphPattern& pattern_;
  const std::vector<int>& colours_;
  PatternMatrix matrix_;
  std::vector<std::uint64_t> surroundings_;  ///< [vertices] equal where one is carried to the other
  std::vector<int> images_;
  std::uint32_t taken_ = 0;
};

}  // namespace

PatternMatrix::PatternMatrix(const GraphPattern& pattern) : size_(pattern.size()), labels_(size_ * size_, kNoEdge) {
  for (const Edge& edge : pattern.edges) {
    labels_[edge.from * size_ + edge.to] = edge.label;
    labels_[edge.to * size_ + edge.from] = edge.label;
  }
}

Symmetry symmetry_of(const GraphPattern& pattern, const std::vector<int>& order, const std::vector<int>& colours,
                     Index most) {
  Symmetry symmetry;
  SymmetrySearch search(pattern, colours);
  std::vector<int> fixed;
  for (const int vertex : order) {
    std::vector<OrderRule> orbit;
    for (int other = 0; other < pattern.size(); ++other) {
      if (other == vertex || !search.exists(fixed, vertex, other)) continue;
      orbit.push_back({vertex, other});
    }
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
  const std::vector<int> one_colour;
  return SymmetrySearch(pattern, one_colour).exists(from, to);
}

std::vector<std::uint8_t> automorphisms(const GraphPattern& pattern, Index limit) {
  if (const Index number = num_automorphisms(pattern); number > limit)
    throw CapacityError(fmt::format("automorphisms of the pattern '{}'", pattern.name), limit, number);
  std::vector<std::uint8_t> all;
  const std::vector<int> one_colour;
  SymmetrySearch(pattern, one_colour).for_each([&](const std::vector<int>& images) {
    for (const int image : images) all.push_back(static_cast<std::uint8_t>(image));
  });
  return all;
}

}  // namespace quarry
