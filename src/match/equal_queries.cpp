#include "match/equal_queries.hpp"

#include <algorithm>
#include <unordered_map>

#include "match/collect.hpp"
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

/// Of what most patterns differ in.
std::uint64_t hash_of(const Pattern& pattern) {
  std::uint64_t hash = pattern.atoms.size();
  for (const AtomExpression& atom : pattern.atoms) hash = mixed(hash, hash_of(atom));
  for (const PatternBond& bond : pattern.bonds) {
    hash = mixed(hash, std::uint64_t{bond.begin} << 32 | bond.end);
    hash = mixed(hash, bond.kinds);
  }
  for (const Pattern& body : pattern.recursive) hash = mixed(hash, hash_of(body));
  return hash;
}

bool are_equal(const Query& left, const Query& right) {
  return left.pattern == right.pattern && left.stereo_refusal == right.stereo_refusal;
}

}  // namespace

EqualQueries::EqualQueries(const QuerySet& queries, Mode mode) : num_queries_(std::ssize(queries.accepted)) {
  if (stores_mappings(mode)) return;
  std::unordered_multimap<std::uint64_t, std::uint32_t> distinct_by_hash;
  std::vector<std::uint32_t> firsts, distinct_of;
  for (std::uint32_t query = 0; query < queries.accepted.size(); ++query) {
    const std::uint64_t hash = hash_of(queries.accepted[query].pattern);
    const auto [begin, end] = distinct_by_hash.equal_range(hash);
    const auto equal = std::find_if(begin, end, [&](const auto& known) {
      return are_equal(queries.accepted[firsts[known.second]], queries.accepted[query]);
    });
    if (equal != end) {
      distinct_of.push_back(equal->second);
      continue;
    }
    distinct_of.push_back(static_cast<std::uint32_t>(firsts.size()));
    distinct_by_hash.emplace(hash, distinct_of.back());
    firsts.push_back(query);
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
