#include "bench/dock/dock_staged.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exec/simd/bits.hpp"

namespace quarry::bench {

DockStage::DockStage(const Complex& of, const dock::Box& box, const dock::Options& options, const DeviceId& device)
    : options_(options),
      pocket_(of.receptor, box, options.scoring, 0),
      checker_(of.receptor),
      worker_(device, options.threads),
      view_(pocket_.view()) {
  dock::add_views(shared_, view_);
  shared_.send(worker_.queue);
  worker_.queue.finish();
  worker_.pocket = &view_;
}

StagedDocking DockStage::run(const std::vector<LigandRow>& rows, dock::Form form) {
  StagedDocking done;
  std::vector<const LigandRow*> all;
  for (const LigandRow& row : rows) all.push_back(&row);
  const std::size_t at_once = form == dock::Form::latency ? 1 : all.size();
  dock::DockSeconds seconds;
  queue().forget_times();
  const Stopwatch watch;
  for (std::size_t first = 0; first < all.size(); first += at_once) {
    auto results =
        dock_batch(worker_, {pocket_, checker_, options_}, form, std::span(all).subspan(first, at_once), seconds);
    std::ranges::move(results, std::back_inserter(done.results));
  }
  done.seconds = watch.seconds();
  queue().finish();
  done.launches = queue().launch_times();
  for (const LaunchTime& launch : done.launches)
    if (launch.label.name == "search") done.search_seconds += launch.seconds;
  return done;
}

PaperSet paper_set(int atoms, int torsions, int distinct, int count) {
  PaperSet set{fmt::format("d_{}_{}", atoms, torsions), {}};
  const auto ligands = make_paper_set(atoms, torsions, distinct, 20240101 + 100 * atoms + torsions, 0);
  for (int i = 0; i < count; ++i) {
    LigandRow& row = set.rows.emplace_back();
    row.row = i;
    row.ligand = ligands[i % ligands.size()];
  }
  return set;
}

DockLoad dock_load(bool small) {
  std::vector<Complex> complexes = load_complexes("docking", 1);
  DockLoad load{complexes.empty() ? example_complex() : std::move(complexes.front()), {}, {}, 16, 2048, 64};
  load.box = load.where.box;
  load.box.size = {60, 60, 60};  // the longest of these ligands has 89 atoms in a row
  load.options.search = dock::search_options(dock::Effort::screen);
  if (small) {
    load.box.size = {20, 20, 20};
    load.options.search.restarts = 16;
    load.options.search.max_poses = 4;
    load.distinct = load.batch = load.latency = 2;
  }
  return load;
}

namespace {

/// Pairs of an atom in [first, last) and one in [begin, end).
double num_pairs(const dock::LigandView& ligand, int first, int last, int begin, int end) {
  Index count = 0;
  for (int a = first; a < last; ++a) {
    for (int word = begin / dock::kWordAtoms; word * dock::kWordAtoms < end; ++word)
      count += count_bits(ligand.partners_in(a, word, begin, end));
  }
  return static_cast<double>(count);
}

}  // namespace

DockCost search_cost(const std::vector<LigandRow>& rows, const dock::SearchOptions& options) {
  // Of kernels/fields-inl.hpp and pose-inl.hpp; a sine and cosine, a quaternion and a draw are left out.
  constexpr double kPlaceAtom = 18, kLookUp = 58, kFrame = 110, kPair = 16, kCellBytes = 16;
  const dock::SearchPlan plan;
  DockCost cost;
  for (const LigandRow& row : rows) {
    dock::PackedLigands packed;
    dock::pack(row.ligand, row.ligand.conformers.at(0), packed);
    const dock::LigandView ligand = dock::ligand_of(packed.view(), 0);
    const double atoms = ligand.num_atoms, all_atoms = kPlaceAtom + kLookUp;
    // The pose to begin with, its orientations, the best of them, and once more at the end.
    double operations = 3 * (atoms * all_atoms + kFrame * ligand.num_fragments), looked_up = 3 * atoms;
    operations +=
        plan.alignments * atoms * all_atoms + kPair * num_pairs(ligand, 0, ligand.num_atoms, 0, ligand.num_atoms) / 2;
    looked_up += plan.alignments * atoms;
    for (int f = 1; f < ligand.num_fragments; ++f) {
      const dock::PlanFragment& own = ligand.fragments[f];
      const double crossing =
          num_pairs(ligand, 0, own.first_atom, own.first_atom, own.last_subtree_atom) +
          num_pairs(ligand, own.first_atom, own.last_subtree_atom, own.last_subtree_atom, ligand.num_atoms);
      const double moved = own.last_subtree_atom - own.first_atom, turns = options.iterations * (plan.angles + 1);
      operations += turns * (moved * all_atoms + kFrame * (own.last_subtree_fragment - f));
      operations += options.iterations * plan.angles * crossing * kPair;
      looked_up += turns * moved;
    }
    cost.operations += options.restarts * operations;
    cost.bytes += options.restarts * looked_up * kCellBytes;
  }
  return cost;
}

void require_same(const std::vector<dock::Result>& expected, const std::vector<dock::Result>& found,
                  const std::string& what) {
  const auto is_same = [](const dock::Pose& one, const dock::Pose& other) {
    return one.score.score == other.score.score && one.positions == other.positions;
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::vector<dock::Pose>&host = expected[i % expected.size()].poses, &device = found[i].poses;
    if (std::ranges::equal(host, device, is_same)) continue;
    throw SystemError(
        fmt::format("{}: the poses of ligand {} are not those of the host ({} where it has {}, the best {} "
                    "where it has {}), so the time means nothing",
                    what, i, device.size(), host.size(), device.empty() ? 0 : device[0].score.score,
                    host.empty() ? 0 : host[0].score.score));
  }
}

}  // namespace quarry::bench
