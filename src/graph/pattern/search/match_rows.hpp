/// Matches as rows of the graph's own vertices, in the order of the pattern.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "exec/view.hpp"
#include "graph/pattern/pattern_plan.hpp"

namespace quarry {

/// Rows end to end, appended and cleared in memory that stays.
class MatchRows {
 public:
  std::uint32_t* add(Index count) {
    if (size_ + count > std::ssize(values_)) values_.resize(std::max(size_ + count, 2 * std::ssize(values_)));
    size_ += count;
    return values_.data() + size_ - count;
  }
  void clear() { size_ = 0; }
  Index size() const { return size_; }
  std::span<const std::uint32_t> values() const { return std::span(values_).first(size_); }

 private:
  std::vector<std::uint32_t> values_;
  Index size_ = 0;
};

class RowWriter {
 public:
  /// @param originals  [vertices] the numbers to write; empty: the vertices as they are
  RowWriter(const PatternPlan& plan, const std::vector<std::uint32_t>& originals)
      : plan_(plan), originals_(originals.empty() ? nullptr : originals.data()), width_(plan.num_vertices) {}

  /// One row for each member, which completes the chosen vertices.
  void append(const std::uint32_t* chosen, View<const std::uint32_t> members, MatchRows& rows) const {
    Row row{};
    for (Index i = 0; i + 1 < width_; ++i)
      row[plan_.order[i]] = originals_ == nullptr ? chosen[i] : originals_[chosen[i]];
    std::uint32_t* const out = rows.add(members.size() * width_);
    kWriters[width_](row, plan_.order[width_ - 1], originals_, members, out);
  }
  Index width() const { return width_; }

 private:
  using Row = std::array<std::uint32_t, kMaxPatternVertices>;
  using Write = void (*)(Row, std::size_t, const std::uint32_t*, View<const std::uint32_t>, std::uint32_t*);

  /// PERF: with the width known a row stays in registers; copying it as bytes took half of the time of a list.
  template <std::size_t kWidth>
  static void write(Row row, std::size_t last, const std::uint32_t* originals, View<const std::uint32_t> members,
                    std::uint32_t* out) {
    for (const std::uint32_t member : members) {
      std::copy_n(row.begin(), kWidth, out);
      out[last] = originals == nullptr ? member : originals[member];
      out += kWidth;
    }
  }
  static constexpr auto kWriters = []<std::size_t... kWidth>(std::index_sequence<kWidth...>) {
    return std::array<Write, sizeof...(kWidth)>{&write<kWidth>...};
  }
  (std::make_index_sequence<kMaxPatternVertices + 1>());

  const PatternPlan& plan_;
  const std::uint32_t* originals_;
  Index width_;
};

}  // namespace quarry
