#include "match/equal_queries.hpp"

#include <algorithm>
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

std::uint64_t hash_of(const AtomExpression& atom) {
  std::uint64_t hash = mixed(static_cast<std::uint64_t>(atom.op), atom.negated ? 1 : 0);
  hash = mixed(hash, static_cast<std::uint64_t>(atom.test.property));
  hash = mixed(hash, static_cast<std::uint16_t>(atom.test.low));
  hash = mixed(hash, static_cast<std::uint16_t>(atom.test.high));
  for (const AtomExpression& child : atom.children) hash = mixed(hash, hash_of(child));
  return hash;
}

/// Of what most patterns differ in: each atom with its neighbours, in any order.
std::uint64_t hash_of(const Pattern& pattern) {
  std::vector<std::uint64_t> atoms, with_neighbours;
  for (const AtomExpression& atom : pattern.atoms) atoms.push_back(hash_of(atom));
  with_neighbours = atoms;
  for (const PatternBond& bond : pattern.bonds) {
    with_neighbours[bond.begin] += mixed(atoms[bond.end], bond.kinds);
    with_neighbours[bond.end] += mixed(atoms[bond.begin], bond.kinds);
  }
  std::uint64_t hash = pattern.bonds.size();
  for (const std::uint64_t atom : with_neighbours) hash += mixed_bits(atom);
  return hash;
}

/// Is all that a query asks in its atoms and bonds, and each bond the same from both its ends?
bool is_graph(const Query& query) {
  const Pattern& pattern = query.pattern;
  return pattern.atoms.size() <= kMaxGraphAtoms && pattern.chiral_atoms.empty() && pattern.stereo_bonds.empty() &&
         query.stereo_refusal.empty() &&
         std::ranges::all_of(pattern.bonds, [](const auto& bond) { return bond.kinds == reversed_kinds(bond.kinds); });
}

/// Knows of each query whether it asks the same as one before.
class KnownQueries {
 public:
  explicit KnownQueries(bool in_any_order) : in_any_order_(in_any_order) {}

  /// The first query that asks the same, numbered among those that differ.
  std::uint32_t number_of(const Query& query) {
    const std::uint64_t hash = hash_of(query.pattern);
    const auto [begin, end] = by_hash_.equal_range(hash);
    const auto equal =
        std::find_if(begin, end, [&](const auto& known) { return are_equal(*known.second.query, query); });
    if (equal != end) return equal->second.number;
    const auto number = checked_cast<std::uint32_t>(by_hash_.size());
    by_hash_.emplace(hash, Known{&query, number});
    return number;
  }

 private:
  struct Known {
    const Query* query;
    std::uint32_t number;
  };

  bool are_equal(const Query& left, const Query& right) {
    if (left.pattern == right.pattern && left.stereo_refusal == right.stereo_refusal) return true;
    if (!in_any_order_ || !is_graph(left) || !is_graph(right)) return false;
    const PatternGraph one = graph_of(left.pattern), other = graph_of(right.pattern);
    return one.is_connected && other.is_connected && are_isomorphic(one.graph, other.graph);
  }
  PatternGraph graph_of(const Pattern& pattern) {
    std::vector<std::uint32_t> atoms, bonds;
    for (const AtomExpression& atom : pattern.atoms) atoms.push_back(expressions_.add(key_of(atom, pattern)));
    for (const PatternBond& bond : pattern.bonds) bonds.push_back(kinds_.add(bond.kinds));
    return match::graph_of(pattern, atoms, bonds);
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
