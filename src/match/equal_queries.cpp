#include "match/equal_queries.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
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

/// Of what most patterns differ in.
struct PatternHash {
  std::uint64_t in_order = 0, in_any_order = 0;  ///< the second is of each atom with its neighbours
};

PatternHash hashes_of(const Pattern& pattern) {
  std::vector<std::uint64_t> atoms;
  for (const AtomExpression& atom : pattern.atoms) atoms.push_back(hash_of(atom, pattern));
  PatternHash hash{pattern.bonds.size(), pattern.bonds.size()};
  for (const std::uint64_t atom : atoms) hash.in_order = mixed(hash.in_order, atom);
  std::vector<std::uint64_t> with_neighbours = atoms;
  for (const PatternBond& bond : pattern.bonds) {
    hash.in_order = mixed(mixed(hash.in_order, std::uint64_t{bond.begin} << 32 | bond.end), bond.kinds);
    if (!has_ends(bond, pattern)) continue;
    with_neighbours[bond.begin] += mixed(atoms[bond.end], bond.kinds);
    with_neighbours[bond.end] += mixed(atoms[bond.begin], bond.kinds);
  }
  for (const std::uint64_t atom : with_neighbours) hash.in_any_order += mixed_bits(atom);
  return hash;
}

std::uint64_t hash_of(const Pattern& pattern) { return hashes_of(pattern).in_any_order; }

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
    const PatternHash hash = hashes_of(query.pattern);
    const auto [begin, end] = in_order_.equal_range(hash.in_order);
    const auto equal = std::find_if(begin, end, [&](const auto& known) {
      const Query& other = *queries_[known.second];
      return other.pattern == query.pattern && other.stereo_refusal == query.stereo_refusal;
    });
    if (equal != end) return equal->second;
    const auto number = checked_cast<std::uint32_t>(queries_.size());
    if (in_any_order_ && is_graph(query)) {
      const auto isomorphic = isomorphic_to(query, hash.in_any_order, number);
      if (isomorphic) return *isomorphic;
    }
    in_order_.emplace(hash.in_order, number);
    queries_.push_back(&query);
    return number;
  }

 private:
  // All searches for isomorphisms have so many tries together, which take less than a second.
  static constexpr Index kMaxTries = Index{1} << 24;

  struct Graph {
    GraphPattern graph;
    std::uint32_t number;
  };

  /// The query before it that is the same in another order. Where there is none, this one is known under `number`.
  std::optional<std::uint32_t> isomorphic_to(const Query& query, std::uint64_t hash, std::uint32_t number) {
    const auto [first, is_new] = first_of_hash_.try_emplace(hash, number);
    if (is_new) return std::nullopt;  // most queries have a hash of their own, and their graphs are never made
    if (first->second != kDescribed) {
      add_graph(*queries_[first->second], first->second);
      first->second = kDescribed;
    }
    return add_graph(query, number);
  }
  /// @return  the number of a graph that is isomorphic; where there is none, the query's is added
  std::optional<std::uint32_t> add_graph(const Query& query, std::uint32_t number) {
    const Pattern& pattern = query.pattern;
    std::vector<std::uint32_t> atoms, bonds;
    for (const AtomExpression& atom : pattern.atoms) atoms.push_back(expressions_.add(key_of(atom, pattern)));
    for (const PatternBond& bond : pattern.bonds) bonds.push_back(kinds_.add(bond.kinds));
    PatternGraph made = pattern_graph(pattern, atoms, bonds);
    if (!made.is_connected) return std::nullopt;
    const std::uint64_t hash = isomorphism_hash(made.graph);
    const auto [begin, end] = graphs_.equal_range(hash);
    const auto equal = std::find_if(
        begin, end, [&](const auto& known) { return are_isomorphic(known.second.graph, made.graph, tries_left_); });
    if (equal != end) return equal->second.number;
    graphs_.emplace(hash, Graph{std::move(made.graph), number});
    return std::nullopt;
  }

  static constexpr std::uint32_t kDescribed = 0xFFFFFFFF;

  bool in_any_order_;
  Index tries_left_ = kMaxTries;
  Distinct<std::string> expressions_;
  Distinct<std::uint64_t> kinds_;
  std::vector<const Query*> queries_;                               ///< those that differ
  std::unordered_multimap<std::uint64_t, std::uint32_t> in_order_;  ///< their numbers by hash
  std::unordered_map<std::uint64_t, std::uint32_t> first_of_hash_;  ///< by hash in any order, or kDescribed
  std::unordered_multimap<std::uint64_t, Graph> graphs_;            ///< of those that share such a hash
};

}  // namespace

EqualQueries::EqualQueries(const QuerySet& queries, const Options& options)
    : num_queries_(std::ssize(queries.accepted)) {
  if (stores_mappings(options.mode)) return;
  KnownQueries known(options.pair_budget == 0);
  std::vector<std::vector<std::uint32_t>> queries_of;
  for (std::uint32_t query = 0; query < queries.accepted.size(); ++query) {
    const std::uint32_t distinct = known.number_of(queries.accepted[query]);
    if (distinct == queries_of.size()) queries_of.emplace_back();
    queries_of[distinct].push_back(query);
  }
  if (queries_of.size() == queries.accepted.size()) return;
  for (const auto& equal : queries_of) distinct_.accepted.push_back(queries.accepted[equal.front()]);
  queries_of_ = std::move(queries_of);
}

void EqualQueries::spread(Result& result) const {
  if (all_differ()) return;
  std::vector<Hit>& hits = result.hits;
  const auto queries_of = [&](const Hit& hit) -> const auto& { return queries_of_[hit.query]; };
  Index left = std::ssize(hits), end = 0;
  for (const Hit& hit : hits) end += std::ssize(queries_of(hit));
  hits.resize(end);
  // From the last to the first: a hit moves to the back, where those behind it have left.
  std::vector<Hit> others;  // of a molecule: those of queries that ask the same as an earlier one
  for (Index row = result.num_molecules() - 1; row >= 0; --row) {
    const Index first = result.hit_offsets[row];
    result.hit_offsets[row + 1] = end;
    for (Index i = first; i < left; ++i) {
      for (const std::uint32_t query : std::span(queries_of(hits[i])).subspan(1)) {
        others.push_back(hits[i]);
        others.back().query = query;
      }
    }
    std::ranges::sort(others, {}, &Hit::query);
    while (left > first || !others.empty()) {
      // The first queries of distinct ones are in the order of these.
      if (left == first || (!others.empty() && others.back().query > queries_of(hits[left - 1]).front())) {
        hits[--end] = others.back();
        others.pop_back();
      } else {
        const Hit hit = hits[--left];
        hits[--end] = hit;
        hits[end].query = queries_of(hit).front();
      }
    }
  }
}

}  // namespace quarry::match
