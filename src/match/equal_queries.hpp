/// Queries that ask the same, perhaps with their atoms in another order, as in sets that were put together of others. Each is
/// searched once.
#pragma once
#include <cstdint>
#include <vector>

#include "quarry/match.hpp"

namespace quarry::match {

class EqualQueries {
 public:
  /// @param options  of the search. Where embeddings are stored, every query is searched: the memory for those of a molecule is
  ///                 bounded over all queries. With a budget, the order of a query's atoms may show in the answer
  EqualQueries(const QuerySet& queries, const Options& options);
  /// Those to search of the set that it was made of.
  const QuerySet& distinct(const QuerySet& queries) const { return all_differ() ? queries : distinct_; }
  Index num_queries() const { return num_queries_; }
  /// Gives every query the hits that were found for the distinct ones.
  void spread(Result& result) const;

 private:
  bool all_differ() const { return queries_of_.empty(); }

  Index num_queries_;
  QuerySet distinct_;
  std::vector<std::vector<std::uint32_t>>
      queries_of_;  ///< that ask the same as each distinct one; empty where all differ
};

}  // namespace quarry::match
