/// What bench/run.sh tune measures, by engine.
#pragma once
#include <string>

#include "bench/report.hpp"

namespace quarry::bench {

/// @throws SystemError  a setting gives another answer
void tune_similar(ReportOptions options, const std::string& device);
void tune_dock(ReportOptions options, const std::string& device);

}  // namespace quarry::bench
