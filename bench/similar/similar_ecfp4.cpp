/// ECFP4 beside RDKit in the same run: making the bits, all against all, and one query of a mapped library. Bits and
/// similarities are compared before anything is timed.
#include <DataStructs/BitOps.h>
#include <DataStructs/ExplicitBitVect.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>

#include "bench/similar/similar_workload.hpp"
#include "chemistry/fingerprints/ecfp.hpp"
#include "quarry/error.hpp"
#include "quarry/similar.hpp"

namespace quarry::bench {
namespace {

using similar::Fingerprints;

constexpr Index kRdkitRows = 20, kFirstMolecules = 2'000, kQueries = 51;
const similar::Definition kEcfp4{similar::Metric::ecfp4};

similar::SearchOptions ten_nearest() {
  similar::SearchOptions options;
  options.threads = 1;
  options.k = 10;
  return options;
}

/// Seconds a molecule of one way to make the bits, and all bits.
template <class BitsOf>
double time_bits(std::span<const std::string> smiles, BitsOf&& bits_of, std::vector<std::vector<std::uint32_t>>& all) {
  all.clear();
  const double seconds = time_of([&] {
                           for (const std::string& one : smiles) all.push_back(bits_of(one));
                         }).cpu;
  return seconds / std::ssize(smiles);
}

Json compare_bits(std::span<const std::string> smiles) {
  EcfpReader reader(similar::kEcfpRadius, similar::kEcfpBits);
  std::vector<std::vector<std::uint32_t>> ours, theirs;
  const double own = time_bits(
      smiles, [&](const std::string& one) { return reader.bits(one); }, ours);
  const double rdkit = time_bits(
      smiles, [](const std::string& one) { return rdkit_ecfp_bits(one, similar::kEcfpRadius, similar::kEcfpBits); },
      theirs);
  if (ours != theirs) throw SystemError("the ECFP4 bits are not RDKit's, so their time means nothing");
  fmt::print(
      "\nECFP4 of {} molecules from SMILES, all bits RDKit's: {:.1f} us a molecule; RDKit {:.1f}, {:.0f} times\n",
      smiles.size(), 1e6 * own, 1e6 * rdkit, rdkit / own);
  return {{"molecules", smiles.size()}, {"seconds", own}, {"rdkit_seconds", rdkit}};
}

std::vector<std::unique_ptr<ExplicitBitVect>> rdkit_vectors(std::span<const std::string> smiles) {
  std::vector<std::unique_ptr<ExplicitBitVect>> vectors;
  EcfpReader reader(similar::kEcfpRadius, similar::kEcfpBits);
  for (const std::string& one : smiles) {
    vectors.push_back(std::make_unique<ExplicitBitVect>(similar::kEcfpBits));
    for (const std::uint32_t bit : reader.bits(one)) vectors.back()->setBit(bit);
  }
  return vectors;
}

Json compare_pairs(std::span<const std::string> smiles) {
  const auto vectors = rdkit_vectors(smiles);
  std::vector<float> expected;
  const double rdkit = std::ssize(smiles) * 1.0 * kRdkitRows /
                       time_of([&] {
                         for (Index row = 0; row < kRdkitRows; ++row) {
                           for (const auto& other : vectors)
                             expected.push_back(static_cast<float>(TanimotoSimilarity(*vectors[row], *other)));
                         }
                       }).cpu;
  const Fingerprints molecules = Fingerprints::of_smiles(smiles, kEcfp4, 1);
  std::size_t next = 0, equal = 0;
  const auto compare = [&](bool check) {
    similar::Options options;
    options.threads = 1;
    similar::matrix(
        molecules, molecules,
        [&](Index, std::span<const float> values) {
          for (std::size_t i = 0; check && i < values.size() && next < expected.size(); ++i)
            equal += values[i] == expected[next++];
        },
        options);
  };
  compare(true);
  if (equal != expected.size()) throw SystemError("the ECFP4 similarities are not RDKit's");
  const double own = 1.0 * smiles.size() * smiles.size() / time_of([&] { compare(false); }).cpu;
  fmt::print(
      "  all against all, {} molecules, {} values equal to RDKit's: {:.0f} M pairs/s; RDKit's "
      "TanimotoSimilarity {:.1f}, {:.0f} times\n",
      smiles.size(), equal, own / 1e6, rdkit / 1e6, own / rdkit);
  return {{"molecules", smiles.size()}, {"pairs_per_second", own}, {"rdkit_pairs_per_second", rdkit}};
}

Json time_queries(const SimilarWorkload& workload, std::span<const std::string> smiles, const WorkFolder& folder) {
  const std::string rows = folder.file("ecfp4.smi"), path = folder.file("ecfp4.qlib");
  {
    std::ofstream file(rows);
    for (std::size_t i = 0; i < smiles.size(); ++i) file << smiles[i] << ' ' << i + 1 << '\n';
  }
  index_file(rows, path, 0, {kEcfp4});
  std::optional<Library> library;
  std::optional<Fingerprints> columns;
  const auto query = [&](Index i) { return Fingerprints::of_smiles({&workload.smiles[i], 1}, kEcfp4); };
  const double first = time_of([&] {
                         library = Library::open(path);
                         columns = Fingerprints::of_library(*library, kEcfp4);
                         (void)similar::search(query(0), *columns, ten_nearest());
                       }).cpu;
  std::vector<double> seconds;
  for (Index i = 0; i < kQueries; ++i) {
    const auto row = query(i);
    seconds.push_back(time_of([&] { (void)similar::search(row, *columns, ten_nearest()); }).cpu);
  }
  Index bytes = 0;
  for (const auto& section : library->sections()) bytes += section.name == "fingerprints" ? section.bytes : 0;
  fmt::print(
      "  10 nearest of one query among {} stored ({:.1f} bytes a molecule): {:.2f} ms; the first, with opening, "
      "{:.0f} ms (goal 100, start included)\n",
      smiles.size(), 1.0 * bytes / std::ssize(smiles), 1e3 * median(seconds), 1e3 * first);
  return {{"molecules", smiles.size()}, {"seconds", median(seconds)}, {"first", first}, {"bytes", bytes}};
}

}  // namespace

Json ecfp4_section(const SimilarWorkload& workload, const WorkFolder& folder) {
  const std::span<const std::string> smiles(workload.smiles);
  const Index pairs = std::min<Index>(workload.effort.matrix_molecules, std::ssize(smiles));
  const Index searched = std::min<Index>(50'000, std::ssize(smiles));
  Json section;
  section["bits"] = compare_bits(smiles.first(kFirstMolecules));
  section["matrix"] = compare_pairs(smiles.first(pairs));
  section["single_query"] = time_queries(workload, smiles.first(searched), folder);
  return section;
}

}  // namespace quarry::bench
