/// Docking: where ligands fit in a pocket of a receptor, and how well.
///
/// Lengths are in angstrom, energies in kcal/mol. Sources: the search is LiGen's (Crisci et al., Future Gener. Comput.
/// Syst. 2024); scoring functions are Vina (Trott, Olson, J. Comput. Chem. 2010, 31, 455) and Vinardo (Quiroga, Villarreal,
/// PLoS ONE 2016, 11, e0155183); checks of poses use the limits of PoseBusters (Buttenschoen, Morris, Deane, Chem. Sci. 2024).
/// docs/engines/dock.md says where this differs.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "quarry/ligand.hpp"
#include "quarry/receptor.hpp"
#include "quarry/run.hpp"

#pragma GCC visibility push(default)
namespace quarry::dock {

/// Where poses may be: a box with edges along the axes.
struct Box {
  Point center, size;
  bool operator==(const Box&) const = default;
};

/// The box around points, `pad` wider on every side. @throws InputError  there are no points
[[nodiscard]] Box box_around(std::span<const Point> points, double pad = 8);
/// Reads `{"center": [x, y, z], "size": [x, y, z]}`; other keys are ignored. @throws InputError
[[nodiscard]] Box read_box(const std::string& path);

/// Distance between the points of the maps that poses are searched with.
inline constexpr double kGridSpacing = 0.375;
/// That of this box: wider than `kGridSpacing` where the box would have more than 8 million cells.
[[nodiscard]] double grid_spacing(const Box& box);

/// A cavity of a receptor.
struct Pocket {
  Point center;
  double volume = 0;  ///< cubic angstrom
  Box box;            ///< around the cavity, 8 wider on every side
};
/// The largest cavities, largest first. Source: the method of LIGSITE (Hendlich, Rippmann, Barnickel, J. Mol. Graph. Model.
/// 1997, 15, 359): points of a grid outside the protein that it encloses along most of seven directions.
[[nodiscard]] std::vector<Pocket> find_pockets(const Receptor& receptor, int num_pockets);

enum class Scoring : std::uint8_t { vina, vinardo };

/// Sums of the terms over pairs of atoms, before weights.
struct Terms {
  double gauss1 = 0, gauss2 = 0;  ///< Vinardo has only the first
  double repulsion = 0;
  double hydrophobic = 0;
  double hydrogen_bond = 0;
  bool operator==(const Terms&) const = default;
};

/// What a pose is worth.
struct Score {
  double score = 0;  ///< inter / (1 + w N_tors): an affinity, the lower the better
  double inter = 0;  ///< between receptor and ligand
  double intra = 0;  ///< within the ligand
  Terms terms = {};  ///< of `inter`
};

/// Weight w of the torsions in the score.
[[nodiscard]] double torsion_weight(Scoring scoring);

/// What is wrong with a pose, by the limits of PoseBusters.
struct PoseChecks {
  double min_distance = 1;      ///< least distance to a receptor atom, over the sum of van der Waals radii (to a metal:
                                ///< of covalent radii); 1 where none is nearer
  double overlap = 0;           ///< part of the ligand's volume that the receptor takes, radii scaled by 0.8
  bool internal_clash = false;  ///< two atoms nearer than 0.7 of the lower bound of their distance
  bool strained = false;        ///< a bond or angle off by more than 25 %, or a flat ring that is not
  bool too_far = false;         ///< no atom is within 5 A of one of the receptor
  bool valid = true;            ///< nothing of it
};

/// A place for a ligand.
struct Pose {
  std::vector<Point> positions;  ///< [num_atoms], hydrogens included, in order of the ligand's atoms
  Score score = {};
  int cluster = 0;    ///< of the ligand's poses, the first that is within 2 A of this one; itself where none before is
  Index bumps = 0;    ///< pairs of a ligand and a receptor atom that are too near
  Index restart = 0;  ///< the pose comes from (seed, restart)
  PoseChecks checks = {};
};

/// How thorough a search is: sets what SearchOptions holds.
enum class Effort : std::uint8_t { screen, standard, thorough };

struct SearchOptions {
  int restarts = 256;     ///< initial poses
  int iterations = 1;     ///< rounds over the fragments of each initial pose
  int max_poses = 64;     ///< kept for scoring and refinement
  int chains = 32;        ///< Monte Carlo chains, begun from the best kept poses; 0: none
  int chain_steps = 100;  ///< of each chain
  int num_poses = 9;      ///< returned for each ligand
  double min_rmsd = 1;    ///< between returned poses, heavy atoms
  std::uint64_t seed = 1;
  std::optional<Index> pose_budget =
      {};  ///< most initial poses of a ligand, over all its conformers; the result says if it bound
};
[[nodiscard]] SearchOptions search_options(Effort effort);

/// How ligands are dealt out; every form gives the same poses. latency: one ligand at a time on each queue, its poses over
/// the whole device, or over all threads of the host. batch: many ligands on a device together, or one for each thread of
/// the host. automatic: batch, but latency where ligands are fewer than threads, or on a device fewer than 24 are alike.
enum class Form : std::uint8_t { automatic, latency, batch };

struct Options : RunOptions {  ///< The progress counts ligands.
  Scoring scoring = Scoring::vina;
  std::optional<double> torsion_weight = {};  ///< unset: that of the scoring function's paper
  SearchOptions search = {};
  Form form = Form::automatic;
};

enum class Status : std::uint8_t { ok, truncated, rejected };

/// What became of a row.
struct Result {
  Index row = 0;
  Status status = Status::ok;
  std::string stage, reason;  ///< of a rejected row
  /// By inter plus the cost of strain: 3.1 for each kcal/mol of intra beyond 1.2 above the lowest of all poses.
  std::vector<Pose> poses;
  double cpu_seconds = 0;  ///< processor time of docking, refinement and checks
};

struct Statistics : RunStatistics {
  Report report;
  Index truncated = 0;
  Index poses = 0;                         ///< returned
  Index latency_rows = 0, batch_rows = 0;  ///< rows by form
  Index batches = 0;                       ///< of rows that were docked together
  double grid_seconds = 0;                 ///< elapsed, of making the maps of the pocket
  /// Elapsed in each thread that docks, summed over them; in the form `latency` that is one. `filter` is clustering, and what
  /// is kept of the poses.
  double dock_seconds = 0, filter_seconds = 0, score_seconds = 0, refine_seconds = 0, check_seconds = 0;
  double cpu_seconds = 0;  ///< processor time of all results
};

/// Whether a box is one, and in the receptor. @throws InputError  says what is wrong, and how far off it is
void check_box(const Receptor& receptor, const Box& box);

/// Docks ligands in one pocket. The maps of the pocket are made once. Docking is thread-safe.
class Docker {
 public:
  /// @throws InputError     no receptor atom is near the box (says how far off it is), or an option is out of range
  /// @throws CapacityError  the maps of the box exceed the memory
  Docker(const Receptor& receptor, const Box& box, const Options& options = {});
  Docker(Docker&&) noexcept;
  Docker& operator=(Docker&&) noexcept;
  ~Docker();

  /// Docks all that `next` returns, until it returns nothing; `sink` receives a result for every row, in order, with the
  /// row it belongs to, from one thread at a time.
  Statistics run(const std::function<std::vector<LigandRow>()>& next,
                 const std::function<void(const LigandRow&, const Result&)>& sink) const;
  /// Docks one ligand.
  [[nodiscard]] Result dock(const Ligand& ligand) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The score of a pose as it is, by sums over atoms, in double precision. @throws InputError  the pose has another
/// number of atoms than the ligand
[[nodiscard]] Score score_pose(const Receptor& receptor, const Ligand& ligand, std::span<const Point> positions,
                               Scoring scoring = Scoring::vina, std::optional<double> torsion_weight = {});

/// The nearest local minimum of inter + intra over position, orientation and torsions, by sums over atoms.
[[nodiscard]] Pose minimize_pose(const Receptor& receptor, const Ligand& ligand, std::span<const Point> positions,
                                 Scoring scoring = Scoring::vina, std::optional<double> torsion_weight = {});

/// How poses are scored where they are.
struct ScoreOptions {
  Scoring scoring = Scoring::vina;
  std::optional<double> torsion_weight = {};  ///< as Options
  bool minimize = false;                      ///< first move each pose to the nearest local minimum
  int threads = 0;                            ///< 0: all cores
  Progress progress = {};                     ///< counts poses
};

/// Scores, checks and counts the bumps of the first conformer of every row that `next` returns, until it returns nothing.
/// `sink` receives a result with one pose, or a rejected one, for every row, in order, from one thread at a time.
Statistics score(const Receptor& receptor, const std::function<std::vector<LigandRow>()>& next,
                 const std::function<void(const LigandRow&, const Result&)>& sink, const ScoreOptions& options = {});

/// Pairs of a heavy atom of the ligand and a receptor atom that are nearer than three quarters of the sum of their radii.
[[nodiscard]] Index count_bumps(const Receptor& receptor, const Ligand& ligand, std::span<const Point> positions,
                                Scoring scoring = Scoring::vina);

/// Checks a pose as it is. @throws InputError  the pose has another number of atoms than the ligand, or is not finite
[[nodiscard]] PoseChecks check_pose(const Receptor& receptor, const Ligand& ligand, std::span<const Point> positions);

/// Least root mean square distance of heavy atoms over the maps, without alignment.
/// @param references  as reference_positions
[[nodiscard]] double symmetric_rmsd(const Ligand& ligand, std::span<const Point> positions,
                                    std::span<const std::vector<Point>> references);

/// How well scores tell actives from decoys.
struct Enrichment {
  Index actives = 0, decoys = 0;
  double auc = 0;                              ///< area under the ROC curve; ties count one half
  double ef1 = 0, ef5 = 0, ef10 = 0;           ///< enrichment factors at 1, 5 and 10 % of the ranked list
  double bedroc20 = 0;                         ///< Truchon, Bayly, J. Chem. Inf. Model. 2007, 47, 488; alpha 20
  std::vector<std::pair<double, double>> roc;  ///< (false, true positive rate), from (0, 0) to (1, 1)
};
/// @param scores  the lower the better; a NaN, for a molecule without a score, is the worst
/// @param active  [scores.size()]
/// @throws InputError  there is no active or no decoy
[[nodiscard]] Enrichment enrichment(std::span<const double> scores, const std::vector<bool>& active);

/// A record of an SDF file: the ligand's own, bond orders, hydrogens, order of atoms and data items included, with other
/// coordinates.
/// @param positions  [num_atoms]
/// @param items      data items to add, (name, value); they replace items of the same names
/// @throws InputError  the ligand has another number of atoms
[[nodiscard]] std::string to_sdf(const Ligand& ligand, std::span<const Point> positions,
                                 const std::vector<std::pair<std::string, std::string>>& items = {});

/// A flexible molecule of a PDBQT file: ROOT, a BRANCH for each torsion, TORSDOF. Hydrogens on carbon are left out, and
/// charges are 0, for Vina uses neither.
/// @throws InputError  as to_sdf
[[nodiscard]] std::string to_pdbqt(const Ligand& ligand, std::span<const Point> positions);

}  // namespace quarry::dock
#pragma GCC visibility pop
