/// Neighbours as the text of a shard: for each row their number, and then number and similarity of each, 8 bytes all.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "quarry/job.hpp"
#include "quarry/similar.hpp"

namespace quarry::cli {

/// Name and format of the output of such shards: any format of rows can be made of it.
inline constexpr const char* kNeighbourRows = "neighbours.bin";

void append_rows(const similar::Neighbours& found, std::string& text);

/// What the shards of a job have compared.
struct ComparedSize {
  Index num_rows = 0, num_columns = 0;
};

/// Calls `visit(row, neighbours)` for the rows of all shards of a job whose only output is such a text, again and again from
/// the first one where shards have compared the same rows.
/// @throws InputError  as Job::read, or the text is damaged
void for_each_row(const Job& job, const ComparedSize& size,
                  const std::function<void(Index row, const std::vector<similar::Neighbour>& neighbours)>& visit);

/// Of shards that have compared the same rows with consecutive ranges of columns: the neighbours of each row among all.
/// Memory grows with the rows, and k of them at most; without k a part of the rows at a time is merged.
/// @param k  as SearchOptions
/// @throws as `for_each_row`
void merge_columns(const Job& job, const ComparedSize& size, Index k,
                   const std::function<void(const similar::Neighbours&)>& sink);

}  // namespace quarry::cli
