/// The score of a pose in double precision, by sums over all atoms.
#include "dock/steps.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::dock {
namespace QUARRY_TARGET {

/// Terms of two atoms; none beyond the cutoff.
inline PairTerms<double> terms_of(const Parameters& parameters, const PairScales<double>& scales, const Point& a,
                                  AtomType one, const Point& b, AtomType other) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, square = x * x + y * y + z * z;
  if (!(square < kCutoff * kCutoff)) return {};
  const bool hydrophobic = is_hydrophobic(one) && is_hydrophobic(other);
  const bool bond = (is_donor(one) && is_acceptor(other)) || (is_acceptor(one) && is_donor(other));
  const double radii = parameters.radii[static_cast<int>(one)] + parameters.radii[static_cast<int>(other)];
  auto terms = terms_of<double>(scales, std::sqrt(square) - radii, hydrophobic ? 1 : 0, bond ? 1 : 0);
  if (parameters.gauss2.weight == 0) terms.gauss2 = 0;  // Vinardo has no such term
  return terms;
}

inline void add(Terms& sum, const PairTerms<double>& terms) {
  sum.gauss1 += terms.gauss1;
  sum.gauss2 += terms.gauss2;
  sum.repulsion += terms.repulsion;
  sum.hydrophobic += terms.hydrophobic;
  sum.hydrogen_bond += terms.bond;
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::dock
QUARRY_AFTER_TARGET();
