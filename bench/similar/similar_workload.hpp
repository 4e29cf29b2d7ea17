/// The molecules that `similar` is measured on, and the sections of the report.
#pragma once
#include <string>
#include <vector>

#include "bench/machine.hpp"
#include "bench/stopwatch.hpp"
#include "bench/work_folder.hpp"
#include "exec/device_id.hpp"

namespace quarry::bench {

/// How much is run.
struct SimilarEffort {
  Index matrix_molecules = 0;    ///< compared all against all
  Index merge_rows = 0;          ///< of them, compared by the paper's algorithm
  Index cluster_molecules = 0;   ///< 0: all
  Index searched_molecules = 0;  ///< of the library that single queries search
  Index device_molecules = 0;    ///< compared all against all on a device
  int repeats = 0;               ///< each number is the median of this many runs
};

struct SimilarWorkload {
  std::string description;
  SimilarEffort effort;
  std::vector<std::string> smiles;  ///< drug-like molecules, as written
  std::string large_path;           ///< many more molecules, a SMILES file; empty: `smiles`, repeated
};

/// Finds the 115k drug-like molecules, and the million mixed ones, in `data_folder()`; where they are absent takes the
/// examples, repeated.
SimilarWorkload make_similar_workload(bool quick);

/// The sections: each prints a table and returns its numbers.
Json matrix_section(const SimilarWorkload& workload);
Json search_section(const SimilarWorkload& workload);
Json cluster_section(const SimilarWorkload& workload);
Json single_query_section(const SimilarWorkload& workload, const WorkFolder& folder);
Json ecfp4_section(const SimilarWorkload& workload, const WorkFolder& folder);
/// @throws SystemError  the device does not find what the host finds
Json similar_device_section(const SimilarWorkload& workload, const DeviceId& device_id);

}  // namespace quarry::bench
