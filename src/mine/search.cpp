#include "mine/search.hpp"

#include <algorithm>

#include "exec/bits.hpp"

namespace quarry::mine {
namespace {

Index largest_degree(const OrderedRows& rows) {
  Index largest = 0;
  for (Index v = 0; v < rows.num_vertices(); ++v) largest = std::max(largest, rows.degree(v));
  return largest;
}

/// A bare part of a row needs no memory of its own.
bool has_members(const SetStep& step) {
  return step.source >= 0 ? step.intersect || step.subtract != 0 : step.edge_label >= 0 || step.subtract != 0;
}

}  // namespace

SearchMemory::SearchMemory(const SearchJob& job) {
  const auto degree = static_cast<std::size_t>(largest_degree(job.rows));
  const auto words = static_cast<std::size_t>(words_for(job.rows.num_vertices()));
  for (const SetStep& step : job.plan->sets) {
    members.emplace_back(has_members(step) ? degree + 1 : 0);  // one may be written beyond the last
    bitmaps.emplace_back(step.load ? words : 0);
  }
  live.resize(members.size());
  filtered.resize(degree);
}

Index SearchMemory::bytes(const SearchJob& job) {
  const Index degree = largest_degree(job.rows);
  Index bytes = 4 * degree;
  for (const SetStep& step : job.plan->sets) {
    if (has_members(step)) bytes += 4 * degree;
    if (step.load) bytes += 8 * words_for(job.rows.num_vertices());
  }
  return bytes;
}

}  // namespace quarry::mine
