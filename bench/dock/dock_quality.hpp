/// How good what `dock` finds is.
#pragma once
#include "bench/dock/dock_workload.hpp"
#include "bench/machine.hpp"

namespace quarry::bench {

/// Redocking, and enrichment on FABP4, where the shared data have them.
Json dock_quality_section(bool quick);

}  // namespace quarry::bench
