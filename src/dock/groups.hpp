/// How poses are dealt out to teams.
#pragma once
#include <algorithm>

#include "dock/search.hpp"
#include "exec/queue.hpp"

namespace quarry::dock {

/// Most poses that a thread of the host has in vectors.
inline constexpr Index kHostLanes = 16;

/// How the poses of a job are dealt out.
struct Groups {
  Index per_ligand = 1;  ///< groups of up to `width` poses
  Index per_team = 1;    ///< that a team takes one after the other, in the same memory
  Index num_teams = 1;
};
inline Groups groups_of(const Queue& queue, const PoseJob& job, Index width) {
  const Index per_ligand = (job.poses.per_ligand + width - 1) / width, all = job.num_ligands * per_ligand;
  // A thread's memory stays in its caches.
  const bool one_thread = queue.on_host() && queue.threads() == 1;
  const Index per_team = one_thread ? all : job.ligand_per_team ? per_ligand : 1;
  return {per_ligand, per_team, (all + per_team - 1) / per_team};
}

/// The same where the lanes of a team share their poses. @param width  poses that a lane has at once
inline Groups shared_groups_of(const Queue& queue, const PoseJob& job, Index width) {
  constexpr Index kTeams = 512;  // PERF: an H100 has 3,000 at work, of eight queues; each takes memory
  Groups groups = groups_of(queue, job, width);
  if (queue.on_host() || job.ligand_per_team) return groups;
  const Index teams_a_ligand = std::clamp<Index>(kTeams / std::max<Index>(1, job.num_ligands), 1, groups.per_ligand);
  groups.per_team = (groups.per_ligand + teams_a_ligand - 1) / teams_a_ligand;
  groups.num_teams = job.num_ligands * teams_a_ligand;
  return groups;
}

}  // namespace quarry::dock
