#include "bench/similar/similar_workload.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "quarry/files/smiles_table.hpp"

namespace quarry::bench {
namespace {

namespace fs = std::filesystem;

// The examples are repeated until they are about as many as the molecules that they stand for.
constexpr Index kWantedMolecules = 115'000;

std::vector<std::string> smiles_in(const std::string& path) { return read_smiles(path, {}, Normalize::as_is).smiles; }

}  // namespace

SimilarWorkload make_similar_workload(bool quick) {
  SimilarWorkload workload;
  workload.effort = quick ? SimilarEffort{8192, 20, kChunkMolecules, 4 * kChunkMolecules, 600, 3}
                          : SimilarEffort{32768, 200, 0, 1'000'000, 262'144, 5};
  const fs::path molecules = fs::path(data_folder()) / "molecules";
  if (fs::exists(molecules / "zinc-115k.smi.gz")) {
    workload.smiles = smiles_in(molecules / "zinc-115k.smi.gz");
    if (fs::exists(molecules / "mixed-1m.smi.gz")) workload.large_path = molecules / "mixed-1m.smi.gz";
    workload.description = fmt::format("{} drug-like ZINC molecules", workload.smiles.size());
    return workload;
  }
  const auto examples = smiles_in(QUARRY_SOURCE_DIR "/examples/drugs.smi");
  while (std::ssize(workload.smiles) < kWantedMolecules) {
    workload.smiles.insert(workload.smiles.end(), examples.begin(), examples.end());
  }
  workload.description = fmt::format(
      "{} sample molecules, repeated to {}, because the folder of the 115k molecules is absent (set QUARRY_DATA)",
      examples.size(), workload.smiles.size());
  return workload;
}

}  // namespace quarry::bench
