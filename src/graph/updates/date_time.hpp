/// Dates and times of day as people write them.
#pragma once
#include <string_view>

#include "graph/updates/update_format.hpp"

namespace quarry {

/// Reads `2026-11-28`, `2026-11-28T09:30`, `2026-11-28 09:30:15.25`, each with a time of day also followed by `Z`, `+01:00`
/// or `-0530`; without one of these it is UTC. A leap second is the second after it.
/// Source: ISO 8601, in the form of RFC 3339.
/// @param seconds  since the beginning of 1970, leap seconds not counted
/// @return  is the whole text that?
bool read_date_time(std::string_view text, TimeStamp& seconds);

}  // namespace quarry
