/// A verb that many processes of one mpirun do together.
#pragma once
#include <string>
#include <vector>

#include "cluster/ranks.hpp"

namespace quarry::cli {

/// Does what the words say on all ranks; rank 0 writes, and the others say nothing.
/// @return  exit status; of other ranks than 0 always that of success
int run_on_ranks(cluster::Ranks& ranks, const std::vector<std::string>& words);

}  // namespace quarry::cli
