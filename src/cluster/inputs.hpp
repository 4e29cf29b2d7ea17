/// What decides whether an input is still that of the plan.
#pragma once
#include <string>
#include <string_view>

#include "quarry/job.hpp"

namespace quarry::cluster {

/// "is not there any more", "has changed", or nothing where the input is as it was. A large file with the size and time of
/// the plan is taken for the same without being read.
std::string difference(const JobInput& input, const std::string& directory);

/// A short name of a text, which no other text is likely to have.
std::string checksum_of_text(std::string_view text);

}  // namespace quarry::cluster
