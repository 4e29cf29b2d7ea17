#include "match/plan.hpp"

#include <string>

#include "chemistry/predicates.hpp"
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

std::vector<std::uint64_t> Plan::kind_row(const AtomKind& kind) const {
  const PlanView plan = view();
  std::vector<std::uint64_t> row(static_cast<std::size_t>(plan.row_words + plan.plain_arc_words), 0);
  for (std::size_t p = 0; p < predicates_.size(); ++p) {
    row[p / 64] |= std::uint64_t{evaluate(predicates_[p], kind)} << (p % 64);
  }
  for (Index a = 0; a < num_plain_arcs_; ++a) {
    const std::uint32_t predicate = arcs_[a].mask;
    row[plan.row_words + a / 64] |= (row[predicate / 64] >> (predicate % 64) & 1) << (a % 64);
  }
  return row;
}

PlanView Plan::view() const {
  PlanView view;
  view.num_queries = num_queries_;
  view.query_words = padded_words(num_queries_);
  view.num_bodies = num_bodies_;
  view.num_predicates = static_cast<Index>(predicates_.size());
  view.row_words = words_for(view.num_predicates);
  view.num_programs = static_cast<Index>(programs_.size());
  view.num_arcs = static_cast<Index>(arcs_.size());
  view.num_blocks = static_cast<Index>(blocks_.size());
  view.num_nodes = static_cast<Index>(nodes_.size());
  view.num_signatures = static_cast<Index>(signatures_.size());
  view.need_words = padded_words(view.num_bodies + view.num_programs);
  view.num_plain_arcs = num_plain_arcs_;
  view.plain_arc_words = padded_words(num_plain_arcs_);
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
  view.nodes_by_size = view_of(nodes_by_size_);
  view.node_masks = view_of(node_masks_);
  view.blocks = view_of(blocks_);
  view.roots = view_of(roots_);
  view.steps = view_of(steps_);
  view.checks = view_of(checks_);
  view.programs = view_of(programs_);
  view.operations = view_of(operations_);
  view.pattern_programs = view_of(pattern_programs_);
  view.screen = view_of(screen_);
  view.needs = view_of(needs_);
  view.node_queries = view_of(node_queries_);
  view.label_arcs = view_of(label_arcs_);
  view.count_arcs = view_of(count_arcs_);
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

void send_plan(Queue& queue, Parcel& parcel, PlanView& plan) {
  parcel.add(plan.patterns);
  parcel.add(plan.pattern_atoms);
  parcel.add(plan.arcs);
  parcel.add(plan.body_arcs);
  parcel.add(plan.nodes);
  parcel.add(plan.nodes_by_size);
  parcel.add(plan.node_masks);
  parcel.add(plan.blocks);
  parcel.add(plan.roots);
  parcel.add(plan.steps);
  parcel.add(plan.checks);
  parcel.add(plan.programs);
  parcel.add(plan.operations);
  parcel.add(plan.pattern_programs);
  parcel.add(plan.screen);
  parcel.add(plan.needs);
  parcel.add(plan.node_queries);
  parcel.add(plan.label_arcs);
  parcel.add(plan.count_arcs);
  parcel.add(plan.relation_kinds);
  parcel.add(plan.label_relations);
  parcel.add(plan.relation_list);
  parcel.add(plan.class_masks);
  parcel.add(plan.features);
  parcel.add(plan.signatures);
  parcel.add(plan.signature_features);
  parcel.add(plan.chiral);
  parcel.add(plan.chiral_neighbours);
  parcel.add(plan.stereo);
  parcel.send(queue);
  queue.finish();  // other queues of the device read it too
}

}  // namespace quarry::match
