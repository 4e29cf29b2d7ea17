/// MaxMin picking: each pick is compared with all molecules, which keep how similar their nearest pick is.
#include <fmt/format.h>

#include <algorithm>

#include "exec/parallel.hpp"
#include "similar/dense.hpp"

namespace quarry::similar {
namespace {

constexpr float kPicked = 2;  // more than any similarity

class Picker {
 public:
  Picker(const Fingerprints& molecules, const RunOptions& options)
      : definition_(molecules.definition()), columns_(molecules, options), threads_(resolve_threads(options.threads)) {
    nearest_.assign(static_cast<std::size_t>(columns_.size()), -1);
    values_.resize(nearest_.size());
  }

  /// Compares a pick with every molecule.
  void add(Index pick) {
    const auto row = make_block(multiset_of(pick), definition_, Order::input);
    const Rows features = rows_of(row->view);
    const auto places = columns_.places_of(row->view);
    columns_.fill({row->view, view_of_rows(features), 0, 1}, places, view_of(values_), threads_);
    for (std::size_t i = 0; i < nearest_.size(); ++i) nearest_[i] = std::max(nearest_[i], values_[i]);
    nearest_[static_cast<std::size_t>(pick)] = kPicked;
  }

  Index next() const { return std::min_element(nearest_.begin(), nearest_.end()) - nearest_.begin(); }
  float nearest(Index molecule) const { return nearest_[static_cast<std::size_t>(molecule)]; }

 private:
  Multisets multiset_of(Index molecule) const {
    Index block = 0;
    while (columns_.first(block) + columns_.block(block).num_molecules <= molecule) ++block;
    return multiset_at(columns_.block(block), molecule - columns_.first(block));
  }

  Definition definition_;
  DenseColumns columns_;
  int threads_;
  std::vector<float> nearest_, values_;
};

}  // namespace

std::vector<Index> pick(const Fingerprints& molecules, Index count, Index first, double threshold,
                        const RunOptions& options) {
  if (count < 1 || count > molecules.size()) {
    throw InputError(fmt::format("cannot pick {} of {} molecules", count, molecules.size()));
  }
  if (first < 0 || first >= molecules.size()) {
    throw InputError(fmt::format("the first pick must be 0 to {}, not {}", molecules.size() - 1, first));
  }
  if (!(threshold >= 0 && threshold <= 1)) {
    throw InputError(fmt::format("the threshold must be 0 to 1, not {}", threshold));
  }
  Picker picker(molecules, options);
  std::vector<Index> picks{first};
  while (std::ssize(picks) < count) {
    picker.add(picks.back());
    const Index next = picker.next();
    if (picker.nearest(next) > static_cast<float>(threshold)) break;
    picks.push_back(next);
    if (options.progress) options.progress(std::ssize(picks), count);
  }
  return picks;
}

}  // namespace quarry::similar
