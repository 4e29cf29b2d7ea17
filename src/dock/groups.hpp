/// How poses are dealt out to teams.
#pragma once
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

}  // namespace quarry::dock
