/// Every kernel of the engine `similar`, compiled for a device: what a device compiler cannot do shows here.
///
/// Compiled, never run (tools/check_device_clean.sh).
#include "device_team.cuh"
#include "similar/kernels.hpp"

namespace kernels = quarry::similar::device;

namespace quarry::device {

template __global__ void run_teams(kernels::Fill, Index, Index);
template __global__ void run_teams(kernels::Select, Index, Index);

}  // namespace quarry::device
