/// How the patterns of one call are counted: which by formulas, which as cliques, which by search, and what each of
/// these will look at.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "mine/formulas/plan.hpp"
#include "mine/search/plan.hpp"

namespace quarry::mine {

struct CountPlan {
  std::vector<Method> methods;  ///< [patterns]
  std::vector<double> costs;    ///< [patterns] Work::entries; with formulas, of all that have one
  FormulaPlan formulas;         ///< of all patterns that are counted by one; no sums where there are none
  std::vector<std::size_t> cliques;
  std::vector<std::unique_ptr<PlannedSearch>> searches;
  std::vector<Work> works;  ///< formulas, then each of the cliques, then each of the searches
};

/// Formulas are planned where there is room for what they take for certain.
/// @throws InputError, CapacityError  a method that cannot be used; as plan_searches
CountPlan plan_count(PreparedGraph& prepared, std::span<const GraphPattern> patterns);

/// Plans without formulas the patterns that have formulas in `plan`.
CountPlan plan_without_formulas(PreparedGraph& prepared, std::span<const GraphPattern> patterns, const CountPlan& plan);

/// The graph as the formulas, and as the cliques of some size, walk through it.
const OrderedGraph& ordered_for_formulas(PreparedGraph& prepared, SumSet sums);
const OrderedGraph& ordered_for_cliques(PreparedGraph& prepared, int size);

}  // namespace quarry::mine
