/// A team: the threads that share one work item, its scratch memory and its barrier. Vocabulary of SYCL 2020 groups.
///
/// A team kernel must be right for a team of one: that is the host, where a vector unit takes the place of the lanes.
#pragma once
#include <concepts>
#include <cstdint>

#include "exec/view.hpp"

namespace quarry {

/// What a launch gives each team.
struct TeamShape {
  int threads = 1;          ///< lanes, as `Queue::lanes` says; 1 makes a team of each thread of a device
  Index scratch_bytes = 0;  ///< memory shared by the team, uninitialised, 64-byte aligned
  Index host_grain = 16;    ///< items that a host thread takes at a time
};

template <class T>
concept Team = requires(T team, Index value, bool flag) {
  { team.rank() } -> std::convertible_to<int>;
  { team.size() } -> std::convertible_to<int>;
  team.barrier();
  { team.sum(value) } -> std::convertible_to<Index>;  // of every lane's value, to every lane
  { team.min(value) } -> std::convertible_to<Index>;
  { team.any(flag) } -> std::convertible_to<bool>;
  { team.ballot(flag) } -> std::convertible_to<std::uint64_t>;  // bit r: flag of lane r
  { team.scan(value) } -> std::convertible_to<Index>;           // sum of the lanes before this one
  { team.scratch() } -> std::convertible_to<View<std::byte>>;
};

/// Lanes of a team whose type says how many; 0 where the launch does.
template <class AnyTeam>
inline constexpr int kLanesOf = 0;

/// The team of one: the host, or one thread of a device.
class HostTeam {
 public:
  QUARRY_HD explicit HostTeam(View<std::byte> scratch = {}) : scratch_(scratch) {}
  QUARRY_HD int rank() const { return 0; }
  QUARRY_HD int size() const { return 1; }
  QUARRY_HD void barrier() const {}
  QUARRY_HD Index sum(Index value) const { return value; }
  QUARRY_HD Index min(Index value) const { return value; }
  QUARRY_HD bool any(bool flag) const { return flag; }
  QUARRY_HD std::uint64_t ballot(bool flag) const { return flag ? 1 : 0; }
  QUARRY_HD Index scan(Index) const { return 0; }
  QUARRY_HD View<std::byte> scratch() const { return scratch_; }

 private:
  View<std::byte> scratch_;
};
static_assert(Team<HostTeam>);
template <>
inline constexpr int kLanesOf<HostTeam> = 1;

/// `body(i)` for every i in [0, n), the lanes taking turns.
template <class Body>
QUARRY_INLINE void team_for(Team auto& team, Index n, Body&& body) {
  for (Index i = team.rank(); i < n; i += team.size()) body(i);
}

/// Sum of `body(i)` over [0, n), to every lane.
template <class Body>
QUARRY_INLINE Index team_sum(Team auto& team, Index n, Body&& body) {
  Index sum = 0;
  for (Index i = team.rank(); i < n; i += team.size()) sum += body(i);
  return team.sum(sum);
}

}  // namespace quarry
