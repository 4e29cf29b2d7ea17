/// The two scoring functions as numbers. Sources: Trott, Olson, J. Comput. Chem. 2010, 31, 455 (Vina); Quiroga, Villarreal,
/// PLoS ONE 2016, 11, e0155183 (Vinardo).
#pragma once
#include "exec/macros.hpp"
#include "quarry/dock.hpp"

namespace quarry::dock {

/// Pairs of atoms farther apart than this do not interact.
inline constexpr double kCutoff = 8;

/// With d the distance of two atoms less the sum of their radii, a pair has the energy
///
///   gauss1.weight exp(-(d / gauss1.width)^2) + gauss2.weight exp(-((d - gauss2.center) / gauss2.width)^2)
///     + repulsion min(d, 0)^2 + hydrophobic.weight ramp(d, hydrophobic) + bond.weight ramp(d, bond)
///
/// where ramp is 1 up to `full`, 0 from `none` on and linear between; the last two hold for pairs of hydrophobic atoms,
/// and of a donor and an acceptor.
struct Parameters {
  struct Gauss {
    double weight, center, width;
  };
  struct Ramp {
    double weight, full, none;
  };
  Gauss gauss1, gauss2;
  double repulsion;
  Ramp hydrophobic, bond;
  double radii[kNumAtomTypes];
};

inline Parameters parameters_of(Scoring scoring) {
  const bool vina = scoring == Scoring::vina;
  const double carbon = vina ? 1.9 : 2.0, nitrogen = vina ? 1.8 : 1.7, oxygen = vina ? 1.7 : 1.6;
  Parameters parameters{{-0.035579, 0, 0.5},   {-0.005156, 3, 2},    0.840245,
                        {-0.035069, 0.5, 1.5}, {-0.587439, -0.7, 0}, {}};
  if (!vina) parameters = {{-0.045, 0, 0.8}, {0, 3, 2}, 0.8, {-0.035, 0, 2.5}, {-0.600, -0.6, 0}, {}};
  const double radii[kNumAtomTypes] = {carbon, carbon, nitrogen, nitrogen, nitrogen, nitrogen, oxygen,
                                       oxygen, oxygen, oxygen,   2.0,      2.1,      1.5,      1.8,
                                       2.0,    2.2,    2.2,      2.3,      1.2};
  for (int type = 0; type < kNumAtomTypes; ++type) parameters.radii[type] = radii[type];
  return parameters;
}

/// The same with the divisions done, and as the numbers that a kernel computes with.
template <class Number>
struct PairScales {
  struct Gauss {
    Number weight, center, inverse_width, slope;
  };
  struct Ramp {
    Number weight, full, none, slope;
  };
  Gauss gauss1, gauss2;
  Number repulsion;
  Ramp hydrophobic, bond;
};

template <class Number>
QUARRY_HD PairScales<Number> scales_of(const Parameters& parameters) {
  const auto number = [](double value) { return static_cast<Number>(value); };
  const auto gauss = [&](const Parameters::Gauss& term) -> typename PairScales<Number>::Gauss {
    return {number(term.weight), number(term.center), number(1 / term.width),
            number(-2 * term.weight / (term.width * term.width))};
  };
  const auto ramp = [&](const Parameters::Ramp& term) -> typename PairScales<Number>::Ramp {
    return {number(term.weight), number(term.full), number(term.none), number(-1 / (term.none - term.full))};
  };
  return {gauss(parameters.gauss1), gauss(parameters.gauss2), number(parameters.repulsion),
          ramp(parameters.hydrophobic), ramp(parameters.bond)};
}

/// The energy that sums of terms stand for.
inline double weighted_sum(const Parameters& parameters, const Terms& terms) {
  return parameters.gauss1.weight * terms.gauss1 + parameters.gauss2.weight * terms.gauss2 +
         parameters.repulsion * terms.repulsion + parameters.hydrophobic.weight * terms.hydrophobic +
         parameters.bond.weight * terms.hydrogen_bond;
}

/// What a type means for a pair: as numbers, so that they can be multiplied.
struct TypeTraits {
  float radius, hydrophobic, donor, acceptor;
};

inline TypeTraits traits_of(const Parameters& parameters, AtomType type) {
  return {static_cast<float>(parameters.radii[static_cast<int>(type)]), is_hydrophobic(type) ? 1.0F : 0.0F,
          is_donor(type) ? 1.0F : 0.0F, is_acceptor(type) ? 1.0F : 0.0F};
}

}  // namespace quarry::dock
