/// Builds a Plan: every distinct predicate, `$()` body, expression program, bond relation and signature once.
#pragma once
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "match/plan.hpp"

namespace quarry::match {

// While building, masks carry what they are; `finish` turns them into places in the row.
inline constexpr std::uint32_t kBodyTag = 0x10000000U, kProgramTag = 0x20000000U, kArcTag = 0x30000000U;
inline constexpr std::uint32_t kBlockTag = 0x40000000U, kNodeTag = 0x50000000U;
inline constexpr std::uint32_t kTagMask = 0x70000000U;
// Component relations, until the bond relations are counted.
inline constexpr std::uint32_t kSameComponent = 0xFFFFFFFEU, kOtherComponent = 0xFFFFFFFFU;

/// Appends a run of items. @return  where they are
template <class T>
Range append(std::vector<T>& target, const std::vector<T>& items) {
  const auto first = static_cast<std::uint32_t>(target.size());
  target.insert(target.end(), items.begin(), items.end());
  return {first, static_cast<std::uint32_t>(target.size())};
}

class PlanBuilder {
 public:
  explicit PlanBuilder(Plan& plan) : plan_(plan) {}

  void add_query(const Query& query);
  /// Numbers the masks and fills the tables that need all queries.
  void finish();

 private:
  /// An atom of the pattern under work.
  struct Atom {
    std::uint32_t expression = 0, signature = 0;
    std::uint32_t mask = 0;     ///< what a search starts from: the node, or in a body the expression
    std::uint32_t relaxed = 0;  ///< predicate above its expression
    double rarity = 0;
  };
  /// The pattern under work as a graph: relation of each bond, ring block of each atom.
  struct Shape {
    std::vector<std::uint32_t> relations;
    std::vector<RingBlock> blocks;
  };

  std::uint32_t intern_predicate(const AtomExpression& expression);
  std::uint32_t intern_body(const Pattern& body);
  std::uint32_t intern_expression(const AtomExpression& expression, const Pattern& owner);
  void emit(const AtomExpression& expression, const Pattern& owner, std::vector<std::uint32_t>& program, int depth);
  std::uint32_t intern_relation(std::uint64_t kinds, bool on_cycle);
  std::uint32_t intern_signature(const std::vector<Feature>& features);

  std::vector<Arc> arcs_of(const Pattern& pattern, const Shape& shape, const std::vector<Atom>& atoms,
                           std::uint32_t atom);
  std::uint32_t intern_node(std::uint32_t expression, const std::vector<Arc>& arcs, RingBlock block);

  std::vector<Atom> compile_atoms(const Pattern& pattern, const Shape& shape, bool is_body);
  Shape compile_bonds(const Pattern& pattern);
  PatternEntry compile_pattern(const Pattern& pattern, const Shape& shape, const std::vector<Atom>& atoms,
                               bool is_body);
  Range add_steps(const Pattern& pattern, const Shape& shape, const std::vector<Atom>& atoms, std::uint32_t root);
  Range add_roots(const Pattern& pattern, const Shape& shape, const std::vector<Atom>& atoms, bool is_body);
  void add_stereo(const Pattern& pattern, PatternEntry& entry);
  /// Bodies that the pattern's atoms refer to, nested ones included.
  std::vector<bool> needed_bodies(const PatternEntry& entry) const;

  void sort_arcs();
  void sort_nodes();
  void number_masks();
  void fill_screen();
  void fill_needs();
  void fill_relations();
  void fill_arcs();

  Plan& plan_;
  std::unordered_map<std::string, std::uint32_t> predicate_ids_, body_ids_, program_ids_;
  std::map<std::pair<std::uint64_t, bool>, std::uint32_t> relation_ids_;
  std::map<Arc, std::uint32_t> arc_ids_;
  std::map<RingBlock, std::uint32_t> block_ids_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> node_ids_;  ///< expression, then arcs and block
  std::map<Feature, std::uint32_t> feature_ids_;
  std::map<std::vector<Feature>, std::uint32_t> signature_ids_;
  std::vector<PatternEntry> bodies_, queries_;
  std::vector<std::vector<bool>> body_needs_, query_needs_;
  std::vector<std::vector<std::uint32_t>> screened_;  ///< per query: predicates it cannot do without
};

}  // namespace quarry::match
