#include "graph/pattern/pattern_symmetry.hpp"

#include <numeric>

namespace quarry {
namespace {

/// Looks for one symmetry with some images given.
class SymmetrySearch {
 public:
  SymmetrySearch(const GraphPattern& pattern, const std::vector<bool>& classes)
      : pattern_(pattern), classes_(classes), matrix_(pattern), images_(pattern.vertices.size(), -1) {}

  /// Is there a symmetry that leaves `fixed` where they are and carries `from` to `to`?
  bool exists(const std::vector<int>& fixed, int from, int to) {
    images_.assign(images_.size(), -1);
    taken_ = 0;
    for (const int vertex : fixed) {
      if (!assign(vertex, vertex)) return false;
    }
    return assign(from, to) && complete(0);
  }

 private:
  bool assign(int vertex, int image) {
    if ((taken_ >> image & 1) != 0 || pattern_.labels[vertex] != pattern_.labels[image]) return false;
    if (!classes_.empty() && classes_[vertex] != classes_[image]) return false;
    for (int other = 0; other < pattern_.size(); ++other) {
      if (images_[other] >= 0 && matrix_.at(vertex, other) != matrix_.at(image, images_[other])) return false;
    }
    images_[vertex] = image;
    taken_ |= 1U << image;
    return true;
  }
  bool complete(int vertex) {
    if (vertex == pattern_.size()) return true;
    if (images_[vertex] >= 0) return complete(vertex + 1);
    for (int image = 0; image < pattern_.size(); ++image) {
      if (!assign(vertex, image)) continue;
      if (complete(vertex + 1)) return true;
      images_[vertex] = -1;
      taken_ &= ~(1U << image);
    }
    return false;
  }

  const GraphPattern& pattern_;
  const std::vector<bool>& classes_;
  PatternMatrix matrix_;
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

Symmetry symmetry_of(const GraphPattern& pattern, const std::vector<int>& order, const std::vector<bool>& classes) {
  Symmetry symmetry;
  SymmetrySearch search(pattern, classes);
  std::vector<int> fixed;
  for (const int vertex : order) {
    Index orbit = 1;
    for (int other = 0; other < pattern.size(); ++other) {
      if (other == vertex || !search.exists(fixed, vertex, other)) continue;
      ++orbit;
      symmetry.rules.push_back({vertex, other});
    }
    symmetry.order *= orbit;
    fixed.push_back(vertex);
  }
  return symmetry;
}

Index num_automorphisms(const GraphPattern& pattern) {
  std::vector<int> order(pattern.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  return symmetry_of(pattern, order).order;
}

}  // namespace quarry
