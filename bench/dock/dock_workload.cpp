#include "bench/dock/dock_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "bench/work_folder.hpp"
#include "util/random.hpp"

namespace quarry::bench {
namespace {

std::vector<LigandRow> read_all(const std::string& path, int threads) {
  LigandOptions options;
  options.threads = threads;
  LigandReader reader(path, options);
  std::vector<LigandRow> all;
  for (auto rows = reader.next(); !rows.empty(); rows = reader.next())
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  return all;
}

/// A flat piece of `size` heavy atoms, from its first atom to its last: rings in a row with methyls, or for one to three
/// atoms a link. @param choice  which link
std::string piece(int size, std::uint64_t choice) {
  if (size == 1) return std::string(1, "CNO"[choice % 3]);
  if (size == 2) return "C(C)";
  if (size == 3) return "C(C)(C)";
  const int rings = (size - 2) / 4, methyls = (size - 2) % 4;
  const auto carbons = [&](int number, int first) {
    std::string text;
    for (int i = 0; i < number; ++i) text += first + i < methyls ? "c(C)" : "c";
    return text;
  };
  if (rings == 1) return "c1" + carbons(4, 0) + "c1";
  constexpr int kFirst = 10;  // closures of two digits
  std::string open, close;
  for (int ring = 3; ring <= rings; ++ring) {
    open += fmt::format("cc%{}", kFirst + ring);
    close = fmt::format("cc%{}", kFirst + ring - 1) + close;
  }
  return "c1" + carbons(2, 0) + fmt::format("c%{}", kFirst + 2) + open + carbons(4, 2) +
         fmt::format("c%{}", kFirst + rings) + close + "c1";
}

/// Cuts `atoms` into pieces, of which the two ends are rings, so that every bond between two turns.
std::string make_smiles(int atoms, int torsions, RandomNumbers& random) {
  constexpr int kRing = 6;
  std::vector<int> sizes(torsions + 1, 1);
  sizes.front() = sizes.back() = kRing;
  int left = atoms - 2 * kRing - (torsions - 1);
  while (left > 0) {
    int& size = sizes[random.below(sizes.size())];
    // A link grows to three atoms, or at once to a ring.
    const int step = size >= kRing || size < 3 ? 1 : kRing - size;
    if (step > left) continue;
    size += step;
    left -= step;
  }
  std::string smiles;
  std::uint64_t choice = 0;
  for (const int size : sizes) {
    // Two heteroatoms in a row would be a peroxide or worse.
    choice = size == 1 && choice % 3 == 0 ? random.below(3) : 0;
    smiles += piece(size, choice);
  }
  return smiles;
}

}  // namespace

std::vector<Complex> load_complexes(const std::string& name, std::size_t count) {
  const std::filesystem::path folder = std::filesystem::path(data_folder()) / name;
  std::vector<std::filesystem::path> folders;
  if (std::filesystem::exists(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.is_directory()) folders.push_back(entry.path());
  std::ranges::sort(folders);
  folders.resize(std::min(folders.size(), count));
  std::vector<Complex> complexes;
  for (const auto& path : folders) {
    const std::string receptor = path / "receptor.pdbqt.gz";
    complexes.push_back({path.filename(), read_receptor(receptor), read_all(path / "ligand_start.sdf", 1).at(0).ligand,
                         dock::read_box(path / "box.json"), receptor});
  }
  return complexes;
}

std::optional<EnrichmentLibrary> load_enrichment(std::size_t most_rows) {
  const std::filesystem::path folder = std::filesystem::path(data_folder()) / "docking_enrichment" / "fabp4";
  if (!std::filesystem::exists(folder)) return {};
  const std::string receptor = folder / "receptor.pdbqt.gz";
  EnrichmentLibrary library;
  library.where = {"fabp4", read_receptor(receptor), {}, dock::read_box(folder / "box.json"), receptor};
  std::set<std::string> actives;
  std::ifstream labels(folder / "labels.tsv");
  std::string line, id, label;
  while (std::getline(labels, line))
    if (std::istringstream(line) >> id >> label && label == "active") actives.insert(id);
  library.rows = read_all(folder / "library.sdf.gz", 0);
  // Actives and decoys alike of a smaller library.
  std::ranges::stable_sort(library.rows, {}, [&](const LigandRow& row) { return actives.count(row.id) == 0; });
  if (library.rows.size() > most_rows)
    library.rows.erase(library.rows.begin() + static_cast<std::ptrdiff_t>(most_rows / 2),
                       library.rows.end() - static_cast<std::ptrdiff_t>(most_rows - most_rows / 2));
  Index number = 0;
  for (LigandRow& row : library.rows) {
    row.row = number++;
    library.is_active.push_back(actives.count(row.id) != 0);
  }
  return library;
}

Complex example_complex() {
  const std::string examples = QUARRY_SOURCE_DIR "/examples/", receptor = examples + "pocket.pdb";
  return {"example",
          read_receptor(receptor),
          read_all(examples + "ligands.smi", 1).at(0).ligand,
          {{0, 0, 0}, {18, 18, 18}},
          receptor};
}

std::vector<Ligand> make_paper_set(int atoms, int torsions, int count, std::uint64_t seed, int threads) {
  const WorkFolder folder;
  const std::string path = folder.file("set.smi");
  {
    RandomNumbers random(seed);
    std::ofstream file(path);
    for (int i = 0; i < count; ++i)
      file << make_smiles(atoms, torsions, random) << fmt::format(" d_{}_{}_{}\n", atoms, torsions, i);
  }
  std::vector<Ligand> ligands;
  for (LigandRow& row : read_all(path, threads)) {
    if (!row.ok()) continue;  // not every one can be embedded
    const auto heavy = std::ranges::count_if(row.ligand.elements, [](int element) { return element > 1; });
    if (heavy != atoms) throw SystemError(fmt::format("{} has {} heavy atoms", row.id, heavy));
    ligands.push_back(std::move(row.ligand));
  }
  if (ligands.empty()) throw SystemError(fmt::format("no ligand of d_{}_{} can be embedded", atoms, torsions));
  return ligands;
}

}  // namespace quarry::bench
