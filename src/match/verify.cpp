/// A sample of pairs, hits and non-hits alike, read and matched again by RDKit.
///
/// Whether a pair is in the sample depends on library index, query index and seed alone, so that the same pairs are checked
/// however a run is split and ordered, and on any number of threads. A molecule is parsed only if one of its pairs is
/// sampled.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "chemistry/oracle.hpp"
#include "chemistry/stereo/resolve_stereo.hpp"
#include "exec/parallel.hpp"
#include "quarry/match.hpp"
#include "util/random.hpp"

namespace quarry::match {
namespace {

constexpr std::size_t kMaxDisagreements = 100;
// Molecules of one piece of parallel work: to parse one takes tens of microseconds.
constexpr Index kGrain = 8;

/// Which pairs to check: each pair has a random number of 64 bits, and those below a limit are in the sample.
class Sample {
 public:
  Sample(double percent, std::uint64_t seed) : seed_(mixed_bits(seed)) {
    if (!(percent > 0 && percent <= 100)) {
      throw InputError("the share of pairs to verify must be above 0 and at most 100 percent, not " +
                       std::to_string(percent));
    }
    constexpr double kNumbers = 18446744073709551616.0;  // 2^64
    everything_ = percent == 100;
    limit_ = everything_ ? 0 : static_cast<std::uint64_t>(percent / 100 * kNumbers);
  }
  /// The molecule's part of the random numbers of its pairs.
  std::uint64_t molecule_bits(Index molecule) const { return mixed_bits(seed_ ^ molecule); }
  bool has(std::uint64_t molecule_bits, std::size_t query) const {
    return everything_ || mixed_bits(molecule_bits + query) < limit_;
  }

 private:
  std::uint64_t seed_, limit_ = 0;
  bool everything_ = false;
};

/// An answer for a pair.
struct Answer {
  Index embeddings = 0;
  bool more = false;  ///< there are more than that
  bool operator==(const Answer&) const = default;
  Index least() const { return embeddings + (more ? 1 : 0); }
};

/// Nothing where RDKit does not read the query as Quarry does, or would search for too long.
std::optional<OracleAnswer> ask_oracle(const OracleMolecule& molecule, const OracleQuery& query, bool chirality,
                                       Index max_matches) {
  if (!query.comparable(chirality)) return std::nullopt;
  try {
    return oracle_match(molecule, query, chirality, max_matches);
  } catch (const CapacityError&) {
    return std::nullopt;
  }
}

/// What Quarry must answer with these options, from RDKit; nothing where RDKit's answer cannot be compared.
std::optional<Answer> oracle_answer(const OracleMolecule& molecule, const OracleQuery& query, const Options& options) {
  const bool first = options.mode == Mode::first, unique = options.mode == Mode::unique;
  // An embedding with a new set of atoms may be the last, so that unique sets need every embedding.
  const Index limit = first ? 1 : unique ? 0 : options.max_matches;
  const std::optional<OracleAnswer> oracle = ask_oracle(molecule, query, options.chirality, limit);
  if (!oracle || (limit == 0 && oracle->capped && !first)) return std::nullopt;
  if (first) return Answer{oracle->embeddings, false};
  const Index found = unique ? oracle->unique : oracle->embeddings;
  const bool more = oracle->capped || (options.max_matches > 0 && found > options.max_matches);
  return Answer{more ? options.max_matches : found, more};
}

/// As `oracle_answer` for a query that asks for a number of matches: nothing, or one more than its embeddings.
std::optional<Answer> counted_oracle_answer(const OracleMolecule& molecule, const OracleQuery& oracle_query,
                                            const Query& query, const Options& options) {
  const std::optional<OracleAnswer> oracle = ask_oracle(molecule, oracle_query, options.chirality, 0);
  if (!oracle || oracle->capped) return std::nullopt;
  if (oracle->unique < query.least || oracle->unique > query.most) return Answer{};
  const Index found = options.mode == Mode::unique ? oracle->unique : oracle->embeddings;
  return Answer{1 + (options.mode == Mode::first ? std::min<Index>(found, 1) : found), false};
}

/// RDKit's form of the queries of the sampled pairs alone: to compile all would take longer than a small sample.
using OracleQueries = std::vector<std::optional<OracleQuery>>;

OracleQueries compile_sampled(const QuerySet& queries, const Sample& sample, Index first, Index last) {
  OracleQueries oracles(queries.accepted.size());
  for (Index molecule = first; molecule < last; ++molecule) {
    const std::uint64_t bits = sample.molecule_bits(molecule);
    for (std::size_t query = 0; query < oracles.size(); ++query) {
      if (oracles[query] || !sample.has(bits, query)) continue;
      oracles[query].emplace(queries.accepted[query].smarts, queries.hydrogens);
    }
  }
  return oracles;
}

/// Rechecks the molecules of one chunk.
class ChunkCheck {
 public:
  ChunkCheck(const Library& library, Index chunk, const QuerySet& queries, const OracleQueries& oracles,
             const Options& options, const Result& result, const Sample& sample)
      : library_(library),
        queries_(queries),
        oracles_(oracles),
        options_(options),
        result_(result),
        sample_(sample),
        first_molecule_(library.first_molecule(chunk)),
        text_(library.text(chunk, /*with_records=*/true)) {}

  Agreement check(Index molecule) const {
    Agreement agreement;
    const std::uint64_t bits = sample_.molecule_bits(molecule);
    std::optional<OracleMolecule> parsed;
    for (std::size_t query = 0; query < oracles_.size(); ++query) {
      if (!sample_.has(bits, query)) continue;
      if (!parsed) {
        parsed.emplace(parse(molecule));
        compare_reading(molecule, *parsed, agreement);
      }
      compare(molecule, query, *parsed, agreement);
    }
    return agreement;
  }

 private:
  Index row_in_chunk(Index molecule) const { return molecule - first_molecule_; }

  OracleMolecule parse(Index molecule) const {
    std::string record(text_.records[row_in_chunk(molecule)]);
    // Columns of the row follow a SMILES where they are kept (ReadOptions::keep_columns).
    if (library_.provenance().format == RecordFormat::smiles) record.resize(std::min(record.find('\t'), record.size()));
    const std::string id(text_.ids[row_in_chunk(molecule)]);
    if (record.empty()) throw InputError("molecule '" + id + "' cannot be verified: the library keeps no record of it");
    try {
      return OracleMolecule(record, library_.provenance().format, library_.provenance().explicit_hydrogens);
    } catch (const InputError& error) {
      throw InputError("molecule '" + id + "' cannot be verified: " + error.what());
    }
  }

  void compare_reading(Index molecule, const OracleMolecule& parsed, Agreement& agreement) const {
    ++agreement.rows;
    if (parsed.is(library_.molecule(molecule), !has_raw_stereo(library_))) {
      ++agreement.rows_agreed;
    } else if (agreement.misread.size() < kMaxDisagreements) {
      agreement.misread.emplace_back(text_.ids[row_in_chunk(molecule)]);
    }
  }

  const Hit* hit_of(Index molecule, std::size_t query) const {
    const Index row = molecule - result_.first_molecule;
    const auto begin = result_.hits.begin() + result_.hit_offsets[row];
    const auto end = result_.hits.begin() + result_.hit_offsets[row + 1];
    const auto hit = std::lower_bound(begin, end, query, [](const Hit& a, std::size_t b) { return a.query < b; });
    return hit != end && hit->query == query ? &*hit : nullptr;
  }

  void compare(Index molecule, std::size_t query, const OracleMolecule& parsed, Agreement& agreement) const {
    const Hit* hit = hit_of(molecule, query);
    const Query& asked = queries_.accepted[query];
    // Of a pair that was given up, and of one whose number of matches is cut short, nothing is claimed.
    const bool undecided = hit != nullptr && (hit->timeout || hit->overflow || (asked.is_counted() && hit->truncated));
    const std::optional<Answer> oracle = undecided ? std::nullopt
                                         : asked.is_counted()
                                             ? counted_oracle_answer(parsed, *oracles_[query], asked, options_)
                                             : oracle_answer(parsed, *oracles_[query], options_);
    if (!oracle) {
      ++agreement.not_comparable;
      return;
    }
    const Index more = asked.is_counted() ? 1 : 0;
    const Answer ours = hit != nullptr ? Answer{hit->embeddings + more, hit->truncated} : Answer{};
    ++agreement.checked;
    if (ours == *oracle) {
      ++agreement.agreed;
    } else if (agreement.disagreements.size() < kMaxDisagreements) {
      agreement.disagreements.push_back(
          {std::string(text_.ids[row_in_chunk(molecule)]), queries_.accepted[query].id, ours.least(), oracle->least()});
    }
  }

  const Library& library_;
  const QuerySet& queries_;
  const OracleQueries& oracles_;
  const Options& options_;
  const Result& result_;
  const Sample& sample_;
  Index first_molecule_;
  ChunkText text_;
};

void add(Agreement& sum, const Agreement& part) {
  sum.checked += part.checked;
  sum.agreed += part.agreed;
  sum.not_comparable += part.not_comparable;
  sum.rows += part.rows;
  sum.rows_agreed += part.rows_agreed;
  for (const auto& id : part.misread) {
    if (sum.misread.size() < kMaxDisagreements) sum.misread.push_back(id);
  }
  for (const auto& disagreement : part.disagreements) {
    if (sum.disagreements.size() < kMaxDisagreements) sum.disagreements.push_back(disagreement);
  }
}

}  // namespace

Agreement verify(const Library& library, const QuerySet& queries, const Options& options, const Result& result,
                 double percent, std::uint64_t seed) {
  const Sample sample(percent, seed);
  const Index end = result.first_molecule + result.num_molecules();
  if (result.first_molecule < 0 || end > library.num_molecules()) {
    throw InputError("the result to verify ends at molecule " + std::to_string(end) + ", but the library has " +
                     std::to_string(library.num_molecules()));
  }
  const OracleQueries oracles = compile_sampled(queries, sample, result.first_molecule, end);
  Agreement total;
  for (const auto& oracle : oracles) total.queries_read.push_back(oracle.has_value());
  const Index begin = result.num_molecules() > 0 ? library.chunk_with(result.first_molecule) : library.num_chunks();
  for (Index chunk = begin; chunk < library.num_chunks() && library.first_molecule(chunk) < end; ++chunk) {
    const Index first = std::max(library.first_molecule(chunk), result.first_molecule);
    const Index last = std::min(library.first_molecule(chunk) + library.num_molecules(chunk), end);
    if (first >= last) continue;
    const ChunkCheck check(library, chunk, queries, oracles, options, result, sample);
    std::vector<Agreement> parts(last - first);
    library.in_chunk(chunk, [&] {
      parallel_for_range(options.threads, last - first, kGrain, [&](Index from, Index to) {
        for (Index i = from; i < to; ++i) parts[i] = check.check(first + i);
      });
    });
    for (const Agreement& part : parts) add(total, part);
  }
  return total;
}

}  // namespace quarry::match
