/// The energy of a pair of atoms, for any kind of number: double on the host, the lanes of kernels.
#include <cmath>

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

template <class Number>
QUARRY_INLINE Number number(double value);
template <>
QUARRY_INLINE double number<double>(double value) {
  return value;
}
template <>
QUARRY_INLINE Real number<Real>(double value) {
  return same(static_cast<float>(value));
}

/// Terms of a pair before weights, and how each grows with the distance.
template <class Number>
struct PairTerms {
  Number gauss1, gauss2, repulsion, hydrophobic, bond;
};

template <class Number>
QUARRY_INLINE Number gauss(const Parameters::Gauss& term, Number d) {
  if (term.weight == 0) return number<Number>(0);  // Vinardo has only one
  const Number x = (d - number<Number>(term.center)) * number<Number>(1 / term.width);
  return exponential(-(x * x));
}
template <class Number>
QUARRY_INLINE Number ramp(const Parameters::Ramp& term, Number d) {
  const Number height = (number<Number>(term.none) - d) * number<Number>(1 / (term.none - term.full));
  return smaller(larger(height, number<Number>(0)), number<Number>(1));
}
/// Slope of the ramp.
template <class Number>
QUARRY_INLINE Number ramp_slope(const Parameters::Ramp& term, Number d) {
  const Number zero = number<Number>(0), slope = number<Number>(-1 / (term.none - term.full));
  const Number below_none = select(less(d, number<Number>(term.none)), slope, zero);
  return select(less(number<Number>(term.full), d), below_none, zero);
}

/// @param d            distance less radii
/// @param hydrophobic  1 where both atoms are, else 0
/// @param bond         1 for a donor and an acceptor, else 0
template <class Number>
QUARRY_INLINE PairTerms<Number> terms_of(const Parameters& parameters, Number d, Number hydrophobic, Number bond) {
  const Number clash = smaller(d, number<Number>(0));
  return {gauss(parameters.gauss1, d), gauss(parameters.gauss2, d), clash * clash,
          hydrophobic * ramp(parameters.hydrophobic, d), bond * ramp(parameters.bond, d)};
}

template <class Number>
QUARRY_INLINE Number energy_of(const Parameters& parameters, const PairTerms<Number>& terms) {
  return terms.gauss1 * number<Number>(parameters.gauss1.weight) +
         terms.gauss2 * number<Number>(parameters.gauss2.weight) +
         terms.repulsion * number<Number>(parameters.repulsion) +
         terms.hydrophobic * number<Number>(parameters.hydrophobic.weight) +
         terms.bond * number<Number>(parameters.bond.weight);
}

template <class Number>
struct PairEnergy {
  Number energy, slope;  ///< slope by distance
};

template <class Number>
QUARRY_INLINE PairEnergy<Number> pair_energy(const Parameters& parameters, Number d, Number hydrophobic, Number bond) {
  const PairTerms<Number> terms = terms_of(parameters, d, hydrophobic, bond);
  const auto gauss_slope = [&](const Parameters::Gauss& term, Number value) {
    return value * (d - number<Number>(term.center)) * number<Number>(-2 * term.weight / (term.width * term.width));
  };
  const Number slope =
      gauss_slope(parameters.gauss1, terms.gauss1) + gauss_slope(parameters.gauss2, terms.gauss2) +
      smaller(d, number<Number>(0)) * number<Number>(2 * parameters.repulsion) +
      hydrophobic * ramp_slope(parameters.hydrophobic, d) * number<Number>(parameters.hydrophobic.weight) +
      bond * ramp_slope(parameters.bond, d) * number<Number>(parameters.bond.weight);
  return {energy_of(parameters, terms), slope};
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::dock
QUARRY_AFTER_TARGET();
