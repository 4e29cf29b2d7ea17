#include "match/plan.hpp"

#include <string>

#include "chemistry/predicates.hpp"
#include "match/planning/plan_draft.hpp"

namespace quarry::match {
namespace {

void check(const QuerySet& queries, const Options& options) {
  if (queries.accepted.empty()) throw InputError("there is no query to search for");
  if (options.refine < 0 || options.refine > kMaxRefine) {
    throw InputError("refine must lie in 0.." + std::to_string(kMaxRefine) + ", not " + std::to_string(options.refine));
  }
  if (options.max_matches < 0) throw InputError("max_matches must be 0 (all) or more");
  for (const Query& query : queries.accepted) {
    if (options.chirality && !query.stereo_refusal.empty()) throw InputError(query.stereo_refusal);
  }
  if (options.pair_budget < 0) throw InputError("pair_budget must be 0 (no limit) or more");
}

}  // namespace

Plan make_plan(const QuerySet& queries, const Options& options) {
  check(queries, options);
  PlanDraft draft(options.refine);
  for (const Query& query : queries.accepted) draft.add_query(query);
  draft.add_labels();
  return write_plan(draft, options);
}

PlanView Plan::view() const {
  PlanView view;
  std::apply(
      [&](auto&... views) {
        std::apply([&](const auto&... owned) { ((views = view_of(owned)), ...); }, arrays.all(arrays));
      },
      view.all(view));
  view.num_queries = num_queries;
  view.query_words = words_for(num_queries);
  view.num_plain = std::ssize(rules.masks);
  view.num_recursive = num_recursive;
  view.num_programs = view.programs.size();
  view.num_atom_classes = std::ssize(rules.classes);
  view.num_plain_classes = view.num_atom_classes - view.other_classes.size();
  view.num_signatures = view.signatures.size();
  view.num_refined_classes = view.refined_classes.size();
  view.num_bond_relations = view.relation_kinds.size() / 2;
  view.num_relations = view.num_bond_relations + (has_groups ? 2 : 0);
  view.max_pattern_atoms = max_pattern_atoms;
  view.max_recursive_atoms = max_recursive_atoms;
  view.refine = refine;
  view.num_labels = view.label_masks.size();
  view.need_words = strips_for(view.first_class_need() + view.other_classes.size()) * kStripWords;
  view.chirality = chirality;
  return view;
}

std::uint64_t Plan::demands_of(const PlainClass& asked) const {
  std::uint64_t demands = 0;
  for (std::uint32_t d = asked.demands.first; d < asked.demands.last; ++d)
    demands |= std::uint64_t{1} << rules.class_demands[d];
  return demands;
}

std::vector<std::uint64_t> Plan::kind_row(const AtomKind& kind) const {
  const Index row_words = predicate_words();
  std::vector<std::uint64_t> row(row_words + rules.words(), 0);
  for (Index p = 0; p < std::ssize(predicates); ++p) {
    row[p / 64] |= std::uint64_t{evaluate(predicates[p], kind)} << (p % 64);
  }
  for (Index d = 0; d < std::ssize(rules.demands); ++d) {
    const std::uint32_t predicate = rules.demands[d].mask;
    row[row_words + d / 64] |= (row[predicate / 64] >> (predicate % 64) & 1) << (d % 64);
  }
  return row;
}

void add_plan(Parcel& parcel, PlanView& plan) {
  std::apply([&](auto&... arrays) { (parcel.add(arrays), ...); }, plan.all(plan));
}

}  // namespace quarry::match
