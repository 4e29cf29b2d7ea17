#include "match/count_rules.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "match/collect.hpp"

namespace quarry::match {
namespace {

Index count_sets(std::span<const std::uint32_t> mappings, Index num_atoms) {
  std::set<std::vector<std::uint32_t>> sets;
  for (std::size_t first = 0; first < mappings.size(); first += num_atoms) {
    std::vector<std::uint32_t> atoms(mappings.begin() + first, mappings.begin() + first + num_atoms);
    std::ranges::sort(atoms);
    sets.insert(std::move(atoms));
  }
  return std::ssize(sets);
}

}  // namespace

CountRules::CountRules(const QuerySet& queries, Mode asked) : asked_(asked) {
  for (const Query& query : queries.accepted) {
    if (query.least == 0) without_match_.push_back(static_cast<std::uint32_t>(rules_.size()));
    rules_.push_back({query.least, query.most, std::ssize(query.pattern.atoms), query.is_counted()});
    counts_ = counts_ || query.is_counted();
  }
}

Mode CountRules::search_mode() const {
  if (!counts_ || stores_mappings(asked_)) return asked_;
  return asked_ == Mode::first ? Mode::unique : Mode::all;
}

bool CountRules::keeps(const Rule& rule, Hit& hit, Index num_sets) const {
  if (!rule.is_counted) return true;
  if (num_sets > rule.most) return false;
  if (hit.truncated || hit.timeout || hit.overflow) return true;  // there may be more
  return num_sets >= rule.least;
}

void CountRules::apply(Result& result) const {
  if (!counts_) return;
  Result kept = empty_result(asked_, result.first_molecule);
  const auto add = [&](const Hit& hit, std::span<const std::uint32_t> mappings) {
    kept.hits.push_back(hit);
    if (!stores_mappings(asked_)) return;
    kept.mappings.insert(kept.mappings.end(), mappings.begin(), mappings.end());
    kept.mapping_offsets.push_back(std::ssize(kept.mappings));
  };
  for (Index row = 0; row < result.num_molecules(); ++row) {
    auto absent = without_match_.begin();  // the next query that matches where it does not occur
    const auto add_absent = [&](std::size_t last) {
      for (; absent != without_match_.end() && *absent < last; ++absent) add(Hit{*absent}, {});
    };
    for (Index i = result.hit_offsets[row]; i < result.hit_offsets[row + 1]; ++i) {
      Hit hit = result.hits[i];
      add_absent(hit.query);
      if (absent != without_match_.end() && *absent == hit.query) ++absent;
      const Rule& rule = rules_[hit.query];
      const auto mappings =
          std::span(std::as_const(result.mappings))
              .subspan(result.mapping_offsets[i], result.mapping_offsets[i + 1] - result.mapping_offsets[i]);
      const bool are_sets = search_mode() == Mode::unique;
      if (hit.overflow && rule.is_counted) hit.embeddings = 0;
      if (hit.overflow && !rule.is_counted && !stores_mappings(asked_))
        hit.overflow = false;  // nothing is to be stored
      const Index num_sets = are_sets || !rule.is_counted ? hit.embeddings : count_sets(mappings, rule.num_atoms);
      if (!keeps(rule, hit, num_sets)) continue;
      if (asked_ == Mode::first) hit.embeddings = std::min<Index>(hit.embeddings, 1);
      add(hit, mappings);
    }
    add_absent(rules_.size());
    kept.hit_offsets.push_back(std::ssize(kept.hits));
  }
  result = std::move(kept);
}

}  // namespace quarry::match
