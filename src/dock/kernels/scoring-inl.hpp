/// The energy of a pair of atoms, for any kind of number: double on the host, the lanes of kernels.
#include <cmath>
#include <type_traits>

#include "dock/scoring.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::dock {
namespace QUARRY_TARGET {

using namespace ::quarry::QUARRY_TARGET;
// Names that more is declared under here.
using ::quarry::QUARRY_TARGET::exponential;
using ::quarry::QUARRY_TARGET::fused;
using ::quarry::QUARRY_TARGET::larger;
using ::quarry::QUARRY_TARGET::less;
using ::quarry::QUARRY_TARGET::select;
using ::quarry::QUARRY_TARGET::smaller;

// What `lanes-inl.hpp` has for lanes.
QUARRY_INLINE double smaller(double a, double b) { return a < b ? a : b; }
QUARRY_INLINE double larger(double a, double b) { return a > b ? a : b; }
QUARRY_INLINE double exponential(double x) { return std::exp(x); }
QUARRY_INLINE bool less(double a, double b) { return a < b; }
QUARRY_INLINE double select(bool mask, double yes, double no) { return mask ? yes : no; }

/// A number that all pairs share, and the scales made of such.
template <class Number>
using Scalar = std::conditional_t<std::is_same_v<Number, double>, double, float>;
template <class Number>
using Scales = PairScales<Scalar<Number>>;

template <class Number>
QUARRY_INLINE Number number(Scalar<Number> value) {
  if constexpr (std::is_same_v<Number, double>) {
    return value;
  } else {
    return same(value);
  }
}

/// Terms of a pair before weights, and how each grows with the distance.
template <class Number>
struct PairTerms {
  Number gauss1, gauss2, repulsion, hydrophobic, bond;
};

template <class Number>
QUARRY_INLINE Number gauss(const typename Scales<Number>::Gauss& term, Number d) {
  if (term.weight == 0) return number<Number>(0);  // Vinardo has only one
  const Number x = (d - number<Number>(term.center)) * number<Number>(term.inverse_width);
  return exponential(-(x * x));
}
template <class Number>
QUARRY_INLINE Number ramp(const typename Scales<Number>::Ramp& term, Number d) {
  const Number height = (number<Number>(term.none) - d) * number<Number>(-term.slope);
  return smaller(larger(height, number<Number>(0)), number<Number>(1));
}
/// Slope of the ramp.
template <class Number>
QUARRY_INLINE Number ramp_slope(const typename Scales<Number>::Ramp& term, Number d) {
  const Number zero = number<Number>(0), slope = number<Number>(term.slope);
  const Number below_none = select(less(d, number<Number>(term.none)), slope, zero);
  return select(less(number<Number>(term.full), d), below_none, zero);
}

/// @param d            distance less radii
/// @param hydrophobic  1 where both atoms are, else 0
/// @param bond         1 for a donor and an acceptor, else 0
template <class Number>
QUARRY_INLINE PairTerms<Number> terms_of(const Scales<Number>& scales, Number d, Number hydrophobic, Number bond) {
  const Number clash = smaller(d, number<Number>(0));
  return {gauss(scales.gauss1, d), gauss(scales.gauss2, d), clash * clash, hydrophobic * ramp(scales.hydrophobic, d),
          bond * ramp(scales.bond, d)};
}

template <class Number>
QUARRY_INLINE Number energy_of(const Scales<Number>& scales, const PairTerms<Number>& terms) {
  return terms.gauss1 * number<Number>(scales.gauss1.weight) + terms.gauss2 * number<Number>(scales.gauss2.weight) +
         terms.repulsion * number<Number>(scales.repulsion) +
         terms.hydrophobic * number<Number>(scales.hydrophobic.weight) +
         terms.bond * number<Number>(scales.bond.weight);
}

template <class Number>
struct PairEnergy {
  Number energy, slope;  ///< slope by distance
};

template <class Number>
QUARRY_INLINE PairEnergy<Number> pair_energy(const Scales<Number>& scales, Number d, Number hydrophobic, Number bond) {
  const PairTerms<Number> terms = terms_of(scales, d, hydrophobic, bond);
  const auto gauss_slope = [&](const typename Scales<Number>::Gauss& term, Number value) {
    return value * (d - number<Number>(term.center)) * number<Number>(term.slope);
  };
  const Number slope = gauss_slope(scales.gauss1, terms.gauss1) + gauss_slope(scales.gauss2, terms.gauss2) +
                       smaller(d, number<Number>(0)) * number<Number>(2 * scales.repulsion) +
                       hydrophobic * ramp_slope(scales.hydrophobic, d) * number<Number>(scales.hydrophobic.weight) +
                       bond * ramp_slope(scales.bond, d) * number<Number>(scales.bond.weight);
  return {energy_of(scales, terms), slope};
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::dock
QUARRY_AFTER_TARGET();
