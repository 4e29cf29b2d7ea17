/// What a molecule is searched with, what it stands beside and how many threads work never change its answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "support/molecules/match_cases.hpp"
#include "support/molecules/random_molecules.hpp"
#include "support/print.hpp"
#include "support/random.hpp"

namespace quarry::test {
namespace {

using match::Mode;

const std::vector<Mode> kModes = {Mode::first, Mode::all, Mode::count, Mode::unique};

void expect_equal_pair(const Pair& one, const Pair& other, const Molecule& molecule, const Pattern& pattern) {
  ASSERT_EQ(one.hit == nullptr, other.hit == nullptr) << to_text(molecule) << "\n" << to_text(pattern);
  if (one.hit == nullptr) return;
  ASSERT_EQ(one.hit->embeddings, other.hit->embeddings) << to_text(molecule) << "\n" << to_text(pattern);
  ASSERT_EQ(one.stored, other.stored) << to_text(molecule) << "\n" << to_text(pattern);
}

std::vector<std::size_t> shuffled_indices(Random& random, std::size_t count) {
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  random.shuffle(indices);
  return indices;
}

TEST(MatchOrder, ABatchOfOneEqualsTheSameMoleculeInALargeBatch) {
  const MatchCase made = random_match_case(0x0AE, sized(120, 30));
  for (const Mode mode : kModes) {
    const match::Result batch = run_match(made.molecules, made.patterns, in_mode(mode));
    for (std::size_t m = 0; m < made.molecules.size(); ++m) {
      const match::Result alone = run_match({made.molecules[m]}, made.patterns, in_mode(mode));
      ASSERT_EQ(alone.num_molecules(), 1);
      for (std::size_t q = 0; q < made.patterns.size(); ++q) {
        const auto num_atoms = std::ssize(made.patterns[q].atoms);
        expect_equal_pair(pair_of(alone, 0, q, num_atoms), pair_of(batch, m, q, num_atoms), made.molecules[m],
                          made.patterns[q]);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(MatchOrder, OrderOfMoleculesAndOfQueriesDoesNotMatter) {
  const MatchCase made = random_match_case(0x04DE4, 120);
  Random random(0x5417);
  const auto molecule_order = shuffled_indices(random, made.molecules.size());
  const auto query_order = shuffled_indices(random, made.patterns.size());
  MatchCase moved;
  for (const auto index : molecule_order) moved.molecules.push_back(made.molecules[index]);
  for (const auto index : query_order) moved.patterns.push_back(made.patterns[index]);
  for (const Mode mode : kModes) {
    const match::Result before = run_match(made.molecules, made.patterns, in_mode(mode));
    const match::Result after = run_match(moved.molecules, moved.patterns, in_mode(mode));
    for (std::size_t m = 0; m < moved.molecules.size(); ++m) {
      for (std::size_t q = 0; q < moved.patterns.size(); ++q) {
        const auto num_atoms = std::ssize(moved.patterns[q].atoms);
        expect_equal_pair(pair_of(after, m, q, num_atoms),
                          pair_of(before, molecule_order[m], query_order[q], num_atoms), moved.molecules[m],
                          moved.patterns[q]);
        if (HasFatalFailure()) return;
      }
    }
  }
}

/// Equal queries are searched once in some modes.
TEST(MatchOrder, EqualQueriesHaveEqualHits) {
  const MatchCase made = random_match_case(0xE90A1, 60);
  Random random(0xE9);
  std::vector<std::size_t> originals;
  std::vector<Pattern> with_copies;
  for (std::size_t q = 0; q < made.patterns.size(); ++q) originals.insert(originals.end(), random.between(1, 3), q);
  random.shuffle(originals);
  for (const std::size_t q : originals) with_copies.push_back(made.patterns[q]);
  for (const Mode mode : kModes) {
    match::Options options = in_mode(mode);
    options.max_matches = mode == Mode::first ? 0 : 3;
    options.pair_budget = 200;
    const match::Result once = run_match(made.molecules, made.patterns, options);
    const match::Result copies = run_match(made.molecules, with_copies, options);
    for (std::size_t m = 0; m < made.molecules.size(); ++m) {
      ASSERT_TRUE(std::is_sorted(copies.hits.begin() + copies.hit_offsets[m],
                                 copies.hits.begin() + copies.hit_offsets[m + 1],
                                 [](const auto& one, const auto& other) { return one.query < other.query; }));
      for (std::size_t q = 0; q < originals.size(); ++q) {
        const auto num_atoms = std::ssize(with_copies[q].atoms);
        expect_equal_pair(pair_of(copies, m, q, num_atoms), pair_of(once, m, originals[q], num_atoms),
                          made.molecules[m], with_copies[q]);
        if (HasFatalFailure()) return;
      }
    }
  }
}

Pattern with_atoms_shuffled(Random& random, const Pattern& pattern) {
  const auto new_index = shuffled_indices(random, pattern.atoms.size());
  Pattern result = pattern;
  for (std::size_t a = 0; a < new_index.size(); ++a) {
    result.atoms[new_index[a]] = pattern.atoms[a];
    if (!pattern.component_group.empty()) result.component_group[new_index[a]] = pattern.component_group[a];
  }
  for (PatternBond& bond : result.bonds) {
    bond.begin = static_cast<std::uint32_t>(new_index[bond.begin]);
    bond.end = static_cast<std::uint32_t>(new_index[bond.end]);
  }
  random.shuffle(result.bonds);
  return result;
}

/// Where no embeddings are stored, such queries are searched once.
TEST(MatchOrder, OrderOfTheAtomsOfAQueryDoesNotMatter) {
  const MatchCase made = random_match_case(0x5F1E, sized(120, 30));
  Random random(0x5F);
  std::vector<Pattern> twice;
  for (const Pattern& pattern : made.patterns) {
    ASSERT_TRUE(pattern.chiral_atoms.empty() && pattern.stereo_bonds.empty());
    twice.push_back(with_atoms_shuffled(random, pattern));
    twice.push_back(with_atoms_shuffled(random, pattern));
  }
  for (const auto& [mode, max_matches] : {std::pair(Mode::first, 0), {Mode::count, 0}, {Mode::count, 3}}) {
    match::Options options = in_mode(mode);
    options.max_matches = max_matches;
    const match::Result shuffled = run_match(made.molecules, twice, options);
    for (std::size_t q = 0; q < twice.size(); ++q) {
      const match::Result alone = run_match(made.molecules, {made.patterns[q / 2]}, options);
      for (std::size_t m = 0; m < made.molecules.size(); ++m) {
        expect_equal_pair(pair_of(shuffled, m, q, 1), pair_of(alone, m, 0, 1), made.molecules[m], twice[q]);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(MatchOrder, AQueryAloneEqualsTheSameQueryInASet) {
  const MatchCase made = random_match_case(0xA10E, 60);
  const match::Result set = run_match(made.molecules, made.patterns, in_mode(Mode::all));
  for (std::size_t q = 0; q < made.patterns.size(); ++q) {
    const match::Result alone = run_match(made.molecules, {made.patterns[q]}, in_mode(Mode::all));
    const auto num_atoms = std::ssize(made.patterns[q].atoms);
    for (std::size_t m = 0; m < made.molecules.size(); ++m) {
      expect_equal_pair(pair_of(alone, m, 0, num_atoms), pair_of(set, m, q, num_atoms), made.molecules[m],
                        made.patterns[q]);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(MatchOrder, AnyNumberOfThreadsGivesTheSameBytes) {
  const MatchCase made = random_match_case(0x74EAD, sized(3000, 1000));
  const Library library = Library::from_molecules(made.molecules);
  const QuerySet queries = query_set(made.patterns);
  for (const Mode mode : kModes) {
    match::Options options = in_mode(mode);
    options.threads = 1;
    const match::RunResult expected = match::run(library, queries, options);
    for (std::size_t m = 0; m < made.molecules.size() && mode == Mode::count; m += 50) {
      for (std::size_t q = 0; q < made.patterns.size(); ++q) {
        const match::Hit* hit = pair_of(expected, m, q, 1).hit;
        ASSERT_EQ(hit == nullptr ? 0 : hit->embeddings, reference::count(made.molecules[m], made.patterns[q]))
            << to_text(made.molecules[m]) << "\n"
            << to_text(made.patterns[q]);
      }
    }
    for (options.threads = 2; options.threads <= 4; ++options.threads) {
      const match::RunResult found = match::run(library, queries, options);
      EXPECT_TRUE(same_result(expected, found)) << options.threads << " threads, mode " << name_of(mode);
      EXPECT_EQ(found.statistics.hits, expected.statistics.hits);
      EXPECT_EQ(found.statistics.embeddings, expected.statistics.embeddings);
      EXPECT_EQ(found.statistics.candidates, expected.statistics.candidates);
      EXPECT_EQ(found.statistics.refined, expected.statistics.refined);
      EXPECT_EQ(found.statistics.mapped_pairs, expected.statistics.mapped_pairs);
    }
  }
}

/// Chunks hold 16,384 molecules: a library of several gives for each molecule what it gives alone.
TEST(MatchOrder, SeveralChunksAreOneLibrary) {
  const MatchCase made = random_match_case(0xC4, 50);
  const Index total = kChunkMolecules + 1;
  std::vector<Molecule> molecules;
  for (Index m = 0; m < total; ++m) molecules.push_back(made.molecules[m % 50]);
  const std::vector<Pattern> patterns(made.patterns.begin(), made.patterns.begin() + 6);
  const match::Result few = run_match(made.molecules, patterns, in_mode(Mode::count));
  const match::Result many = run_match(molecules, patterns, in_mode(Mode::count));
  ASSERT_EQ(many.num_molecules(), total);
  for (Index m = 0; m < total; ++m) {
    const auto begin = many.hits.begin() + many.hit_offsets[m];
    const auto end = many.hits.begin() + many.hit_offsets[m + 1];
    const Index row = m % 50;
    ASSERT_TRUE(
        std::equal(begin, end, few.hits.begin() + few.hit_offsets[row], few.hits.begin() + few.hit_offsets[row + 1]))
        << "molecule " << m;
  }
}

TEST(MatchOrder, ResultsArriveInOrderAndAddUpToTheWhole) {
  const MatchCase made = random_match_case(0x51A, 2500);
  const Library library = Library::from_molecules(made.molecules);
  const QuerySet queries = query_set(made.patterns);
  match::Options options = in_mode(Mode::all);
  options.threads = 3;
  const match::Result whole = match::run(library, queries, options);
  match::Matcher matcher(queries, options);
  for (int repeat = 0; repeat < 2; ++repeat) {
    Index next = 0;
    std::vector<match::Hit> hits;
    std::vector<std::uint32_t> mappings;
    const match::Statistics statistics = matcher.run(library, [&](const match::Result& part) {
      EXPECT_EQ(part.first_molecule, next);
      next += part.num_molecules();
      hits.insert(hits.end(), part.hits.begin(), part.hits.end());
      mappings.insert(mappings.end(), part.mappings.begin(), part.mappings.end());
    });
    EXPECT_EQ(next, library.num_molecules());
    EXPECT_EQ(hits, whole.hits);
    EXPECT_EQ(mappings, whole.mappings);
    EXPECT_EQ(statistics.molecules, library.num_molecules());
    EXPECT_EQ(statistics.pairs, library.num_molecules() * std::ssize(made.patterns));
    EXPECT_EQ(statistics.hits, std::ssize(whole.hits));
  }
}

}  // namespace
}  // namespace quarry::test
