/// Counts, estimates and durations of `quarry mine` as text.
#pragma once
#include <string>

#include "output/json.hpp"
#include "quarry/mine.hpp"

namespace quarry::cli {

/// "overflow" where the count does not fit.
std::string count_text(mine::Count count, bool overflow);
Json count_json(mine::Count count, bool overflow);

/// A sentence without its subject.
std::string text_of(const mine::Estimate& estimate);

/// "about 4 minutes": a guess, so only its size matters.
std::string duration_text(double seconds);

}  // namespace quarry::cli
