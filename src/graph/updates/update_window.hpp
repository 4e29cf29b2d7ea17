/// The edges of a sliding window: each stays for a while after it was last seen.
#pragma once
#include <list>
#include <unordered_map>
#include <utility>

#include "graph/updates/update_format.hpp"
#include "quarry/graph_update.hpp"
#include "util/random.hpp"

namespace quarry {

class UpdateWindow {
 public:
  explicit UpdateWindow(double length) : length_(length) {}

  /// Takes one edge whose time is over at `now`: the one that was seen longest ago.
  /// @return false where there is none
  bool expire(TimeStamp now, GraphUpdate& deletion);
  /// An edge is seen; times never descend. @return was it absent? Else it only stays longer.
  bool see(const GraphUpdate& edge, TimeStamp now);

 private:
  struct Seen {
    std::uint64_t from = 0, to = 0;
    std::uint32_t label = 0;
    TimeStamp time = 0;
  };
  using Ends = std::pair<std::uint64_t, std::uint64_t>;  // the lower first
  struct Hash {
    std::size_t operator()(const Ends& ends) const { return mixed_bits(mixed_bits(ends.first) ^ ends.second); }
  };

  const TimeStamp length_;
  std::list<Seen> edges_;  // in the order in which they were last seen
  std::unordered_map<Ends, std::list<Seen>::iterator, Hash> places_;
};

}  // namespace quarry
