/// Comparing one row with a tile of columns, as kernels.
///
///   Shared  sums the bitmaps of the row's features and adds the entries of its lists: shared features per column
///   Fill    similarities from that
///   Select  the columns that share enough
///
/// Compiled once per vector target, hence the guard that toggles.
#if defined(QUARRY_SIMILAR_KERNELS) == defined(HWY_TARGET_TOGGLE)
#ifdef QUARRY_SIMILAR_KERNELS
#undef QUARRY_SIMILAR_KERNELS
#else
#define QUARRY_SIMILAR_KERNELS
#endif

#include "exec/row_ops.hpp"
#include "exec/team.hpp"
#include "similar/comparison.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::similar {
namespace QUARRY_TARGET {

using namespace ::quarry::QUARRY_TARGET;  // row_ops

/// What a row shares with the columns of a tile, in the team's scratch memory.
class Shared {
 public:
  QUARRY_HD Shared(const Comparison& job, View<std::byte> scratch)
      : job_(job), bitmaps_(reinterpret_cast<const std::uint64_t**>(scratch.data())) {
    counts_ = reinterpret_cast<std::uint16_t*>(bitmaps_ + job.max_row_bitmaps());
    needed_ = counts_ + job.tile.columns();
  }
  QUARRY_HD const std::uint16_t* counts() const { return counts_; }
  QUARRY_HD std::uint16_t* needed() const { return needed_; }

  template <class AnyTeam>
  QUARRY_HD void count(AnyTeam& team, Index row) const {
    const Index num_bitmaps = gather_bitmaps(team, row);
    team.barrier();
    team_for(team, job_.tile.words() / kSumWords, [&](Index piece) {
      sum_bits(bitmaps_, num_bitmaps, job_.tile.first_word + piece * kSumWords, counts_ + piece * 64 * kSumWords);
    });
    team.barrier();
    add_lists(team, row);
  }

 private:
  /// The bitmaps of the row's features, filled up to a multiple of eight with the empty one.
  template <class AnyTeam>
  QUARRY_HD Index gather_bitmaps(AnyTeam& team, Index row) const {
    Index count = 0;
    for (Index i = job_.rows.offsets[row]; i < job_.rows.offsets[row + 1]; ++i) {
      const std::uint32_t place = job_.places[job_.rows.features[i]];
      if (place >= job_.columns.num_bitmaps) continue;  // a list, or nowhere
      if (team.rank() == 0) bitmaps_[count] = job_.columns.bitmap(place).data();
      ++count;
    }
    for (; count % 8 != 0; ++count) {
      if (team.rank() == 0) bitmaps_[count] = job_.columns.bitmap(job_.columns.num_bitmaps).data();
    }
    return count;
  }

  /// One list after the other: the columns of one list differ, so that no two lanes meet.
  template <class AnyTeam>
  QUARRY_HD void add_lists(AnyTeam& team, Index row) const {
    const BlockView& columns = job_.columns;
    for (Index i = job_.rows.offsets[row]; i < job_.rows.offsets[row + 1]; ++i) {
      const std::uint32_t place = job_.places[job_.rows.features[i]];
      if (place < columns.num_bitmaps || place == kNowhere) continue;
      const Index list = place - columns.num_bitmaps;
      const Index begin = columns.list_offsets[list], size = columns.list_offsets[list + 1] - begin;
      team_for(team, size, [&](Index entry) {
        const Index column = columns.entries[begin + entry] - job_.tile.first_column();
        if (column >= 0 && column < job_.tile.columns()) ++counts_[column];
      });
      team.barrier();
    }
  }

  const Comparison& job_;
  const std::uint64_t** bitmaps_;
  std::uint16_t* counts_;
  std::uint16_t* needed_;
};

/// Similarities of one row with the columns of the tile, which stand in order of input.
struct Fill {
  Comparison job;
  Index first_row = 0;
  View<float> values;  ///< [rows][stride], the block's first column first
  Index stride = 0;

  template <class AnyTeam>
  QUARRY_HD void operator()(AnyTeam& team, Index item) const {
    const Shared shared(job, team.scratch());
    const Index row = first_row + item;
    shared.count(team, row);
    const Index first = job.tile.first_column(), last = job.tile.last_column(job.columns);
    team_for(team, job.tile.words() / kPieceWords, [&](Index piece) {
      const Index offset = piece * kPieceColumns, left = last - first - offset;
      tanimoto(shared.counts() + offset, job.columns.magnitudes.data() + first + offset, job.rows.magnitudes[row],
               left < kPieceColumns ? left : kPieceColumns, values.data() + item * stride + first + offset);
    });
    team.barrier();
  }
};

/// Appends to each row's candidates the columns of the tile that share enough features with it.
struct Select {
  Comparison job;
  Index first_row = 0;
  View<const Floor> floors;            ///< [items]
  View<Candidate> candidates;          ///< [items][columns of the block]
  View<std::uint32_t> num_candidates;  ///< [items]

  template <class AnyTeam>
  QUARRY_HD void operator()(AnyTeam& team, Index item) const {
    const Index row = first_row + item;
    const Shared shared(job, team.scratch());
    if (!fill_needed(team, item, shared.needed())) return;
    shared.count(team, row);
    Index found = num_candidates[item];
    Candidate* const out = candidates.data() + item * job.columns.num_molecules;
    for (Index first = 0; first < job.tile.words(); first += team.size()) {
      const Index word = first + team.rank();
      std::uint64_t mask = 0;
      if (word < job.tile.words()) mask = at_least(shared.counts() + 64 * word, shared.needed() + 64 * word);
      const Index count = count_bits(mask);
      Index next = found + team.scan(count);
      for (; mask != 0; mask &= mask - 1) {
        const Index column = 64 * word + lowest_bit(mask);
        out[next++] = {static_cast<std::uint16_t>(job.tile.first_column() + column), shared.counts()[column]};
      }
      found += team.sum(count);
    }
    if (team.rank() == 0) num_candidates[item] = static_cast<std::uint32_t>(found);
    team.barrier();
  }

 private:
  /// What each column of the tile must share. @return false where none can
  template <class AnyTeam>
  QUARRY_HD bool fill_needed(AnyTeam& team, Index item, std::uint16_t* needed) const {
    const Index begin = job.tile.first_column(), end = job.tile.last_column(job.columns);
    const Index magnitude = job.rows.magnitudes[first_row + item];
    bool possible = false;
    for (Index i = 0; i < job.columns.runs.size(); ++i) {
      const Run run = job.columns.runs[i];
      const Index first = run.first > begin ? run.first : begin;
      Index last = i + 1 < job.columns.runs.size() ? job.columns.runs[i + 1].first : end;
      if (last > end) last = end;
      if (first >= last) continue;
      const Index need = needed_features(floors[item], magnitude, run.magnitude);
      const bool some = need <= magnitude && need <= run.magnitude;
      possible = possible || some;
      team_for(team, last - first, [&](Index column) {
        needed[first - begin + column] = some ? static_cast<std::uint16_t>(need) : kTooMuch;
      });
    }
    team_for(team, job.tile.columns() - (end - begin), [&](Index column) { needed[end - begin + column] = kTooMuch; });
    team.barrier();
    return possible;
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::similar
QUARRY_AFTER_TARGET();

#endif
