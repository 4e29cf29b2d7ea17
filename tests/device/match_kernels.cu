/// Every kernel of the match engine, compiled for a device: what a device compiler cannot do shows here.
///
/// Compiled, never run (tools/check_device_clean.sh).
#include "device_team.cuh"
#include "match/join.hpp"
#include "match/kernels.hpp"

namespace kernels = quarry::match::device;

namespace quarry::device {

// In the order of a batch.
template __global__ void run_teams(kernels::Pack, Index, Index);
template __global__ void run_teams(kernels::Candidates, Index, Index);
template __global__ void run_teams(kernels::Bodies, Index, Index);
template __global__ void run_teams(kernels::Neighbours, Index, Index);
template __global__ void run_teams(kernels::Refine, Index, Index);
template __global__ void run_teams(kernels::Map, Index, Index);
template __global__ void run_teams(kernels::WritePairs, Index, Index);
template __global__ void run_teams(kernels::Join, Index, Index);
template __global__ void run_teams(kernels::CountCandidates, Index, Index);

}  // namespace quarry::device
