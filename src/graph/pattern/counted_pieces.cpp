/// Counts vertices that are not chosen though some have edges between them: each connected piece by itself.
///
/// Pieces may meet in the graph, which embeddings may not. So for a piece P and the rest R, the ways to place both are
/// those to place P times those to place R, less those to place R and P with some vertices of P laid on some of R. That is
/// again a pattern of fewer vertices, and so on until nothing is left.
#include <algorithm>
#include <numeric>
#include <utility>

#include "graph/pattern/pattern_plan_builder.hpp"

namespace quarry {
namespace {

/// Products of pieces; where there would be more, vertices are chosen instead.
constexpr std::size_t kMaxProducts = 64;

}  // namespace

bool PatternPlanBuilder::counts_pieces() const {
  const Piece piece = counted_piece();
  const bool has_edge = std::ranges::any_of(piece.edges, [](std::int64_t edge) { return edge >= 0; });
  return has_edge && components(piece).size() > 1;
}

PatternPlanBuilder::Piece PatternPlanBuilder::counted_piece() const {
  Piece piece;
  for (int position = num_chosen_; position < plan_.num_vertices; ++position) {
    piece.vertices.push_back(order_[position]);
    piece.requirements.push_back(requirement_of(position));
  }
  for (const int one : piece.vertices) {
    for (const int other : piece.vertices) piece.edges.push_back(input_.matrix.at(one, other));
  }
  return piece;
}

/// @param kept  vertices, ascending
PatternPlanBuilder::Piece PatternPlanBuilder::some_of(const Piece& piece, const SmallVector<int, 8>& kept) {
  Piece some;
  for (const int i : kept) {
    some.vertices.push_back(piece.vertices[i]);
    some.requirements.push_back(piece.requirements[i]);
    for (const int j : kept) some.edges.push_back(piece.edge(i, j));
  }
  return some;
}

std::vector<PatternPlanBuilder::Piece> PatternPlanBuilder::components(const Piece& piece) {
  SmallVector<int, 8> component(piece.size());
  std::iota(component.begin(), component.end(), 0);
  for (int i = 0; i < piece.size(); ++i) {
    for (int j = 0; j < i; ++j) {
      if (piece.edge(i, j) != PatternMatrix::kNoEdge)
        std::ranges::replace(component, int{component[i]}, int{component[j]});
    }
  }
  std::vector<Piece> pieces;
  for (int c = 0; c < piece.size(); ++c) {
    SmallVector<int, 8> members;
    for (int i = 0; i < piece.size(); ++i) {
      if (component[i] == c) members.push_back(i);
    }
    if (!members.empty()) pieces.push_back(some_of(piece, members));
  }
  return pieces;
}

/// Adds the products whose sum counts the ways to place `rest`, each times `product`.
void PatternPlanBuilder::expand(const Piece& rest, Product product, std::vector<Product>& products) const {
  if (products.size() > kMaxProducts) return;
  if (rest.size() == 0) return products.push_back(std::move(product));
  const Piece piece = components(rest).back();
  SmallVector<int, 8> others;
  for (int i = 0; i < rest.size(); ++i) {
    if (std::ranges::find(piece.vertices, rest.vertices[i]) == piece.vertices.end()) others.push_back(i);
  }
  const Piece left = some_of(rest, others);
  std::vector<int> images;
  Product with_less = product;
  with_less.factor = -product.factor;
  merge_vertices(left, piece, images, with_less, products);
  product.pieces.push_back(piece);
  expand(left, std::move(product), products);
}

/// Expands `rest` with some vertices of the piece laid on some of its own, in all ways.
/// @param images  of the first vertices of the piece; -1: it stays
void PatternPlanBuilder::merge_vertices(const Piece& rest, const Piece& piece, std::vector<int>& images,
                                        const Product& product, std::vector<Product>& products) const {
  if (products.size() > kMaxProducts) return;
  if (std::ssize(images) == piece.size()) {
    if (std::ranges::all_of(images, [](int image) { return image < 0; })) return;
    if (const auto both = merged(rest, piece, images)) expand(*both, product, products);
    return;
  }
  for (int image = -1; image < rest.size(); ++image) {
    if (image >= 0 && std::ranges::find(images, image) != images.end()) continue;
    if (image >= 0 && !both(rest.requirements[image], piece.requirements[images.size()])) continue;
    images.push_back(image);
    merge_vertices(rest, piece, images, product, products);
    images.pop_back();
  }
}

/// @return nothing where two edges with different labels would lie on one
std::optional<PatternPlanBuilder::Piece> PatternPlanBuilder::merged(const Piece& rest, const Piece& piece,
                                                                    const std::vector<int>& images) const {
  Piece result = rest;
  std::vector<int> indices = images;  // of the piece's vertices in the result
  for (int i = 0; i < piece.size(); ++i) {
    if (images[i] >= 0) {
      result.requirements[images[i]] = *both(rest.requirements[images[i]], piece.requirements[i]);
      continue;
    }
    indices[i] = result.size();
    result.vertices.push_back(piece.vertices[i]);
    result.requirements.push_back(piece.requirements[i]);
  }
  result.edges.assign(result.size() * result.size(), PatternMatrix::kNoEdge);
  for (int i = 0; i < rest.size(); ++i) {
    for (int j = 0; j < rest.size(); ++j) result.edge(i, j) = rest.edge(i, j);
  }
  for (int i = 0; i < piece.size(); ++i) {
    for (int j = 0; j < piece.size(); ++j) {
      const std::int64_t label = piece.edge(i, j);
      std::int64_t& edge = result.edge(indices[i], indices[j]);
      if (label == PatternMatrix::kNoEdge) continue;
      if (edge != PatternMatrix::kNoEdge && edge != kAnyLabel && label != kAnyLabel && edge != label)
        return std::nullopt;
      if (edge == PatternMatrix::kNoEdge || edge == kAnyLabel) edge = label;
    }
  }
  return result;
}

std::vector<CountTerm> PatternPlanBuilder::terms_of(const Piece& piece) {
  std::vector<Product> products;
  expand(piece, {}, products);
  if (products.size() > kMaxProducts) return {};
  std::vector<CountTerm> terms;
  for (const Product& product : products) {
    CountTerm term;
    term.factor = product.factor;
    if (product.pieces.size() > kMaxCounted) return {};
    for (const Piece& part : product.pieces) {
      if (part.size() == 1) {
        term.sets[term.num_sets++] = counted_set(part.requirements[0]);
      } else {
        const int sum = add_sum(part);
        if (sum < 0) return {};
        term.sums[term.num_sums++] = static_cast<std::int16_t>(sum);
      }
    }
    add_term(term, terms);
  }
  std::erase_if(terms, [](const CountTerm& term) { return term.factor == 0; });
  return terms;
}

/// @return its number, or -1 where it would have too many terms
int PatternPlanBuilder::add_sum(const Piece& piece) {
  const int parent = num_known_ == num_chosen_ ? -1 : sum_at_[num_known_ - 1], number = static_cast<int>(sums_.size());
  const auto same = std::ranges::find_if(
      sums_, [&](const DraftSum& other) { return other.parent == parent && other.piece == piece; });
  if (same != sums_.end()) return static_cast<int>(same - sums_.begin());
  const auto begins = std::ranges::find_if(piece.requirements, [](const Requirement& r) { return r.adjacent != 0; });
  const auto first = begins - piece.requirements.begin();
  DraftSum draft{{}, parent, piece, {}, size_of(*begins, num_known_)};
  draft.sum.position = static_cast<std::int8_t>(num_known_);
  draft.sum.candidates = static_cast<std::int8_t>(add_sets(*begins, false));
  draft.sum.distinct_from = distinct_from(*begins);
  sums_.push_back(std::move(draft));

  const int position = num_known_++;
  SmallVector<int, 8> others;
  for (int i = 0; i < piece.size(); ++i) {
    if (i != first) others.push_back(i);
  }
  Piece rest = some_of(piece, others);
  for (int i = 0; i < rest.size(); ++i) {
    const std::int64_t label = piece.edge(static_cast<int>(first), others[i]);
    if (label == PatternMatrix::kNoEdge) continue;
    rest.requirements[i].adjacent |= 1U << position;
    rest.requirements[i].edge_labels[position] = static_cast<std::uint32_t>(label);
  }
  const int vertex_before = std::exchange(order_[position], piece.vertices[first]);
  sum_at_[position] = number;
  std::vector<CountTerm> terms = terms_of(rest);
  sum_at_[position] = -1;
  order_[position] = vertex_before;
  --num_known_;
  sums_[number].terms = std::move(terms);
  return sums_[number].terms.empty() ? -1 : number;
}

/// Members of sets to look at for each match of the chosen vertices, estimated.
double PatternPlanBuilder::cost_of_sums(const std::vector<CountTerm>& terms) const {
  std::vector<int> sums;
  for (const CountTerm& term : terms) sums.insert(sums.end(), term.sums, term.sums + term.num_sums);
  double cost = 0;
  for (const int sum : sums) {
    double work = 1;
    for (const Draft& set : sets_) {
      if (set.sum == sum) work += set.definition.source < 0 ? 1 : set.row_cost;
    }
    cost += sums_[sum].num_candidates * (work + cost_of_sums(sums_[sum].terms));
  }
  return cost;
}

}  // namespace quarry
