/// Energies of pairs by the square of the distance, for the loops that cannot afford exponentials: cubic pieces in 16
/// segments, four of each octave from 4 to 64 square angstrom, so that a segment is found in the bits of the number and
/// a table fits vector registers.
#pragma once
#include "dock/batch/plan.hpp"
#include "dock/scoring.hpp"

namespace quarry::dock {

/// Four coefficients of 16 segments each, twice: [4][16] for vectors, which keep a row in a register, and [16][4] for
/// lanes that look up one segment each.
inline constexpr Index kPairTableSize = 2 * 64;
inline constexpr float kPairLow = 4, kPairHigh = 63.99999F;

}  // namespace quarry::dock
