#include "match/plan.hpp"

#include <string>

#include "match/plan_builder.hpp"
#include "match/signature.hpp"

namespace quarry::match {

Plan::Plan(const QuerySet& queries, const Options& options) : refine_(options.refine), chirality_(options.chirality) {
  if (queries.queries.empty()) throw InputError("there is no query to search for");
  if (options.refine < 0 || options.refine > kMaxRefine) {
    throw InputError("refine must lie in 0.." + std::to_string(kMaxRefine) + ", not " + std::to_string(options.refine));
  }
  if (options.max_matches < 0) throw InputError("max_matches must be 0 (all) or more");
  if (options.pair_budget < 0) throw InputError("pair_budget must be 0 (no limit) or more");
  PlanBuilder builder(*this);
  for (const Query& query : queries.queries) builder.add_query(query);
  builder.finish();
}

PlanView Plan::view() const {
  PlanView view;
  view.num_queries = num_queries_;
  view.query_words = words_for(num_queries_);
  view.num_bodies = num_bodies_;
  view.body_words = words_for(num_bodies_);
  view.num_predicates = static_cast<Index>(predicates_.size());
  view.row_words = words_for(view.num_predicates);
  view.num_programs = static_cast<Index>(programs_.size());
  view.num_arcs = static_cast<Index>(arcs_.size());
  view.num_nodes = static_cast<Index>(nodes_.size());
  view.num_signatures = static_cast<Index>(signatures_.size());
  view.num_bond_relations = static_cast<Index>(relation_kinds_.size() / 2);
  view.num_relations = view.num_bond_relations + (has_groups_ ? 2 : 0);
  view.refine = refine_;
  view.num_classes = static_cast<Index>(class_masks_.size());
  view.chirality = chirality_;
  view.patterns = view_of(patterns_);
  view.pattern_atoms = view_of(pattern_atoms_);
  view.arcs = view_of(arcs_);
  view.body_arcs = view_of(body_arcs_);
  view.nodes = view_of(nodes_);
  view.node_arcs = view_of(node_arcs_);
  view.roots = view_of(roots_);
  view.steps = view_of(steps_);
  view.checks = view_of(checks_);
  view.programs = view_of(programs_);
  view.operations = view_of(operations_);
  view.pattern_programs = view_of(pattern_programs_);
  view.screen = view_of(screen_);
  view.query_bodies = view_of(query_bodies_);
  view.body_queries = view_of(body_queries_);
  view.relation_kinds = view_of(relation_kinds_);
  view.label_relations = view_of(label_relations_);
  view.relation_list = view_of(relation_list_);
  view.class_masks = view_of(class_masks_);
  view.features = view_of(features_);
  view.signatures = view_of(signatures_);
  view.signature_features = view_of(signature_features_);
  view.chiral = view_of(chiral_);
  view.chiral_neighbours = view_of(chiral_neighbours_);
  view.stereo = view_of(stereo_);
  return view;
}

}  // namespace quarry::match
