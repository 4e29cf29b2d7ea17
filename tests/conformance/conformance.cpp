/// Compares Quarry with RDKit on generated SMARTS and some hundred molecules, pair by pair. Both read the raw text: RDKit
/// with SmilesToMol and SmartsToMol. docs/conformance.md says what is compared, and has the record of a run.
///
///   quarry_conformance [SEED [SMARTS [MOLECULES]]]
///
/// Molecules are generated ones, those of the tests and of examples/drugs.smi, and with QUARRY_DATA real ones. Exit status:
/// 0 no difference, 2 a difference that is not RDKit's cap, or an error.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "chemistry/oracle.hpp"
#include "exec/parallel.hpp"
#include "quarry/files/smiles_table.hpp"
#include "quarry/match.hpp"
#include "random_smarts.hpp"
#include "support/molecules/awkward_molecules.hpp"
#include "support/molecules/strings_of.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace quarry;
using match::Mode;

constexpr std::uint64_t kSeed = 20261123;
constexpr Index kNumSmarts = 5000, kNumMolecules = 520, kNumGenerated = 120;
constexpr Index kBatch = 250;              // queries at once, to bound the memory of answers
constexpr Index kMostEmbeddings = 20'000;  // RDKit stores each
constexpr Index kBudget = 50'000'000;
constexpr std::size_t kListed = 20;

struct Totals {
  Index pairs = 0, matching = 0, many = 0, given_up = 0, settled = 0, lost = 0, differences = 0;
  std::vector<std::string> listed, lost_listed;
  void operator+=(const Totals& other) {
    pairs += other.pairs, matching += other.matching, many += other.many, given_up += other.given_up;
    settled += other.settled, lost += other.lost, differences += other.differences;
    listed.insert(listed.end(), other.listed.begin(), other.listed.end());
    lost_listed.insert(lost_listed.end(), other.lost_listed.begin(), other.lost_listed.end());
  }
};

/// Every `step`-th SMILES of a file, at most `most`.
void add_some(std::vector<std::string>& molecules, const std::string& path, Index most) {
  const SmilesTable table = read_smiles(path, {}, Normalize::as_is);
  const Index step = std::max<Index>(1, std::ssize(table.smiles) / std::max<Index>(1, most));
  for (Index i = 0; i < most && i * step < std::ssize(table.smiles); ++i) molecules.push_back(table.smiles[i * step]);
}

/// One SMILES a line, without ids.
std::vector<std::string> molecules_for(test::Random& random, Index wanted) {
  std::vector<std::string> molecules;
  for (Index i = 0; i < std::min(kNumGenerated, wanted); ++i) molecules.push_back(test::random_chain_smiles(random));
  for (const std::string& line : test::awkward_molecules()) molecules.push_back(line.substr(0, line.find(' ')));
  const char* const data = std::getenv("QUARRY_DATA");
  if (data != nullptr) {
    add_some(molecules, std::string(data) + "/molecules/mixed-1m.smi.gz", wanted / 4);
    add_some(molecules, std::string(data) + "/molecules/large-10k.smi.gz", wanted / 50);
  }
  add_some(molecules, QUARRY_SOURCE_DIR "/examples/drugs.smi", wanted);
  molecules.resize(std::min<std::size_t>(molecules.size(), wanted));
  return molecules;
}

Library library_of(const std::vector<std::string>& molecules) {
  const test::TemporaryFolder folder;
  ReadOptions options;
  MoleculeReader reader(folder.write("molecules.smi", test::as_file(molecules)), options);
  auto library = reader.next();
  for (const RejectedRow& row : library->rejected(0)) std::cout << "rejected molecule: " << row.reason << "\n";
  return std::move(*library);
}

/// What Quarry answers in one mode, by pair; pairs that do not match are absent.
using Answers = std::map<std::pair<Index, Index>, match::Hit>;

Answers answers_of(const Library& library, const QuerySet& queries, Mode mode) {
  match::Options options;
  options.mode = mode;
  options.max_matches = kMostEmbeddings;
  options.pair_budget = kBudget;
  const match::Result result = match::run(library, queries, options);
  Answers answers;
  for (Index row = 0; row < result.num_molecules(); ++row)
    for (Index h = result.hit_offsets[row]; h < result.hit_offsets[row + 1]; ++h)
      answers[{row, result.hits[h].query}] = result.hits[h];
  return answers;
}

/// Compares all molecules with some queries.
class Batch {
 public:
  Batch(const Library& library, const std::vector<OracleMolecule>& molecules, const std::vector<std::string>& records,
        const QuerySet& queries)
      : molecules_(molecules), records_(records), queries_(queries) {
    counts_ = answers_of(library, queries, Mode::count);
    uniques_ = answers_of(library, queries, Mode::unique);
    for (const Query& query : queries.accepted) oracles_.emplace_back(query.smarts, queries.hydrogens);
  }

  Totals compare(Index molecule) const {
    Totals totals;
    for (Index query = 0; query < std::ssize(oracles_); ++query) compare(molecule, query, totals);
    return totals;
  }

 private:
  void compare(Index molecule, Index query, Totals& totals) const {
    const auto count = counts_.find({molecule, query}), unique = uniques_.find({molecule, query});
    const match::Hit none;
    const match::Hit& all = count == counts_.end() ? none : count->second;
    const match::Hit& sets = unique == uniques_.end() ? none : unique->second;
    if (all.timeout || sets.timeout || !oracles_[query].comparable()) {
      ++totals.given_up;
      return;
    }
    OracleAnswer truth;
    try {
      truth = oracle_match(molecules_[molecule], oracles_[query], false, kMostEmbeddings);
    } catch (const CapacityError&) {
      ++totals.given_up;
      return;
    }
    ++totals.pairs;
    totals.matching += truth.embeddings > 0;
    totals.many += truth.capped;
    const bool same_sets = truth.capped || sets.overflow || sets.embeddings == truth.unique;
    if (all.embeddings != truth.embeddings || all.truncated != truth.capped || !same_sets) {
      ++totals.differences;
      totals.listed.push_back(text(molecule, query) + ": Quarry " + std::to_string(all.embeddings) + " in " +
                              std::to_string(sets.embeddings) + " sets, RDKit " + std::to_string(truth.embeddings) +
                              " in " + std::to_string(truth.unique));
    }
    if (!truth.recursion_filled) return;
    ++totals.settled;
    const Index capped = oracle_count(molecules_[molecule], oracles_[query], false, kMostEmbeddings);
    if (capped == truth.embeddings) return;
    ++totals.lost;
    totals.lost_listed.push_back(text(molecule, query) + ": " + std::to_string(truth.embeddings) +
                                 ", with RDKit's cap " + std::to_string(capped));
  }

  std::string text(Index molecule, Index query) const {
    return queries_.accepted[query].smarts + "  " + records_[molecule];
  }

  const std::vector<OracleMolecule>& molecules_;
  const std::vector<std::string>& records_;
  const QuerySet& queries_;
  Answers counts_, uniques_;
  std::vector<OracleQuery> oracles_;
};

/// Does RDKit read a SMARTS that Quarry refuses?
bool read_by_rdkit(const std::string& smarts) {
  try {
    return OracleQuery(smarts, QueryHydrogens::literal).comparable();
  } catch (const InputError&) {
    return false;
  }
}

/// Of the SMARTS that one of the two does not take.
struct Refusals {
  Index by_both = 0, by_quarry = 0;
  std::map<std::string, Index> reasons;  ///< of those that RDKit reads
  void count(const RejectedRow& row, const std::string& smarts) {
    const bool alone = read_by_rdkit(smarts);
    ++(alone ? by_quarry : by_both);
    if (alone) ++reasons[row.reason];
  }
};

void list(const char* title, const std::vector<std::string>& lines) {
  if (!lines.empty()) std::cout << title << "\n";
  for (std::size_t i = 0; i < std::min(kListed, lines.size()); ++i) std::cout << "  " << lines[i] << "\n";
}

/// Do Quarry and RDKit hold the same molecules? @return those that differ
Index compare_reading(const Library& library, const std::vector<OracleMolecule>& molecules) {
  Index differing = 0;
  for (Index i = 0; i < library.num_molecules(); ++i) differing += !molecules[i].is(library.molecule(i));
  return differing;
}

Totals compare_all(const Library& library, const std::vector<OracleMolecule>& molecules,
                   const std::vector<std::string>& records, const std::vector<std::string>& smarts,
                   Refusals& refusals) {
  Totals totals;
  for (Index first = 0; first < std::ssize(smarts); first += kBatch) {
    const auto end = smarts.begin() + std::min<Index>(first + kBatch, std::ssize(smarts));
    const std::vector<std::string> batch(smarts.begin() + first, end);
    const QuerySet queries = compile_queries(batch, QueryHydrogens::literal);
    for (const RejectedRow& row : queries.rejected) refusals.count(row, batch[row.line - 1]);
    const Batch work(library, molecules, records, queries);
    std::mutex mutex;
    parallel_for_range(0, library.num_molecules(), 8, [&](Index from, Index to) {
      for (Index i = from; i < to; ++i) {
        const Totals part = work.compare(i);
        const std::lock_guard lock(mutex);
        totals += part;
      }
    });
  }
  std::sort(totals.listed.begin(), totals.listed.end());
  std::sort(totals.lost_listed.begin(), totals.lost_listed.end());
  return totals;
}

int run(std::uint64_t seed, Index num_smarts, Index num_molecules) {
  test::Random random(seed);
  const Library library = library_of(molecules_for(random, num_molecules));
  const std::vector<std::string> records = test::strings_of(library.text(0, /*with_records=*/true).records);
  std::vector<OracleMolecule> molecules;
  for (const std::string& record : records) molecules.emplace_back(record, RecordFormat::smiles, false);
  std::set<std::string> distinct;
  std::vector<std::string> smarts;
  while (std::ssize(smarts) < num_smarts)
    if (std::string text = test::random_smarts(random); distinct.insert(text).second) smarts.push_back(std::move(text));

  const Index misread = compare_reading(library, molecules);
  Refusals refusals;
  const Totals totals = compare_all(library, molecules, records, smarts, refusals);
  list("differences:", totals.listed);
  list("matches that RDKit's cap loses:", totals.lost_listed);
  for (const auto& [reason, times] : refusals.reasons)
    std::cout << "refused by Quarry alone, " << times << ": " << reason << "\n";
  std::cout << "seed " << seed << "; " << smarts.size() << " SMARTS, " << records.size() << " molecules, " << misread
            << " read otherwise; refused by both " << refusals.by_both << ", by Quarry alone " << refusals.by_quarry
            << "; pairs compared " << totals.pairs << ", matching " << totals.matching << ", with more than "
            << kMostEmbeddings << " embeddings " << totals.many << ", given up " << totals.given_up
            << "; settled without RDKit's cap " << totals.settled << ", of which it loses matches in " << totals.lost
            << "; differences " << totals.differences << std::endl;
  return totals.differences == 0 && misread == 0 && totals.pairs > 0 ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto number = [&](int i, std::uint64_t otherwise) { return argc > i ? std::stoull(argv[i]) : otherwise; };
    return run(number(1, kSeed), static_cast<Index>(number(2, kNumSmarts)),
               static_cast<Index>(number(3, kNumMolecules)));
  } catch (const std::exception& error) {
    std::cerr << "quarry_conformance: " << error.what() << "\n";
    return 2;
  }
}
