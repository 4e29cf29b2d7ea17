#include "match/equal_queries.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "chemistry/predicates.hpp"
#include "graph/pattern/pattern_symmetry.hpp"
#include "match/collect.hpp"
#include "match/planning/decided.hpp"
#include "match/planning/pattern_graph.hpp"
#include "match/planning/plan_draft.hpp"
#include "util/random.hpp"

namespace quarry::match {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) { return mixed_bits(hash ^ mixed_bits(value)); }

std::uint64_t hash_of(const Pattern& pattern);

std::uint64_t hash_of(const AtomExpression& atom, const Pattern& owner) {
  std::uint64_t hash = mixed(static_cast<std::uint64_t>(atom.op), atom.negated ? 1 : 0);
  hash = mixed(hash, static_cast<std::uint64_t>(atom.test.property));
  hash = mixed(hash, static_cast<std::uint16_t>(atom.test.low));
  hash = mixed(hash, static_cast<std::uint16_t>(atom.test.high));
  if (atom.op == AtomExpression::Op::recursive) hash = mixed(hash, hash_of(owner.recursive[atom.recursive]));
  for (const AtomExpression& child : atom.children) hash = mixed(hash, hash_of(child, owner));
  return hash;
}

/// Has each bond two atoms? Making the plan refuses a pattern where one has not.
bool has_ends(const PatternBond& bond, const Pattern& pattern) {
  return bond.begin < pattern.atoms.size() && bond.end < pattern.atoms.size();
}

/// Of what most patterns differ in: each atom with its neighbours, in any order.
std::uint64_t hash_of(const Pattern& pattern) {
  std::vector<std::uint64_t> atoms;
  for (const AtomExpression& atom : pattern.atoms) atoms.push_back(hash_of(atom, pattern));
  std::vector<std::uint64_t> with_neighbours = atoms;
  for (const PatternBond& bond : pattern.bonds) {
    if (!has_ends(bond, pattern)) continue;
    with_neighbours[bond.begin] += mixed(atoms[bond.end], bond.kinds);
    with_neighbours[bond.end] += mixed(atoms[bond.begin], bond.kinds);
  }
  std::uint64_t hash = pattern.bonds.size();
  for (const std::uint64_t atom : with_neighbours) hash += mixed_bits(atom);
  return hash;
}

/// Is all that a query asks in its atoms and bonds, and each bond the same from both its ends? A group of all atoms asks for
/// nothing where they are connected.
bool is_graph(const Query& query) {
  const Pattern& pattern = query.pattern;
  return pattern.atoms.size() <= kMaxGraphAtoms && pattern.chiral_atoms.empty() && pattern.stereo_bonds.empty() &&
         query.stereo_refusal.empty() &&
         std::ranges::adjacent_find(pattern.component_group, std::not_equal_to()) == pattern.component_group.end() &&
         std::ranges::all_of(pattern.bonds, [&](const PatternBond& bond) {
           return has_ends(bond, pattern) && bond.kinds == reversed_kinds(bond.kinds);
         });
}

/// Knows of each query whether it asks the same as one before.
class KnownQueries {
 public:
  explicit KnownQueries(bool in_any_order) : in_any_order_(in_any_order) {}

  /// The first query that asks the same, numbered among those that differ.
  std::uint32_t number_of(const Query& query) {
    Known asked{&query, checked_cast<std::uint32_t>(by_hash_.size()), {}};
    const std::uint64_t hash = hash_of(query.pattern);
    const auto [begin, end] = by_hash_.equal_range(hash);
    const auto equal = std::find_if(begin, end, [&](auto& known) { return are_equal(known.second, asked); });
    if (equal != end) return equal->second.number;
    return by_hash_.emplace(hash, std::move(asked))->second.number;
  }

 private:
  struct Known {
    const Query* query;
    std::uint32_t number;
    std::optional<PatternGraph> graph;  ///< made when it is first needed
  };

  bool are_equal(Known& left, Known& right) {
    const Query &one = *left.query, &other = *right.query;
    if (one.pattern == other.pattern && one.stereo_refusal == other.stereo_refusal) return true;
    if (!in_any_order_ || !is_graph(one) || !is_graph(other)) return false;
    make_graph(left);
    make_graph(right);
    return left.graph->is_connected && right.graph->is_connected &&
           are_isomorphic(left.graph->graph, right.graph->graph, kMaxGraphTries);
  }
  void make_graph(Known& known) {
    if (known.graph) return;
    const Pattern& pattern = known.query->pattern;
    std::vector<std::uint32_t> atoms, bonds;
    for (const AtomExpression& atom : pattern.atoms) atoms.push_back(expressions_.add(key_of(atom, pattern)));
    for (const PatternBond& bond : pattern.bonds) bonds.push_back(kinds_.add(bond.kinds));
    known.graph = pattern_graph(pattern, atoms, bonds);
  }

  bool in_any_order_;
  Distinct<std::string> expressions_;
  Distinct<std::uint64_t> kinds_;
  std::unordered_multimap<std::uint64_t, Known> by_hash_;
};

}  // namespace

EqualQueries::EqualQueries(const QuerySet& queries, const Options& options)
    : num_queries_(std::ssize(queries.accepted)) {
  if (stores_mappings(options.mode)) return;
  KnownQueries known(options.pair_budget == 0);
  std::vector<std::uint32_t> firsts, distinct_of;
  for (std::uint32_t query = 0; query < queries.accepted.size(); ++query) {
    distinct_of.push_back(known.number_of(queries.accepted[query]));
    if (distinct_of.back() == firsts.size()) firsts.push_back(query);
  }
  if (firsts.size() == distinct_of.size()) return;
  for (const std::uint32_t first : firsts) distinct_.accepted.push_back(queries.accepted[first]);
  distinct_of_ = std::move(distinct_of);
}

void EqualQueries::spread(Result& result) const {
  if (all_differ()) return;
  const std::size_t num_distinct = distinct_.accepted.size();
  std::vector<const Hit*> hit_of(num_distinct, nullptr);  // of the molecule
  Result whole = empty_result(Mode::first, result.first_molecule);
  for (Index row = 0; row < result.num_molecules(); ++row) {
    const Index first = result.hit_offsets[row], last = result.hit_offsets[row + 1];
    for (Index i = first; i < last; ++i) hit_of[result.hits[i].query] = &result.hits[i];
    for (std::uint32_t query = 0; query < distinct_of_.size() && first < last; ++query) {
      const Hit* const hit = hit_of[distinct_of_[query]];
      if (hit == nullptr) continue;
      whole.hits.push_back(*hit);
      whole.hits.back().query = query;
    }
    for (Index i = first; i < last; ++i) hit_of[result.hits[i].query] = nullptr;
    whole.hit_offsets.push_back(std::ssize(whole.hits));
  }
  result = std::move(whole);
}

}  // namespace quarry::match
