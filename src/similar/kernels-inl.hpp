/// Comparing one row with a tile of columns, as kernels.
///
///   Shared  counts the features that the row shares with each column: it adds up the row's lists, then the bitmaps of
///           its features, a piece of columns at a time
///   Fill    computes similarities from that
///   Select  keeps the columns that share enough
///   Gather  puts what Select kept for each row side by side
#include "exec/team.hpp"
#include "similar/comparison.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::similar {
namespace QUARRY_TARGET {

using namespace ::quarry::QUARRY_TARGET;  // row_ops, bit_counts, atomic

/// The number of features that a row shares with each column of a tile. Its arrays are in the team's scratch memory,
/// which has Comparison::scratch_bytes.
class Shared {
 public:
  QUARRY_HD Shared(const Comparison& job, View<std::byte> scratch)
      : job_(job), counters_(reinterpret_cast<std::uint64_t*>(scratch.data())) {
    planes_ = counters_ + kScratchCounters;
    bitmaps_ = reinterpret_cast<const std::uint64_t**>(planes_ + job.max_list_planes() * job.tile.words());
    lists_ = reinterpret_cast<std::uint32_t*>(bitmaps_ + job.max_row_bitmaps());
    needed_ = reinterpret_cast<std::uint16_t*>(lists_ + job.max_row_bitmaps());
  }
  QUARRY_HD std::uint16_t* needed() const { return needed_; }

  /// Finds the row's bitmaps and adds up its lists, as `count` needs it.
  QUARRY_HD void load(Team auto& team, Index row) {
    if (team.rank() == 0) counters_[0] = counters_[1] = 0;
    team.barrier();
    find_features(team, row);
    team.barrier();
    num_bitmaps_ = counters_[0];
    const Index num_lists = counters_[1];
    most_ = num_bitmaps_ + num_lists;
    if (has_products()) num_bitmaps_ = 0;
    for (; num_bitmaps_ % 8 != 0; ++num_bitmaps_) {
      if (team.rank() == 0) bitmaps_[num_bitmaps_] = job_.columns.bitmap(job_.columns.num_bitmaps).data();
    }
    begin_planes(team, row, has_products() ? most_ : num_lists);
    add_lists(team, num_lists);
  }

  /// Features shared with each column of a piece of the tile.
  QUARRY_INLINE void count(Index piece, BitCounts& counts) const {
    const Index word = piece * kCountWords;
    sum_bits(bitmaps_, num_bitmaps_, job_.tile.first_word + word, {planes_, job_.tile.words(), num_list_planes_}, word,
             planes_for(most_), counts);
  }

 private:
  /// The bitmaps and the lists of the row's features, in any order.
  QUARRY_HD void find_features(Team auto& team, Index row) const {
    const Index begin = job_.rows.offsets[row];
    team_for(team, job_.rows.offsets[row + 1] - begin, [&](Index i) {
      const std::uint32_t set = job_.feature_map[job_.rows.features[begin + i]];
      if (set == kNoSet) return;
      if (set < job_.columns.num_bitmaps) {
        bitmaps_[fetch_add(counters_[0], 1)] = job_.columns.bitmap(set).data();
      } else {
        lists_[fetch_add(counters_[1], 1)] = set - job_.columns.num_bitmaps;
      }
    });
  }

  QUARRY_HD bool has_products() const { return job_.products.size() > 0; }

  /// Sets the planes, which can count up to `most`: to the row's products where there are some, else to zero.
  QUARRY_HD void begin_planes(Team auto& team, Index row, Index most) {
    const Index words = job_.tile.words();
    num_list_planes_ = 0;
    while (most >> num_list_planes_ != 0) ++num_list_planes_;
    const Index first = (row - job_.first_product_row) * job_.tile.columns();
    team_for(team, num_list_planes_ * words, [&](Index i) {
      planes_[i] = has_products() ? plane_of(job_.products.data() + first + i % words * 64, i / words) : 0;
    });
    team.barrier();
  }

  /// Adds to the planes how many of the lists hold each column of the tile. An entry toggles a bit of the lowest plane;
  /// where it was set, the next plane is toggled too, and so on. Lanes may do so in any order.
  QUARRY_HD void add_lists(Team auto& team, Index num_lists) {
    const Index words = job_.tile.words();
    for (Index i = 0; i < num_lists; ++i) {
      const Index begin = job_.columns.list_offsets[lists_[i]], end = job_.columns.list_offsets[lists_[i] + 1];
      team_for(team, end - begin, [&](Index entry) {
        const Index column = job_.columns.entries[begin + entry] - job_.tile.first_column();
        if (column < 0 || column >= job_.tile.columns()) return;
        const std::uint64_t bit = std::uint64_t{1} << column % 64;
        std::uint64_t* word = planes_ + column / 64;
        while ((fetch_xor(*word, bit) & bit) != 0) word += words;
      });
    }
    team.barrier();
  }

  const Comparison& job_;
  std::uint64_t* counters_;        // bitmaps, lists
  std::uint64_t* planes_;          // [num_list_planes_][words of the tile]
  const std::uint64_t** bitmaps_;  // padded with the empty bitmap to a multiple of eight
  std::uint32_t* lists_;
  std::uint16_t* needed_;  // [runs of the tile]
  Index num_bitmaps_ = 0, most_ = 0;
  int num_list_planes_ = 0;
};

/// Similarities of one row with the columns of the tile, which are in order of input.
struct Fill {
  Comparison job;
  Index first_row = 0;
  View<float> values;  ///< [rows][stride], from the chunk's first column on
  Index stride = 0;

  QUARRY_HD void operator()(Team auto& team, Index item) const {
    Shared shared(job, team.scratch());
    const Index row = first_row + item;
    shared.load(team, row);
    const Index first = job.tile.first_column(), last = job.tile.last_column(job.columns);
    team_for(team, job.tile.words() / kCountWords, [&](Index piece) {
      const Index begin = first + piece * 64 * kCountWords;
      if (begin >= last) return;
      BitCounts counts;
      shared.count(piece, counts);
      alignas(64) std::uint16_t side_by_side[64 * kCountWords];
      write_counts(counts, side_by_side);
      tanimoto(side_by_side, job.columns.magnitudes.data() + begin, job.rows.magnitudes[row],
               last - begin < 64 * kCountWords ? last - begin : 64 * kCountWords,
               values.data() + item * stride + begin);
    });
    team.barrier();
  }
};

/// Appends to the candidates of each row, in any order, the columns of the tile that share enough features with it.
struct Select {
  Comparison job;
  Index first_row = 0;
  View<const MinSimilarity> min_similarities;  ///< [items]
  View<Candidate> candidates;                  ///< [items][columns of the chunk]
  View<Index> num_candidates;                  ///< [items]

  QUARRY_HD void operator()(Team auto& team, Index item) const {
    Shared shared(job, team.scratch());
    const Index first_run = run_of(job.tile.first_column());
    const Index last_run = run_of(job.tile.last_column(job.columns) - 1) + 1;
    if (!find_needed(team, item, first_run, last_run, shared.needed())) return;
    shared.load(team, first_row + item);
    team_for(team, job.tile.words() / kCountWords, [&](Index piece) { select_piece(shared, piece, first_run, item); });
    team.barrier();
  }

 private:
  /// The run that a column of the chunk is in.
  QUARRY_HD Index run_of(Index column) const {
    Index low = 0, high = job.columns.runs.size();
    while (high - low > 1) {
      const Index middle = low + (high - low) / 2;
      (job.columns.runs[middle].first <= column ? low : high) = middle;
    }
    return low;
  }
  QUARRY_HD Index run_end(Index run) const {
    return run + 1 < job.columns.runs.size() ? job.columns.runs[run + 1].first : job.columns.num_molecules;
  }

  /// How many features the columns of each run must share. @return false where no column can be kept
  QUARRY_HD bool find_needed(Team auto& team, Index item, Index first_run, Index last_run,
                             std::uint16_t* needed) const {
    const Index magnitude = job.rows.magnitudes[first_row + item];
    bool possible = false;
    team_for(team, last_run - first_run, [&](Index i) {
      const Index other = job.columns.runs[first_run + i].magnitude;
      const Index need = needed_features(min_similarities[item], magnitude, other);
      const bool some = need <= magnitude && need <= other;
      needed[i] = some ? need : kUnreachable;
      possible = possible || some;
    });
    return team.any(possible);
  }

  QUARRY_INLINE void select_piece(const Shared& shared, Index piece, Index first_run, Index item) const {
    const Index first_word = job.tile.first_word + piece * kCountWords, begin = 64 * first_word;
    const Index last = begin + 64 * kCountWords;
    const Index end = last < job.columns.num_molecules ? last : job.columns.num_molecules;
    bool counted = false;
    BitCounts counts;
    std::uint64_t mask[kCountWords];
    for (Index first = begin, run = run_of(begin); first < end; ++run) {
      const Index stop = run_end(run) < end ? run_end(run) : end;
      const Index need = shared.needed()[run - first_run];
      if (need != kUnreachable) {
        if (!counted) shared.count(piece, counts);
        counted = true;
        at_least(counts, need, mask);
        append(counts, mask, first_word, first, stop, item);
      }
      first = stop;
    }
  }

  /// Appends the columns in [first, stop), all of one run, whose bit is set in the mask.
  QUARRY_INLINE void append(const BitCounts& counts, const std::uint64_t* mask, Index first_word, Index first,
                            Index stop, Index item) const {
    for (Index word = first / 64; 64 * word < stop; ++word) {
      std::uint64_t bits = mask[word - first_word];
      if (64 * word < first) bits &= ~std::uint64_t{0} << first % 64;
      if (stop < 64 * word + 64) bits &= ~(~std::uint64_t{0} << stop % 64);
      if (bits == 0) continue;
      Candidate* next = candidates.data() + item * job.columns.num_molecules +
                        fetch_add(reinterpret_cast<std::uint64_t&>(num_candidates[item]), count_bits(bits));
      for (; bits != 0; bits &= bits - 1, ++next) {
        const Index bit = lowest_bit(bits);
        next->position = 64 * word + bit;
        next->shared = counts.at(word - first_word, bit);
      }
    }
  }
};

/// The candidates of each row, one row after the other.
struct Gather {
  View<const Candidate> candidates;  ///< [items][stride]
  Index stride = 0;
  View<const Index> offsets;  ///< [items + 1] into `gathered`
  View<Candidate> gathered;

  QUARRY_HD void operator()(Team auto& team, Index item) const {
    team_for(team, offsets[item + 1] - offsets[item],
             [&](Index i) { gathered[offsets[item] + i] = candidates[item * stride + i]; });
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::similar
QUARRY_AFTER_TARGET();
