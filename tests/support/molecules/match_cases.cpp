/// Results against brute force: embeddings are compared as sorted lists, so that search order does not matter here.
#include "support/molecules/match_cases.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "support/molecules/random_molecules.hpp"
#include "support/print.hpp"

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
    const std::string id = std::to_string(queries.accepted.size() + 1);
    queries.accepted.push_back({id, "pattern " + id, pattern});
  }
  return queries;
}

match::Result run_match(const std::vector<Molecule>& molecules, const std::vector<Pattern>& patterns,
                        const match::Options& options) {
  return match::run(Library::from_molecules(molecules), query_set(patterns), options);
}

const char* name_of(Mode mode) {
  switch (mode) {
    case Mode::first:
      return "first";
    case Mode::all:
      return "all";
    case Mode::count:
      return "count";
    default:
      return "unique";
  }
}

match::Options in_mode(Mode mode) {
  match::Options options;
  options.device = test_device();
  options.mode = mode;
  return options;
}

Pair pair_of(const match::Result& result, Index molecule, Index query, Index num_atoms) {
  Pair pair;
  for (Index hit = result.hit_offsets[molecule]; hit < result.hit_offsets[molecule + 1]; ++hit) {
    if (result.hits[hit].query != query) continue;
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
    : num_queries_(std::ssize(patterns)) {
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
  return std::string("mode ") + name_of(mode) + "\n" + to_text(molecule) + "\n" + to_text(pattern);
}

/// One pair of a full result. `truth` is in lexicographic order.
void expect_pair(const Pair& pair, const std::vector<Embedding>& truth, Mode mode) {
  ASSERT_EQ(pair.hit != nullptr, !truth.empty());
  if (pair.hit == nullptr) return;
  EXPECT_FALSE(pair.hit->truncated || pair.hit->timeout);
  const auto sets = mode == Mode::unique ? atom_sets(truth) : std::vector<Embedding>{};
  const Index expected = mode == Mode::first ? 1 : mode == Mode::unique ? std::ssize(sets) : std::ssize(truth);
  EXPECT_EQ(pair.hit->embeddings, expected);
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
    ASSERT_EQ(result.num_molecules(), std::ssize(molecules));
    for (Index m = 0; m < std::ssize(molecules); ++m) {
      for (Index q = 0; q < std::ssize(patterns); ++q) {
        expect_pair(pair_of(result, m, q, std::ssize(patterns[q].atoms)), truth.of(m, q), mode);
        if (::testing::Test::HasFailure()) FAIL() << case_text(molecules[m], patterns[q], mode);
      }
    }
  }
}

}  // namespace quarry::test
