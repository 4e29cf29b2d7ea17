/// The story of a batch: pack, search, cluster, clip, chains, refine, then for each ligand the poses that are returned.
#include "dock/batch/dock_batch.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "dock/batch/batch_room.hpp"
#include "dock/batch/placement.hpp"
#include "dock/point.hpp"
#include "util/stopwatch.hpp"

namespace quarry::dock {
namespace {

/// Poses nearer than this, in angstrom, look alike.
constexpr double kSameCluster = 2;
/// How far an atom of a pose that is returned may be outside the box, in angstrom: its walls give way a little.
constexpr float kMostOutside = 0.5F;

/// The strain of a pose is its internal energy above the lowest of its ligand's poses. When poses are put in order, as much as
/// the first number in kcal/mol costs nothing, and what is beyond it so many times as much.
constexpr float kFreeStrain = 1.2F, kStrainCost = 3.1F;

/// A conformer of a row's ligand.
struct Entry {
  std::size_t row = 0;  ///< of the batch
  int restarts = 0, first_restart = 0;
  LigandMap map;
  Symmetries symmetries;
};

/// A pose that may be returned.
struct Chosen {
  const Entry* entry;
  const LigandView* ligand;
  const Candidate* pose;
  double inter;  ///< of its terms
};

/// Distance of the two heavy atoms that are farthest apart.
double length_of(const Ligand& ligand, const std::vector<Point>& positions) {
  std::vector<Point> heavy;
  for (int a = 0; a < ligand.num_atoms(); ++a)
    if (ligand.types[a] != AtomType::hydrogen) heavy.push_back(positions[a]);
  double longest = 0;
  for (std::size_t a = 0; a < heavy.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) longest = std::max(longest, squared_distance(heavy[a], heavy[b]));
  }
  return std::sqrt(longest);
}

/// How far the heavy atom that is farthest outside the box is outside it, along one axis; below 0 where all are inside.
float outside_of(const PocketView& pocket, const std::vector<float>& positions) {
  float most = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::size_t axis = i % 3;
    most = std::max({most, pocket.low[axis] - positions[i], positions[i] - pocket.high[axis]});
  }
  return most;
}

/// Why a ligand cannot be docked; empty if it can.
std::string objection(const Ligand& ligand, const PocketView& pocket) {
  const auto num_heavy =
      std::count_if(ligand.types.begin(), ligand.types.end(), [](AtomType type) { return type != AtomType::hydrogen; });
  if (num_heavy == 0) return "there is no heavy atom";
  if (num_heavy > kMaxLigandAtoms) return fmt::format("{} heavy atoms are more than {}", num_heavy, kMaxLigandAtoms);
  if (ligand.num_torsions() > kMaxTorsions)
    return fmt::format("{} torsions are more than {}", ligand.num_torsions(), kMaxTorsions);
  if (ligand.conformers.empty()) return "there are no coordinates";
  double diagonal = 0;
  for (int axis = 0; axis < 3; ++axis) diagonal = std::hypot(diagonal, pocket.high[axis] - pocket.low[axis]);
  for (const auto& positions : ligand.conformers) {
    for (const Point& p : positions) {
      if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
        return "a coordinate is not a finite number";
    }
    const double length = length_of(ligand, positions);
    if (length > diagonal) {
      return fmt::format("the ligand is {:.1f} A long and the box {:.1f} A from corner to corner: enlarge the box",
                         length, diagonal);
    }
  }
  return {};
}

/// Of the packed atoms.
Symmetries packed_symmetries(const Ligand& ligand, const LigandMap& map) {
  std::vector<std::uint16_t> packed_atom(ligand.num_atoms());
  for (std::size_t a = 0; a < map.heavy_atoms.size(); ++a)
    packed_atom[map.heavy_atoms[a]] = static_cast<std::uint16_t>(a);
  Symmetries symmetries(ligand.symmetries.size());
  for (std::size_t i = 0; i < symmetries.size(); ++i)
    for (const int atom : map.heavy_atoms) symmetries[i].push_back(packed_atom[ligand.symmetries[i][atom]]);
  return symmetries;
}

/// Pairs of a heavy atom and a receptor atom nearer than three quarters of the sum of their radii.
Index count_bumps(const PocketView& pocket, const Ligand& ligand, const std::vector<Point>& positions) {
  constexpr double kNear = 0.75;
  const SurroundingsView& near = pocket.surroundings;
  Index bumps = 0;
  for (int a = 0; a < ligand.num_atoms(); ++a) {
    if (ligand.types[a] == AtomType::hydrogen) continue;
    const double place[3] = {positions[a].x, positions[a].y, positions[a].z};
    Index cube = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double steps = (place[axis] - near.origin[axis]) / near.edge;
      cube = cube * near.size[axis] + static_cast<Index>(std::clamp(steps, 0.0, near.size[axis] - 1.0));
    }
    const double radius = pocket.traits[static_cast<int>(ligand.types[a])].radius;
    for (Index i = near.offsets[cube]; i < near.offsets[cube + 1]; ++i) {
      const double x = place[0] - near.x[i], y = place[1] - near.y[i], z = place[2] - near.z[i];
      const double limit = kNear * (radius + near.radius[i]);
      bumps += x * x + y * y + z * z < limit * limit ? 1 : 0;
    }
  }
  return bumps;
}

/// The internal energy of a pose, in double precision.
double intra_of(const Parameters& parameters, const Ligand& ligand, const std::vector<Point>& positions) {
  std::vector<ScoredAtom> atoms;
  for (int a = 0; a < ligand.num_atoms(); ++a) atoms.push_back({positions[a], ligand.types[a]});
  Queue host;
  Score score;
  score_atoms(host, parameters, Receptor{}, atoms, ligand.flexible_pairs, score);
  return score.intra;
}

/// By score plus the cost of strain. Of what a search by inter + intra found, inter alone tells native poses better, but lets
/// ligands that do not fit bend as they like.
void sort_best_first(std::vector<Chosen>& poses) {
  float relaxed = std::numeric_limits<float>::infinity();
  for (const Chosen& chosen : poses) relaxed = std::min(relaxed, chosen.pose->intra);
  std::ranges::stable_sort(poses, {}, [&](const Chosen& chosen) {
    return chosen.inter + kStrainCost * std::max(0.0F, chosen.pose->intra - relaxed - kFreeStrain);
  });
}

class Batch {
 public:
  Batch(SearchWorker& worker, const DockContext& context, Form form, std::span<const LigandRow* const> rows,
        DockSeconds& seconds)
      : worker_(worker), context_(context), form_(form), rows_(rows), seconds_(seconds), results_(rows.size()) {}

  std::vector<Result> run() {
    for (std::size_t r = 0; r < rows_.size(); ++r) admit(r);
    if (!entries_.empty()) find();
    views_.reserve(entries_.size());
    for (Index e = 0; e < std::ssize(entries_); ++e) views_.push_back(ligand_of(packed_.view(), e));
    std::mutex mutex;
    worker_.for_each_ligand(std::ssize(rows_), [&](Index r) {
      const DockSeconds own = finish(r);
      const std::lock_guard lock(mutex);
      seconds_ += own;
    });
    return std::move(results_);
  }

 private:
  /// Packs the conformers of a row, or rejects it.
  void admit(std::size_t r) {
    const LigandRow& row = *rows_[r];
    Result& result = results_[r];
    result.row = row.row;
    result.stage = row.stage;
    result.reason = row.reason;
    if (row.ok()) {
      result.reason = objection(row.ligand, context_.pocket.view());
      if (!result.reason.empty()) result.stage = "dock";
    }
    if (!result.stage.empty()) {
      result.status = Status::rejected;
      return;
    }
    const SearchOptions& search = context_.options.search;
    const Index conformers = std::ssize(row.ligand.conformers);
    Index budget = search.pose_budget.value_or(search.restarts * conformers);
    if (budget < search.restarts * conformers) result.status = Status::truncated;
    for (Index c = 0; c < conformers; ++c) {  // the budget is shared out evenly
      const Index own = std::min<Index>(search.restarts, (budget + conformers - c - 1) / (conformers - c));
      budget -= own;
      if (own == 0) continue;
      Entry entry{r, static_cast<int>(own), static_cast<int>(c) * search.restarts, {}, {}};
      entry.map = pack(row.ligand, row.ligand.conformers[c], packed_);
      entry.symmetries = packed_symmetries(row.ligand, entry.map);
      entries_.push_back(std::move(entry));
    }
  }

  /// Fills poses_.
  void find() {
    const SearchOptions& options = context_.options.search;
    Stopwatch watch;
    BatchSearch search(worker_, packed_, form_, most_poses(options));
    int restarts = 0;
    for (const Entry& entry : entries_) restarts = std::max(restarts, entry.restarts);
    poses_ = search.search(options, restarts);
    seconds_.dock += watch.lap();
    worker_.for_each_ligand(std::ssize(entries_), [&](Index e) {
      poses_[e].resize(entries_[e].restarts);
      cluster(poses_[e], kSameCluster);
      clip(poses_[e], options.max_poses);
    });
    seconds_.filter += watch.lap();
    search.minimise(poses_, kKeptRounds);
    seconds_.dock += watch.lap();
    worker_.for_each_ligand(std::ssize(poses_),
                            [&](Index e) { cluster(poses_[e], options.min_rmsd, entries_[e].symmetries); });
    if (options.chains > 0) {
      PosesOfLigands starts = poses_;
      for (auto& own : starts) clip(own, options.chains);
      seconds_.filter += watch.lap();
      const PosesOfLigands chains = search.run_chains(starts, options);
      seconds_.dock += watch.lap();
      worker_.for_each_ligand(std::ssize(poses_), [&](Index e) {
        poses_[e].insert(poses_[e].end(), chains[e].begin(), chains[e].end());
        cluster(poses_[e], options.min_rmsd, entries_[e].symmetries);
      });
    }
    const int refined = std::max(options.num_poses, std::clamp(options.max_poses / 4, 16, 32));
    for (auto& own : poses_) clip(own, refined);
    seconds_.filter += watch.lap();
    search.refine(poses_, options.chains > 0 ? kRefineRoundsAfterChains : kRefineRounds);
    seconds_.refine += watch.lap();
  }

  /// The poses that are returned: in the box, best first, and unlike each other. Atoms of all conformers are packed in one
  /// order. @param outside  out, of the pose with the lowest energy
  std::vector<Chosen> choose(std::size_t r, float& outside) const {
    const Parameters& parameters = context_.pocket.view().parameters;
    std::vector<Chosen> found;
    float lowest = std::numeric_limits<float>::infinity();
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      if (entries_[e].row != r) continue;
      for (const Candidate& pose : poses_[e]) {
        if (!std::isfinite(pose.energy())) continue;
        const float own = outside_of(context_.pocket.view(), pose.positions);
        if (own <= kMostOutside)
          found.push_back({&entries_[e], &views_[e], &pose, weighted_sum(parameters, pose.terms)});
        if (pose.energy() >= lowest) continue;
        lowest = pose.energy();
        outside = own;
      }
    }
    sort_best_first(found);
    std::vector<Chosen> chosen;
    const SearchOptions& options = context_.options.search;
    for (const Chosen& own : found) {
      if (std::ssize(chosen) == options.num_poses) break;
      const bool is_new = std::none_of(chosen.begin(), chosen.end(), [&](const Chosen& other) {
        return are_near(*own.pose, *other.pose, own.entry->symmetries, options.min_rmsd);
      });
      if (is_new) chosen.push_back(own);
    }
    return chosen;
  }

  DockSeconds finish(std::size_t r) {
    DockSeconds seconds;
    Result& result = results_[r];
    if (result.status == Status::rejected) return seconds;
    const Ligand& ligand = rows_[r]->ligand;
    const Options& options = context_.options;
    const Parameters& parameters = context_.pocket.view().parameters;
    const double weight = options.torsion_weight.value_or(torsion_weight(options.scoring));
    Stopwatch watch;
    float outside = 0;
    const std::vector<Chosen> chosen = choose(r, outside);
    seconds.filter = watch.lap();
    for (const Chosen& found : chosen) {
      Pose& pose = result.poses.emplace_back();
      pose.positions = place_atoms(*found.ligand, found.entry->map, found.pose->variables);
      pose.score.terms = found.pose->terms;
      pose.score.inter = found.inter;
      pose.score.intra = intra_of(parameters, ligand, pose.positions);
      pose.score.score = pose.score.inter / (1 + weight * ligand.num_torsions_weighted);
      const auto head = std::ranges::find_if(chosen, [&](const Chosen& other) {
        return &other == &found || are_near(*found.pose, *other.pose, found.entry->symmetries, kSameCluster);
      });
      pose.cluster = static_cast<int>(head - chosen.begin());
      pose.bumps = count_bumps(context_.pocket.view(), ligand, pose.positions);
      pose.restart = found.entry->first_restart + found.pose->restart;
    }
    seconds.score = watch.lap();
    if (result.poses.empty()) {
      result.status = Status::rejected;
      result.stage = "dock";
      result.reason =
          outside > kMostOutside
              ? fmt::format("no pose fits in the box, the best one reaches {:.1f} A beyond it: enlarge the box",
                            outside)
              : "no pose has a finite energy";
      return seconds;
    }
    const ConformerChecks checks(ligand, ligand.conformers[0]);
    for (Pose& pose : result.poses) pose.checks = context_.checker.check(checks, pose.positions);
    seconds.check = watch.lap();
    return seconds;
  }

  SearchWorker& worker_;
  const DockContext& context_;
  Form form_;
  std::span<const LigandRow* const> rows_;
  DockSeconds& seconds_;
  std::vector<Result> results_;
  PackedLigands packed_;
  std::vector<Entry> entries_;
  std::vector<LigandView> views_;
  PosesOfLigands poses_;
};

/// Processor time of a worker, whose queue several threads of the host may work for.
double seconds_of(const SearchWorker& worker) {
  if (worker.queue.threads() == 1) return processor_seconds() + worker.helper_seconds;
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

std::vector<Result> dock_batch(SearchWorker& worker, const DockContext& context, Form form,
                               std::span<const LigandRow* const> rows, DockSeconds& seconds) {
  const double start = seconds_of(worker);
  std::vector<Result> results = Batch(worker, context, form, rows, seconds).run();
  const double share = (seconds_of(worker) - start) / static_cast<double>(std::max<std::size_t>(1, rows.size()));
  for (Result& result : results) result.cpu_seconds = share;
  return results;
}

}  // namespace quarry::dock
