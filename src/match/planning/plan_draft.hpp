/// The first half of making a plan: what the queries ask for, every distinct thing once, in the order it is first met.
///
/// Where a mask stands in a molecule's row is known only when all queries have been seen, so a draft names masks by kind
/// and number; `write_plan`, the second half, turns these into indices.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "match/plan.hpp"
#include "util/cast.hpp"

namespace quarry::match {

/// Distinct values, each numbered when it is first added, and found again by its key.
template <class Key, class Value = Key>
class Distinct {
 public:
  std::optional<std::uint32_t> find(const Key& key) const {
    const auto known = numbers_.find(key);
    return known == numbers_.end() ? std::nullopt : std::optional(known->second);
  }
  /// @return  the number of the value with this key
  std::uint32_t add(const Key& key, const Value& value) {
    const auto [entry, is_new] = numbers_.try_emplace(key, checked_cast<std::uint32_t>(values_.size()));
    if (is_new) values_.push_back(value);
    return entry->second;
  }
  std::uint32_t add(const Key& key) { return add(key, key); }
  /// By number.
  const std::vector<Value>& values() const { return values_; }

 private:
  /// Text is hashed: keys are long, and many have the same beginning.
  using Numbers = std::conditional_t<std::is_same_v<Key, std::string>, std::unordered_map<Key, std::uint32_t>,
                                     std::map<Key, std::uint32_t>>;
  Numbers numbers_;
  std::vector<Value> values_;
};

struct MaskId {
  /// In the order in which the kinds stand in a molecule's row.
  enum Kind : std::uint8_t { predicate, plain_program, atom_class, recursive, program };
  Kind kind = predicate;
  std::uint32_t number = 0;  ///< among the masks of its kind
  auto operator<=>(const MaskId&) const = default;
};
inline constexpr int kNumMaskKinds = 5;

struct DemandDraft {
  std::uint32_t relation = 0;  // from the atom to its neighbours
  MaskId mask;
  std::uint32_t count = 1;
  auto operator<=>(const DemandDraft&) const = default;
};

/// A mask to push, or one of kOpAnd, kOpOr and kOpNot.
using Operation = std::variant<MaskId, std::uint32_t>;

/// An expression with `$()`.
struct ProgramDraft {
  std::vector<Operation> operations;
  std::uint32_t predicate = 0;  ///< that it implies
};

/// What a query atom asks of an atom.
struct AtomClassDraft {
  MaskId expression;                         ///< or, where that is a program, the predicate that it implies
  std::vector<std::uint32_t> plain_demands;  ///< those into predicates
  RingSystem ring_system;
  std::vector<MaskId> others;              ///< the expression, where it is a program
  std::vector<DemandDraft> other_demands;  ///< into programs
  auto operator<=>(const AtomClassDraft&) const = default;
};

/// A query or a recursive pattern in terms of what the draft has numbered.
struct PatternDraft {
  static constexpr std::uint32_t kNoSignature = 0xFFFFFFFF;  ///< nothing is asked of the surroundings
  struct Atom {
    MaskId expression;
    MaskId
        mask;  ///< its candidates: an atom class. In a recursive pattern, which is searched before programs are known,
               ///< a plain one, or the program that the expression is
    std::uint32_t signature = kNoSignature;
    std::uint32_t predicate = 0;  ///< implied by the expression
    double share = 0;             ///< of typical atoms that fulfil the expression
  };
  const Pattern* pattern = nullptr;  ///< of the query set, which must outlive the draft
  bool is_recursive = false;
  std::uint8_t cycle_lengths = 0;
  std::vector<std::uint32_t> relations;       ///< of each bond, from its begin to its end
  std::vector<std::uint32_t> back_relations;  ///< from its end to its begin
  std::vector<Atom> atoms;
  std::vector<DemandDraft> demands;  ///< of the first atom into programs, where the pattern is recursive
};

class PlanDraft {
 public:
  /// @param refine  largest radius of signatures; 0: there are none
  explicit PlanDraft(int refine) : refine_(refine) {}

  /// `query` must outlive the draft. @throws InputError, CapacityError  see match::Matcher
  void add_query(const Query& query);
  /// About the share of typical atoms that are candidates of an atom: its expression, and each neighbour that its class
  /// demands.
  double typical_share_of(const PatternDraft::Atom& atom) const;
  /// About the share of typical atoms that meet one of `plain_demands`.
  double typical_share_of_demand(std::uint32_t number) const;
  /// The predicates that define the labels which signatures count. To be called after the last query.
  void add_labels();

  Distinct<std::string, AtomExpression> predicates;
  /// Expressions of which every `$()` is decided by the environment of an atom, and all others.
  Distinct<std::string, ProgramDraft> plain_programs, programs;
  Distinct<std::pair<std::uint64_t, bool>> relations;  ///< accepted bond kinds; must the bond lie on a cycle?
  Distinct<DemandDraft> plain_demands;                 ///< those into predicates
  Distinct<AtomClassDraft> atom_classes;
  Distinct<std::vector<Feature>> signatures;
  std::vector<PatternDraft> patterns;  ///< in order, each after the recursive patterns that it uses
  std::vector<std::uint32_t> label_predicates;

 private:
  PatternDraft draft_pattern(const Pattern& pattern, bool is_recursive);
  std::vector<std::uint32_t> draft_bonds(const Pattern& pattern, const GraphBatchView& graph);
  std::uint32_t add_predicate(const AtomExpression& expression);
  std::uint32_t add_recursive(const Pattern& body);
  /// The class of the first atom of a body that the environment of an atom decides.
  MaskId add_decided(const Pattern& body);
  MaskId add_expression(const AtomExpression& expression, const Pattern& owner);
  void add_operations(const AtomExpression& expression, const Pattern& owner, int depth,
                      std::vector<Operation>& program);
  /// The class of an atom of a pattern, of which everything else is drafted.
  MaskId add_atom_class(const PatternDraft& draft, std::uint32_t atom, RingSystem ring_system);

  int refine_;
  Distinct<std::string> recursive_;
  Distinct<std::string, MaskId> decided_;
};

/// The second half: the masks get their indices, and every array is filled.
[[nodiscard]] Plan write_plan(const PlanDraft& draft, const Options& options);

}  // namespace quarry::match
