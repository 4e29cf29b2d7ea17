/// Results against brute force: embeddings are compared as sorted lists, so that search order does not matter here.
#include "support/match_cases.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "support/print.hpp"
#include "support/random_molecules.hpp"

namespace quarry::test {

using match::Mode;
using reference::Embedding;

MatchCase random_match_case(std::uint64_t seed, Index num_molecules) {
  Random random(seed);
  MatchCase made;
  made.molecules = small_molecules(random, num_molecules);
  made.patterns = random_patterns(random, 40, made.molecules, {});
  return made;
}

QuerySet query_set(const std::vector<Pattern>& patterns) {
  QuerySet queries;
  for (const Pattern& pattern : patterns) {
    const std::string id = std::to_string(queries.queries.size() + 1);
    queries.queries.push_back({id, "pattern " + id, pattern});
  }
  return queries;
}

match::Result run_match(const std::vector<Molecule>& molecules, const std::vector<Pattern>& patterns,
                        const match::Options& options) {
  return match::run(Library::from_molecules(molecules), query_set(patterns), options);
}

match::Options in_mode(Mode mode) {
  match::Options options;
  options.device = test_device();
  options.mode = mode;
  return options;
}

Pair pair_of(const match::Result& result, Index molecule, Index query, Index num_atoms) {
  Pair pair;
  const auto row = static_cast<std::size_t>(molecule);
  for (Index h = result.hit_offsets[row]; h < result.hit_offsets[row + 1]; ++h) {
    const auto hit = static_cast<std::size_t>(h);
    if (result.hits[hit].query != static_cast<std::uint32_t>(query)) continue;
    pair.hit = &result.hits[hit];
    if (result.mapping_offsets.empty()) break;
    for (Index at = result.mapping_offsets[hit]; at < result.mapping_offsets[hit + 1]; at += num_atoms) {
      pair.stored.emplace_back(result.mappings.begin() + at, result.mappings.begin() + at + num_atoms);
    }
  }
  return pair;
}

::testing::AssertionResult same_result(const match::Result& one, const match::Result& other) {
  const auto differ = [](const std::string& what) { return ::testing::AssertionFailure() << what << " differ"; };
  if (one.first_molecule != other.first_molecule) return differ("first molecules");
  if (one.hit_offsets != other.hit_offsets) return differ("hit offsets");
  if (one.hits != other.hits) return differ("hits");
  if (one.mapping_offsets != other.mapping_offsets) return differ("mapping offsets");
  if (one.mappings != other.mappings) return differ("mappings");
  return ::testing::AssertionSuccess();
}

Truth::Truth(const std::vector<Molecule>& molecules, const std::vector<Pattern>& patterns, bool chirality)
    : num_queries_(static_cast<Index>(patterns.size())) {
  for (const Molecule& molecule : molecules) {
    for (const Pattern& pattern : patterns) {
      embeddings_.push_back(reference::embeddings(molecule, pattern, chirality));
    }
  }
}

std::vector<Embedding> atom_sets(const std::vector<Embedding>& embeddings) {
  std::vector<Embedding> sets = embeddings;
  for (Embedding& atoms : sets) std::sort(atoms.begin(), atoms.end());
  std::sort(sets.begin(), sets.end());
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  return sets;
}

namespace {

std::string case_text(const Molecule& molecule, const Pattern& pattern, Mode mode) {
  constexpr const char* kNames[] = {"first", "all", "count", "unique"};
  return std::string("mode ") + kNames[static_cast<int>(mode)] + "\n" + to_text(molecule) + "\n" + to_text(pattern);
}

/// One pair of a full result. `truth` is in lexicographic order.
void expect_pair(const Pair& pair, const std::vector<Embedding>& truth, Mode mode) {
  ASSERT_EQ(pair.hit != nullptr, !truth.empty());
  if (pair.hit == nullptr) return;
  EXPECT_FALSE(pair.hit->truncated || pair.hit->timeout);
  const auto sets = mode == Mode::unique ? atom_sets(truth) : std::vector<Embedding>{};
  const std::size_t expected = mode == Mode::first ? 1 : mode == Mode::unique ? sets.size() : truth.size();
  EXPECT_EQ(pair.hit->embeddings, static_cast<Index>(expected));
  auto stored = pair.stored;
  std::sort(stored.begin(), stored.end());
  if (mode == Mode::all) {
    EXPECT_EQ(stored, truth);
  } else if (mode == Mode::unique) {
    EXPECT_EQ(stored.size(), sets.size());
    EXPECT_EQ(atom_sets(stored), sets);
    EXPECT_TRUE(std::includes(truth.begin(), truth.end(), stored.begin(), stored.end()));
  } else {
    EXPECT_TRUE(stored.empty());
  }
}

}  // namespace

void expect_truth(const std::vector<Molecule>& molecules, const std::vector<Pattern>& patterns, const Truth& truth,
                  const match::Options& base) {
  for (const Mode mode : {Mode::first, Mode::all, Mode::count, Mode::unique}) {
    match::Options options = base;
    options.mode = mode;
    const match::Result result = run_match(molecules, patterns, options);
    ASSERT_EQ(result.num_molecules(), static_cast<Index>(molecules.size()));
    for (std::size_t m = 0; m < molecules.size(); ++m) {
      for (std::size_t q = 0; q < patterns.size(); ++q) {
        const auto molecule = static_cast<Index>(m), query = static_cast<Index>(q);
        const auto num_atoms = static_cast<Index>(patterns[q].atoms.size());
        expect_pair(pair_of(result, molecule, query, num_atoms), truth.of(molecule, query), mode);
        if (::testing::Test::HasFailure()) FAIL() << case_text(molecules[m], patterns[q], mode);
      }
    }
  }
}

}  // namespace quarry::test
