#include "bench/similar_workload.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "quarry/smiles_table.hpp"

namespace quarry::bench {
namespace {

namespace fs = std::filesystem;

// The examples are repeated until they are about as many as the molecules that they stand for.
constexpr Index kWantedMolecules = 115'000;

std::vector<std::string> smiles_in(const std::string& path) { return read_smiles(path, {}, Normalize::as_is).smiles; }

}  // namespace

SimilarWorkload make_similar_workload(bool quick) {
  SimilarWorkload work;
  work.effort = quick ? SimilarEffort{8192, 20, kChunkMolecules, 4 * kChunkMolecules, 3}
                      : SimilarEffort{32768, 200, 0, 1'000'000, 5};
  const fs::path molecules = fs::path(data_folder()) / "molecules";
  if (fs::exists(molecules / "zinc-115k.smi.gz") && fs::exists(molecules / "mixed-1m.smi.gz")) {
    work.smiles = smiles_in(molecules / "zinc-115k.smi.gz");
    work.large_path = molecules / "mixed-1m.smi.gz";
    work.description = fmt::format("{} drug-like ZINC molecules", work.smiles.size());
    return work;
  }
  const auto examples = smiles_in(QUARRY_SOURCE_DIR "/examples/drugs.smi");
  while (std::ssize(work.smiles) < kWantedMolecules) {
    work.smiles.insert(work.smiles.end(), examples.begin(), examples.end());
  }
  work.description = fmt::format(
      "{} sample molecules, repeated to {}, because the folder of the 115k molecules is absent (set QUARRY_DATA)",
      examples.size(), work.smiles.size());
  return work;
}

}  // namespace quarry::bench
