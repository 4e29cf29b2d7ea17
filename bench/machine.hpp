/// What a measurement was made on and with, for the record beside its numbers.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "quarry/error.hpp"

namespace quarry::bench {

using Json = nlohmann::ordered_json;

/// Machine, compiler, flags, versions, commit, date and load.
Json describe_run(const std::string& commit);

/// Load averages over 1, 5 and 15 minutes.
Json load_average();

/// The most memory that this process has had so far (its VmHWM).
Index peak_kilobytes();

}  // namespace quarry::bench
