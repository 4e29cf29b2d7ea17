/// Queries that ask for a number of matches: `least` and `most` of a Query.
///
/// Such a query is searched for with its embeddings stored, and each pair is judged when its search is done. What is not
/// asked for then goes out again.
#pragma once
#include <vector>

#include "quarry/match.hpp"

namespace quarry::match {

class CountRules {
 public:
  CountRules(const QuerySet& queries, Mode asked);
  /// How to search, so that pairs can be judged.
  Mode search_mode() const;
  /// Makes what was found with `search_mode` a result of the mode that was asked for, without the pairs that have too few or
  /// too many matches. A pair whose search was cut short stays where more matches might decide.
  void apply(Result& result) const;

 private:
  struct Rule {
    Index least, most, num_atoms;
    bool is_counted;
  };
  bool keeps(const Rule& rule, Hit& hit, Index num_sets) const;

  std::vector<Rule> rules_;                   ///< [queries]
  std::vector<std::uint32_t> without_match_;  ///< queries that match where they do not occur, ascending
  Mode asked_;
  bool counts_ = false;
};

}  // namespace quarry::match
