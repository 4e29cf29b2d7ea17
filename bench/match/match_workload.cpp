#include "bench/match/match_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace quarry::bench {
namespace {

namespace fs = std::filesystem;

// The examples are repeated until there are about as many molecules as in the set that they replace.
constexpr Index kWantedMolecules = 115'000;

/// Copies the first rows of a file: a reader is always a chunk ahead, which would spoil the rate of a part.
void write_first_rows(const std::string& path, Index num_chunks, const std::string& part) {
  MoleculeReader reader(path);
  std::ofstream file(part);
  for (Index chunk = 0; chunk < num_chunks; ++chunk) {
    const auto library = reader.next();
    if (!library) break;
    const ChunkText text = library->text(0, /*with_records=*/true);
    for (std::size_t i = 0; i < text.ids.size(); ++i) file << text.records[i] << ' ' << text.ids[i] << '\n';
  }
}

}  // namespace

Effort full_effort() { return {0, 2000, 2 * kChunkMolecules, 5, 0}; }
Effort quick_effort() { return {1, 300, kChunkMolecules / 4, 3, 0}; }
Effort device_effort(const DeviceId& device_id, bool quick) {
  if (device_id.api == Api::emulated) return {1, 0, 0, 1, 60};
  return quick ? quick_effort() : full_effort();
}

void write_copies(const Library& library, const std::string& path, Index copies) {
  LibraryWriter writer(path, library.provenance());
  for (Index copy = 0; copy < copies; ++copy) writer.append(library);
  writer.finish();
}

Library first_molecules(const Library& library, Index num_molecules) {
  std::vector<Molecule> molecules;
  for (Index i = 0; i < std::min(num_molecules, library.num_molecules()); ++i) molecules.push_back(library.molecule(i));
  return Library::from_molecules(molecules);
}

match::Options options_for(match::Mode mode, int threads, int refine) {
  match::Options options;
  options.mode = mode;
  options.threads = threads;
  options.refine = refine;
  return options;
}

Workload make_workload(const WorkFolder& folder, const Effort& effort) {
  Workload workload;
  workload.effort = effort;
  const fs::path data = data_folder();
  workload.molecules_path = data / "molecules/zinc-115k.smi.gz";
  workload.queries_path = data / "smarts/ehrlich-rarey.smarts";
  const bool shared = fs::exists(workload.molecules_path) && fs::exists(workload.queries_path);
  if (!shared) {
    workload.molecules_path = QUARRY_SOURCE_DIR "/examples/drugs.smi";
    workload.queries_path = QUARRY_SOURCE_DIR "/examples/alerts.smarts";
  }
  workload.queries = read_queries(workload.queries_path, QueryHydrogens::literal);
  workload.packed_path = folder.file("library.qlib");
  if (shared && effort.num_chunks > 0) {
    write_first_rows(workload.molecules_path, effort.num_chunks, folder.file("part.smi"));
    workload.molecules_path = folder.file("part.smi");
  }
  workload.num_rows = index_file(workload.molecules_path, workload.packed_path, 0);
  {
    const Library library = Library::open(workload.packed_path);
    for (Index chunk = 0; chunk < library.num_chunks(); ++chunk) {
      const ChunkText text = library.text(chunk, /*with_records=*/true);
      workload.records.insert(workload.records.end(), text.records.begin(), text.records.end());
    }
    if (!shared) {
      const Index wanted = effort.num_chunks == 0 ? kWantedMolecules : effort.num_chunks * kChunkMolecules;
      write_copies(library, folder.file("copies.qlib"), wanted / library.num_molecules());
    }
  }
  if (!shared) fs::rename(folder.file("copies.qlib"), workload.packed_path);
  if (effort.num_molecules > 0) {
    const Library part = first_molecules(Library::open(workload.packed_path), effort.num_molecules);
    write_copies(part, folder.file("few.qlib"), 1);
    fs::rename(folder.file("few.qlib"), workload.packed_path);
  }
  const Index num_molecules = Library::open(workload.packed_path).num_molecules();
  workload.description = shared ? fmt::format("{} drug-like ZINC molecules x {} queries of Ehrlich and Rarey",
                                              num_molecules, workload.num_queries())
                                : fmt::format(
                                      "{} sample molecules, repeated to {}, x {} sample queries, because the folder "
                                      "of the 115k molecules is absent (set QUARRY_DATA)",
                                      workload.records.size(), num_molecules, workload.num_queries());
  return workload;
}

}  // namespace quarry::bench
