/// Kinds of edges, by the labels of an edge and of its ends: those that some pattern can use.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "quarry/graph_pattern.hpp"

namespace quarry {

struct EdgeKind {
  std::uint32_t from_label = 0, to_label = 0, label = 0;
  bool operator==(const EdgeKind&) const = default;
};

/// A set of kinds, in either direction. For one thread.
class EdgeKinds {
 public:
  bool has_all() const { return std::ranges::find(wanted_, kAnyKind) != wanted_.end(); }
  /// @param kind  kAnyLabel is any label
  void add(const EdgeKind& kind) {
    wanted_.push_back(kind);
    wanted_.push_back({kind.to_label, kind.from_label, kind.label});
    memo_.assign(kMemo, {});
  }
  static EdgeKinds all() {
    EdgeKinds kinds;
    kinds.add(kAnyKind);
    return kinds;
  }

  /// Which edges between vertices of two labels are in the set.
  enum class Between : std::uint8_t { unknown, none, some, all };

  /// Never `unknown`.
  Between between(std::uint32_t from_label, std::uint32_t to_label) const {
    return wanted_.empty() ? Between::none : find_between(from_label, to_label);
  }
  bool has(const EdgeKind& kind) const {
    const Between found = between(kind.from_label, kind.to_label);
    return found == Between::all || (found == Between::some && any_has(kind));
  }

 private:
  static constexpr EdgeKind kAnyKind{kAnyLabel, kAnyLabel, kAnyLabel};
  struct Memo {
    std::uint32_t from_label = 0, to_label = 0;
    Between found = Between::unknown;
  };
  static constexpr std::size_t kMemo = 2048;

  static bool may_be(std::uint32_t wanted, std::uint32_t label) { return wanted == kAnyLabel || wanted == label; }
  bool any_has(const EdgeKind& edge) const {
    return std::ranges::any_of(wanted_, [&](const EdgeKind& kind) {
      return may_be(kind.from_label, edge.from_label) && may_be(kind.to_label, edge.to_label) &&
             may_be(kind.label, edge.label);
    });
  }
  Between find_between(std::uint32_t from_label, std::uint32_t to_label) const {
    Memo& memo = memo_[(from_label * 61 + to_label) % kMemo];
    if (memo.found != Between::unknown && memo.from_label == from_label && memo.to_label == to_label) return memo.found;
    memo = {from_label, to_label, Between::none};
    for (const EdgeKind& kind : wanted_) {
      if (!may_be(kind.from_label, from_label) || !may_be(kind.to_label, to_label)) continue;
      memo.found = std::max(memo.found, kind.label == kAnyLabel ? Between::all : Between::some);
    }
    return memo.found;
  }

  std::vector<EdgeKind> wanted_;
  mutable std::vector<Memo> memo_;  ///< what was found last
};

}  // namespace quarry
