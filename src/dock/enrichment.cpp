/// How well scores tell actives from decoys. Sources: Fawcett, Pattern Recognit. Lett. 2006, 27, 861 (ROC curves with
/// ties); Truchon, Bayly, J. Chem. Inf. Model. 2007, 47, 488 (BEDROC).
///
/// Molecules of equal score have no order. The ROC curve passes them in one straight line, and the other measures are
/// means over all their orders.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "quarry/dock.hpp"

namespace quarry::dock {
namespace {

constexpr double kAlpha = 20;  // of BEDROC: the first 8 % of the list make 80 % of the sum

/// Molecules of one score.
struct Tie {
  Index size = 0;
  Index actives = 0;
  double share() const { return 1.0 * actives / size; }  ///< of actives
};

/// A NaN is worse than every score.
bool is_better(double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

/// The list, best first.
std::vector<Tie> ranked(std::span<const double> scores, const std::vector<bool>& active) {
  std::vector<Index> order(scores.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return is_better(scores[a], scores[b]); });
  std::vector<Tie> ties;
  for (Index rank = 0; rank < std::ssize(order); ++rank) {
    if (rank == 0 || is_better(scores[order[rank - 1]], scores[order[rank]])) ties.emplace_back();
    ties.back().size += 1;
    ties.back().actives += active[order[rank]];
  }
  return ties;
}

/// Actives among the first `percent` of the list, over those that a random list has there.
double enrichment_factor(const std::vector<Tie>& ties, double actives, double total, double percent) {
  const Index length = std::max<Index>(1, std::llround(total * percent / 100));
  Index left = length;
  double found = 0;
  for (const Tie& tie : ties) {
    const Index taken = std::min(left, tie.size);
    found += tie.share() * taken;
    left -= taken;
  }
  return (found / length) / (actives / total);
}

/// Equation 36 of Truchon and Bayly.
double bedroc(const std::vector<Tie>& ties, double actives, double total) {
  double sum = 0;
  Index rank = 0;
  for (const Tie& tie : ties) {
    double weights = 0;
    for (Index i = 0; i < tie.size; ++i) weights += std::exp(-kAlpha * ++rank / total);
    sum += tie.share() * weights;
  }
  const double ratio = actives / total;
  const double random_sum = ratio * (1 - std::exp(-kAlpha)) / std::expm1(kAlpha / total);
  const double scale = ratio * std::sinh(kAlpha / 2) / (std::cosh(kAlpha / 2) - std::cosh(kAlpha / 2 - kAlpha * ratio));
  return sum / random_sum * scale + 1 / (1 - std::exp(kAlpha * (1 - ratio)));
}

/// Fills the curve and the area under it.
void add_roc(const std::vector<Tie>& ties, Enrichment& result) {
  Index actives = 0, decoys = 0;
  result.roc = {{0, 0}};
  for (const Tie& tie : ties) {
    actives += tie.actives;
    decoys += tie.size - tie.actives;
    const auto [last_false, last_true] = result.roc.back();
    const double next_false = 1.0 * decoys / result.decoys, next_true = 1.0 * actives / result.actives;
    result.auc += (next_false - last_false) * (last_true + next_true) / 2;
    result.roc.emplace_back(next_false, next_true);
  }
}

}  // namespace

Enrichment enrichment(std::span<const double> scores, const std::vector<bool>& active) {
  if (scores.size() != active.size()) {
    throw InputError(fmt::format("there are {} scores and {} labels", scores.size(), active.size()));
  }
  Enrichment result;
  result.actives = std::count(active.begin(), active.end(), true);
  result.decoys = std::ssize(scores) - result.actives;
  if (result.actives == 0 || result.decoys == 0) {
    throw InputError(
        fmt::format("enrichment needs actives and decoys: the scored molecules are {} active{} and {} decoy{}",
                    result.actives, result.actives == 1 ? "" : "s", result.decoys, result.decoys == 1 ? "" : "s"));
  }
  const std::vector<Tie> ties = ranked(scores, active);
  const double actives = result.actives, total = scores.size();
  add_roc(ties, result);
  result.ef1 = enrichment_factor(ties, actives, total, 1);
  result.ef5 = enrichment_factor(ties, actives, total, 5);
  result.ef10 = enrichment_factor(ties, actives, total, 10);
  result.bedroc20 = bedroc(ties, actives, total);
  return result;
}

}  // namespace quarry::dock
