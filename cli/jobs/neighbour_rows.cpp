#include "jobs/neighbour_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "output/warnings.hpp"

namespace quarry::cli {
namespace {

using similar::Neighbour, similar::Neighbours;

static_assert(sizeof(Neighbour) == 2 * sizeof(Index));

/// Neighbours that are merged at a time: 1 GiB.
constexpr Index kMergedNeighbours = Index{1} << 26;

void append(const void* bytes, std::size_t size, std::string& text) {
  text.append(static_cast<const char*>(bytes), size);
}

/// Takes values from text that comes in pieces.
class RowReader {
 public:
  explicit RowReader(std::function<void(const std::vector<Neighbour>&)> visit) : visit_(std::move(visit)) {}

  /// @return  false where it is no list of neighbours
  bool add(std::string_view piece) {
    rest_ += piece;
    std::size_t at = 0;
    for (Index size = 0; rest_.size() - at >= sizeof size; at += size * sizeof(Neighbour)) {
      std::memcpy(&size, rest_.data() + at, sizeof size);
      if (size < 0 || size > kMostBytes / Index{sizeof(Neighbour)}) return false;
      if (std::ssize(rest_) - static_cast<Index>(at) < Index{sizeof size} + size * Index{sizeof(Neighbour)}) break;
      at += sizeof size;
      row_.resize(size);
      std::memcpy(row_.data(), rest_.data() + at, size * sizeof(Neighbour));
      visit_(row_);
    }
    rest_.erase(0, at);
    return true;
  }
  bool is_at_end() const { return rest_.empty(); }

 private:
  static constexpr Index kMostBytes = Index{1} << 40;
  std::function<void(const std::vector<Neighbour>&)> visit_;
  std::vector<Neighbour> row_;
  std::string rest_;
};

/// Ends of parts of the rows, each with few enough neighbours for memory.
std::vector<Index> part_ends(const Job& job, const ComparedSize& size, Index k) {
  const Index most = k > 0 ? std::min(k, size.num_columns) : size.num_columns;
  if (size.num_rows <= kMergedNeighbours / std::max(most, Index{1})) return {size.num_rows};
  std::vector<Index> counts(size.num_rows);
  for_each_row(job, size,
               [&](Index row, const auto& found) { counts[row] = std::min(most, counts[row] + std::ssize(found)); });
  std::vector<Index> ends;
  Index sum = 0;
  for (Index row = 0; row < size.num_rows; ++row) {
    if (sum > 0 && sum + counts[row] > kMergedNeighbours) {
      ends.push_back(row);
      sum = 0;
    }
    sum += counts[row];
  }
  ends.push_back(size.num_rows);
  return ends;
}

/// Both are in order; of both together the best `k` are kept.
void keep_best(std::vector<Neighbour>& kept, const std::vector<Neighbour>& more, Index k) {
  if (more.empty() || (std::ssize(kept) == k && !(more.front() < kept.back()))) return;
  const Index middle = std::ssize(kept);
  kept.insert(kept.end(), more.begin(), more.end());
  std::inplace_merge(kept.begin(), kept.begin() + middle, kept.end());
  if (std::ssize(kept) > k) kept.resize(k);
}

}  // namespace

void append_rows(const Neighbours& found, std::string& text) {
  for (Index row = 0; row < found.num_rows(); ++row) {
    const Index size = found.offsets[row + 1] - found.offsets[row];
    append(&size, sizeof size, text);
    append(found.items.data() + found.offsets[row], size * sizeof(Neighbour), text);
  }
}

void for_each_row(const Job& job, const ComparedSize& size,
                  const std::function<void(Index, const std::vector<Neighbour>&)>& visit) {
  const auto refuse = [&] { throw InputError(fmt::format("the neighbours in '{}' are damaged", job.folder())); };
  const auto is_column = [&](const Neighbour& one) { return one.molecule >= 0 && one.molecule < size.num_columns; };
  Index row = 0;
  RowReader reader([&](const std::vector<Neighbour>& found) {
    if (size.num_rows == 0 || !std::ranges::all_of(found, is_column)) refuse();
    visit(row, found);
    if (++row == size.num_rows) row = 0;
  });
  job.read(0, [&](std::string_view piece) {
    if (!reader.add(piece)) refuse();
    check_run();
  });
  if (!reader.is_at_end() || row != 0) refuse();
}

void merge_columns(const Job& job, const ComparedSize& size, Index k,
                   const std::function<void(const Neighbours&)>& sink) {
  Index begin = 0;
  for (const Index end : part_ends(job, size, k)) {
    std::vector<std::vector<Neighbour>> kept(end - begin);
    for_each_row(job, size, [&](Index row, const auto& found) {
      if (row < begin || row >= end) return;
      auto& of_row = kept[row - begin];
      if (k > 0)
        keep_best(of_row, found, k);
      else
        of_row.insert(of_row.end(), found.begin(), found.end());
    });
    for (auto& of_row : kept) {
      std::sort(of_row.begin(), of_row.end());
      Neighbours all;
      all.first_row = begin++;
      all.offsets = {0, std::ssize(of_row)};
      all.items = std::exchange(of_row, {});
      sink(all);
    }
  }
}

}  // namespace quarry::cli
