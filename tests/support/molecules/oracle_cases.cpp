/// Quarry's answers first, for all pairs; then RDKit's, molecule by molecule, each thread with queries of its own.
#include "support/molecules/oracle_cases.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "chemistry/oracle.hpp"
#include "reference/match.hpp"
#include "support/molecules/match_cases.hpp"

namespace quarry::test {
namespace {

using match::Mode;

constexpr std::size_t kMaxDisagreements = 10;
/// RDKit keeps every embedding it counts: where there are more, src/reference counts them.
constexpr Index kOracleLimit = 200'000;

struct Answer {
  bool found = false;
  Index embeddings = 0, unique = 0;
  bool operator==(const Answer&) const = default;
};

std::string to_text(const Answer& answer) {
  return std::string(answer.found ? "match" : "no match") + ", " + std::to_string(answer.embeddings) + " embeddings, " +
         std::to_string(answer.unique) + " unique";
}

/// Quarry's answers, [molecules, queries].
std::vector<Answer> quarry_answers(const Library& library, const QuerySet& queries, bool chirality) {
  const auto num_queries = queries.accepted.size();
  std::vector<Answer> answers(library.num_molecules() * num_queries);
  for (const Mode mode : {Mode::first, Mode::count, Mode::unique}) {
    match::Options options = in_mode(match::Mode::first);
    options.mode = mode;
    options.chirality = chirality;
    const match::Result result = match::run(library, queries, options);
    for (std::size_t m = 0; m + 1 < result.hit_offsets.size(); ++m) {
      for (Index h = result.hit_offsets[m]; h < result.hit_offsets[m + 1]; ++h) {
        const match::Hit& hit = result.hits[h];
        Answer& answer = answers[m * num_queries + hit.query];
        if (mode == Mode::first) answer.found = true;
        if (mode == Mode::count) answer.embeddings = hit.embeddings;
        if (mode == Mode::unique) answer.unique = hit.embeddings;
      }
    }
  }
  return answers;
}

/// The work of one thread.
class Comparer {
 public:
  Comparer(const Library& library, const QuerySet& queries, const std::vector<std::string>& records, bool chirality)
      : library_(library), queries_(queries), records_(records), chirality_(chirality) {
    for (const Query& query : queries.accepted) oracles_.emplace_back(query.smarts, queries.hydrogens);
  }

  void compare(Index index, const Answer* answers) {
    const Provenance& provenance = library_.provenance();
    const OracleMolecule oracle_molecule(records_[index], provenance.format, provenance.explicit_hydrogens);
    const Molecule molecule = library_.molecule(index);
    for (std::size_t q = 0; q < oracles_.size(); ++q) {
      const Answer truth = true_answer(molecule, oracle_molecule, q);
      ++result.pairs;
      result.matching += truth.found ? 1 : 0;
      if (truth == answers[q] || result.disagreements.size() >= kMaxDisagreements) continue;
      result.disagreements.push_back(records_[index] + "  " + queries_.accepted[q].smarts +
                                     "  Quarry: " + to_text(answers[q]) + "; truth: " + to_text(truth));
    }
    ++result.molecules;
  }

  Comparison result;

 private:
  Answer true_answer(const Molecule& molecule, const OracleMolecule& oracle_molecule, std::size_t query) {
    if (oracles_[query].comparable(chirality_)) {
      const OracleAnswer oracle = oracle_match(oracle_molecule, oracles_[query], chirality_, kOracleLimit);
      result.capped += oracle.recursion_filled && !oracle.capped ? 1 : 0;
      if (!oracle.capped) return {oracle.embeddings > 0, oracle.embeddings, oracle.unique};
      ++result.capped;
    } else {
      ++result.not_comparable;
    }
    const Pattern& pattern = queries_.accepted[query].pattern;
    const Index embeddings = reference::count(molecule, pattern, chirality_);
    return {embeddings > 0, embeddings, reference::count_unique(molecule, pattern, chirality_)};
  }

  const Library& library_;
  const QuerySet& queries_;
  const std::vector<std::string>& records_;
  bool chirality_;
  std::vector<OracleQuery> oracles_;
};

}  // namespace

Comparison& Comparison::operator+=(const Comparison& other) {
  pairs += other.pairs;
  matching += other.matching;
  capped += other.capped;
  not_comparable += other.not_comparable;
  molecules += other.molecules;
  disagreements.insert(disagreements.end(), other.disagreements.begin(), other.disagreements.end());
  return *this;
}

std::string to_text(const Comparison& comparison) {
  std::string text = std::to_string(comparison.pairs) + " pairs of " + std::to_string(comparison.molecules) +
                     " molecules, " + std::to_string(comparison.matching) +
                     " match; compared with src/reference: " + std::to_string(comparison.capped) +
                     " that RDKit cuts short, " + std::to_string(comparison.not_comparable) + " that it cannot answer";
  for (const std::string& disagreement : comparison.disagreements) text += "\n  " + disagreement;
  return text;
}

Comparison compare_with_oracle(const Library& library, const QuerySet& queries, bool chirality) {
  const std::vector<Answer> answers = quarry_answers(library, queries, chirality);
  std::vector<std::string> records;
  for (Index chunk = 0; chunk < library.num_chunks(); ++chunk) {
    const ChunkText text = library.text(chunk, /*with_records=*/true);
    records.insert(records.end(), text.records.begin(), text.records.end());
  }
  std::atomic<Index> next = 0;
  std::mutex mutex;
  Comparison total;
  const auto work = [&] {
    Comparison part;
    try {
      Comparer comparer(library, queries, records, chirality);
      for (Index index = next++; index < library.num_molecules(); index = next++) {
        comparer.compare(index, answers.data() + index * queries.accepted.size());
      }
      part = comparer.result;
    } catch (const std::exception& error) {  // must not leave the thread
      part.disagreements.push_back(error.what());
    }
    const std::lock_guard lock(mutex);
    total += part;
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < std::max(1U, std::thread::hardware_concurrency()); ++thread) {
      threads.emplace_back(work);
    }
  }
  return total;
}

Library read_library(const std::string& path, bool explicit_hydrogens) {
  ReadOptions options;
  options.explicit_hydrogens = explicit_hydrogens;
  MoleculeReader reader(path, options);
  auto library = reader.next();
  if (!library || reader.report().rejected > 0) {
    const auto rejected = library ? library->rejected(0) : std::vector<RejectedRow>{};
    throw std::runtime_error(path + ": " + (rejected.empty() ? "no row" : rejected[0].id + " " + rejected[0].reason));
  }
  if (reader.next()) throw std::runtime_error(path + " has more rows than one chunk");
  return std::move(*library);
}

}  // namespace quarry::test
