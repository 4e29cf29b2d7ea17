/// Builds the plan of one order of a pattern's vertices, the last of which are counted.
///
/// What a vertex requires of those chosen before it becomes a chain of sets, one for each position at which something
/// is required; requirements that are the same up to some position share the chain up to there.
#pragma once
#include <array>
#include <boost/container/small_vector.hpp>
#include <map>
#include <optional>
#include <vector>

#include "graph/pattern/edge_statistics.hpp"
#include "graph/pattern/pattern_plan.hpp"
#include "graph/pattern/pattern_symmetry.hpp"

namespace quarry {

struct PatternPlanInput {
  const GraphPattern& pattern;
  PatternMatrix matrix;
  bool vertex_induced = false;
  bool choose_all = false;  ///< the members of the last set are wanted
  bool may_sum = false;     ///< pieces of several vertices may be counted
  bool in_shards = false;   ///< a subgraph that is counted several times is so at the same chosen vertices
  GraphStatistics statistics;
  const EdgeStatistics* edges = nullptr;  ///< where sizes are to be estimated from them
  /// What is known of the vertices of a label, or of all.
  struct Labelled {
    OrderedGraph::VertexRange range;
    double share = 1;  ///< of all vertices
  };
  std::map<std::uint32_t, Labelled> labels;
  Labelled all;
  /// Pattern vertices that stand first, in this order. They are never counted, and no symmetry moves them.
  std::vector<int> given = {};
  Index num_automorphisms = 1;  ///< all those that leave the given vertices where they are
};

/// Members expected of a set of vertices with a label that are adjacent to vertices of the order.
/// @param adjacent     positions of these, at least one
/// @param edge_labels  of the edges, by position
double expected_size(const PatternPlanInput& input, const std::vector<int>& order, Positions adjacent,
                     const std::array<std::uint32_t, kMaxPatternVertices>& edge_labels, std::uint32_t label);

class PatternPlanBuilder {
 public:
  /// @param order        the pattern's vertex at each position
  /// @param num_counted  at least 1: that many of the last vertices are counted
  PatternPlanBuilder(const PatternPlanInput& input, const std::vector<int>& order, int num_counted);

  /// Do all counted vertices require the same?
  bool counted_alike() const;
  /// Are the counted vertices several pieces, with edges in one of them?
  bool counts_pieces() const;
  /// @return  a plan without terms where pieces would need too many terms or sets; not a whole one where it costs `limit` or
  ///          more
  PatternPlan build(double limit);

 private:
  /// What a vertex must be.
  struct Requirement {
    Positions adjacent = 0, non_adjacent = 0, greater_than = 0;
    std::uint32_t label = kAnyLabel;
    std::array<std::uint32_t, kMaxPatternVertices> edge_labels{};  ///< by position; kAnyLabel where there is none
    bool operator==(const Requirement&) const = default;
  };
  /// What is required of the positions up to some: the requirement without what comes later; and the sum that computes the set.
  struct SetKey {
    Requirement requirement;
    int sum = -1;
    bool operator==(const SetKey&) const = default;
  };
  /// PERF: planning makes many pieces, of few vertices each; with std::vector it takes 1.4 times the instructions.
  template <class T, std::size_t usual>
  using SmallVector = boost::container::small_vector<T, usual>;
  /// Counted vertices, in the order of the plan, and the edges between them.
  struct Piece {
    SmallVector<int, 8> vertices;  ///< of the pattern: one of those that lie on the same vertex of the graph
    SmallVector<Requirement, 4> requirements;
    SmallVector<std::int64_t, 16> edges;  ///< [vertices x vertices] as PatternMatrix::at

    int size() const { return static_cast<int>(vertices.size()); }
    std::int64_t& edge(int i, int j) { return edges[i * size() + j]; }
    std::int64_t edge(int i, int j) const { return edges[i * size() + j]; }
    bool operator==(const Piece&) const = default;
  };
  /// A product of pieces that may share vertices, and its factor.
  struct Product {
    std::int64_t factor = 1;
    std::vector<Piece> pieces;
  };
  struct DraftSum {
    CountedSum sum;
    int parent = -1;  ///< the sum of whose terms it is
    Piece piece;
    std::vector<CountTerm> terms;
    double num_candidates = 0;
  };

  Requirement requirement_of(int position) const;
  std::optional<Requirement> both(const Requirement& one, const Requirement& other) const;
  const PatternPlanInput::Labelled& labelled(std::uint32_t label) const;
  double size_of(const Requirement& requirement, int num_positions) const;
  SetKey key_of(const Requirement& requirement, int position) const;
  /// @return the last set of the requirement's chain
  int add_sets(const Requirement& requirement, bool required);
  SetDefinition define_set(const Requirement& requirement, int position, int source) const;
  void add_terms();
  void add_partitions(int next, std::vector<Requirement>& groups, std::vector<int>& sizes);
  void add_term(std::int64_t factor, const std::vector<Requirement>& groups);
  SetMinusChosen counted_set(const Requirement& requirement);
  static void add_term(CountTerm term, std::vector<CountTerm>& terms);

  // counted_pieces.cpp
  Piece counted_piece() const;
  static Piece some_of(const Piece& piece, const SmallVector<int, 8>& kept);
  static std::vector<Piece> components(const Piece& piece);
  void expand(const Piece& rest, Product product, std::vector<Product>& products) const;
  void merge_vertices(const Piece& rest, const Piece& piece, std::vector<int>& images, const Product& product,
                      std::vector<Product>& products) const;
  std::optional<Piece> merged(const Piece& rest, const Piece& piece, const std::vector<int>& images) const;
  std::vector<CountTerm> terms_of(const Piece& piece);
  int add_sum(const Piece& piece);
  double cost_of_sums(const std::vector<CountTerm>& terms) const;
  void find_sizes_only();
  void order_sets();
  double cost() const;
  Positions distinct_from(const Requirement& requirement) const;
  Positions surely_in(const Requirement& requirement) const;

  struct Draft {
    SetKey key;
    SetDefinition definition;
    int position = 0;
    double size = 0, row_cost = 0;
    int sum = -1;                 ///< that computes it
    Positions distinct_from = 0;  ///< of all terms
  };
  const PatternPlanInput& input_;
  std::vector<int> order_, position_of_;  ///< position_of_: of each vertex of the pattern
  int num_chosen_;
  /// Positions whose vertices are known: those chosen, and while the terms of sums are made the candidates of these. Then
  /// `order_` has the vertices of these candidates too.
  int num_known_;
  std::vector<int> sum_at_;  ///< [positions] the sum whose candidate stands there, or -1
  PatternPlan plan_;
  std::vector<OrderRule> rules_;  ///< in positions
  std::vector<Draft> sets_;
  std::vector<DraftSum> sums_;
};

}  // namespace quarry
