/// Builds the plan of one order of a pattern's vertices, with a number of them counted.
///
/// What a vertex requires of those chosen before it becomes a chain of sets, one for each position at which something
/// is added; requirements that are the same up to some position share the chain up to there.
#pragma once
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "graph/pattern/pattern_plan.hpp"
#include "graph/pattern/pattern_symmetry.hpp"

namespace quarry::mine {

struct PlanInput {
  const GraphPattern& pattern;
  PatternMatrix matrix;
  bool vertex_induced = false;
  bool choose_all = false;  ///< the members of the last set are wanted
  GraphStatistics statistics;
  std::map<std::uint32_t, OrderedGraph::Range> label_ranges;
  std::uint32_t num_vertices = 0;
  Index automorphisms = 1;
};

class PlanBuilder {
 public:
  /// @param order    pattern's vertex at each position
  /// @param counted  at least 1: the last so many are counted
  PlanBuilder(const PlanInput& input, const std::vector<int>& order, int counted);

  /// Do all counted vertices require the same?
  bool counted_alike() const;
  PatternPlan build();

 private:
  /// What a vertex must be, in terms of positions.
  struct Requirement {
    std::uint16_t adjacent = 0, apart = 0, later_than = 0;
    std::uint32_t label = kAnyLabel;
    std::array<std::uint32_t, kMaxPatternVertices> edge_labels{};  ///< kAnyLabel where there is none
    bool operator==(const Requirement&) const = default;
  };
  using SetKey = std::tuple<std::uint16_t, std::uint16_t, std::uint16_t, std::uint32_t, std::vector<std::uint32_t>>;

  Requirement requirement_of(int position) const;
  std::optional<Requirement> both(const Requirement& one, const Requirement& other) const;
  OrderedGraph::Range range_of(std::uint32_t label) const;
  double size_of(const Requirement& requirement, int num_positions) const;
  SetKey key_of(const Requirement& requirement, int position) const;
  /// The last set of the requirement's chain.
  int add_sets(const Requirement& requirement, bool required);
  SetStep make_step(const Requirement& requirement, int position, int source) const;
  void add_terms();
  void add_partitions(int next, std::vector<Requirement>& blocks, std::vector<int>& sizes);
  void add_term(std::int64_t factor, const std::vector<Requirement>& blocks);
  void order_sets();
  void estimate_cost();
  std::uint16_t distinct_from(const Requirement& requirement) const;

  struct Draft {
    SetStep step;
    int position = 0;
    double size = 0, row_cost = 0;
  };
  const PlanInput& input_;
  std::vector<int> order_, places_;  ///< places_: position of each vertex of the pattern
  int num_chosen_;
  PatternPlan plan_;
  std::vector<OrderRule> rules_;  ///< in positions
  std::vector<Draft> sets_;
  std::map<SetKey, int> set_of_;
  std::vector<std::uint16_t> set_distinct_from_;
};

}  // namespace quarry::mine
