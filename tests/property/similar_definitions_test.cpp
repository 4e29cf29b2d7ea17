/// Definitions and sources of `similar`: what is refused, ECFP4 as a multiset like any other, and libraries beside
/// texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <span>

#include "quarry/library.hpp"
#include "support/molecules/random_molecule_text.hpp"
#include "support/molecules/random_smiles.hpp"
#include "support/molecules/similar_cases.hpp"
#include "support/random.hpp"
#include "support/shapes.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

using similar::Definition;
using similar::Fingerprints;

Definition ecfp4() {
  Definition definition;
  definition.metric = similar::Metric::ecfp4;
  return definition;
}

TEST(SimilarDefinitions, DifferentOnesAreNotCompared) {
  const std::vector<std::string> smiles = {"CCO", "CCN"};
  const Definition definitions[] = {lingo(4), lingo(5), lingo(4, true), ecfp4()};
  for (const Definition& one : definitions) {
    const auto rows = Fingerprints::of_smiles(smiles, one);
    EXPECT_EQ(rows.definition(), one);
    EXPECT_EQ(rows.size(), 2);
    for (const Definition& other : definitions) {
      const auto columns = Fingerprints::of_smiles(smiles, other);
      if (one == other) {
        EXPECT_EQ(similar::search(rows, columns, search_options(0, 0)).items.size(), 4u);
        continue;
      }
      EXPECT_THROW((void)similar::search(rows, columns, search_options(0, 0)), InputError);
      EXPECT_THROW(similar::matrix(rows, columns, [](Index, std::span<const float>) {}), InputError);
    }
  }
}

TEST(SimilarDefinitions, QOutOfRange) {
  for (const int q : {-1, 0, similar::kMaxLingo + 1, 256}) {
    EXPECT_THROW((void)similar::features("CCO", lingo(q)), InputError) << q;
    EXPECT_THROW((void)Fingerprints::of_smiles(std::vector<std::string>{"CCO"}, lingo(q)), InputError) << q;
  }
}

TEST(SimilarDefinitions, ABadRowIsNamed) {
  const auto refusal = message_of<InputError>([&] {
    (void)Fingerprints::of_smiles(std::vector<std::string>{"CCO", "CCN", "CC\xC3\xA9", "CCC"}, lingo(4));
  });
  EXPECT_NE(refusal.find("2"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("195"), std::string::npos) << refusal;
}

/// With several bad rows and threads it is always the first that is named.
TEST(SimilarDefinitions, TheFirstBadRowIsNamed) {
  std::vector<std::string> smiles(2000, "CCOCCN");
  smiles[777] = "C\x01";
  for (std::size_t row = 778; row < smiles.size(); row += 3) smiles[row] = "C\x02";
  const auto refusal = [&](int threads) {
    return message_of<InputError>([&] { (void)Fingerprints::of_smiles(smiles, lingo(4), threads); });
  };
  EXPECT_NE(refusal(1).find("777"), std::string::npos) << refusal(1);
  for (int run = 0; run < 20; ++run) EXPECT_EQ(refusal(7), refusal(1));
}

TEST(SimilarDefinitions, Ecfp4) {
  const std::vector<std::string> smiles = {"CCO", "OCC", "CCN", "c1ccccc1", "Cc1ccccc1", "CC(=O)Oc1ccccc1C(=O)O", "C"};
  BothForms forms{Fingerprints::of_smiles(smiles, ecfp4()), {}};
  for (const std::string& one : smiles) {
    const auto bits = similar::features(one, ecfp4());
    ASSERT_FALSE(bits.empty());
    EXPECT_TRUE(std::is_sorted(bits.begin(), bits.end(), std::less_equal<>())) << one;  // each bit once
    EXPECT_LT(bits.back(), std::uint64_t{similar::kEcfpBits});
    forms.plain.push_back(reference::sorted_multiset(bits));
  }
  EXPECT_EQ(similar::features("CCO", ecfp4()), similar::features("OCC", ecfp4()));
  expect_nearest(forms, forms, search_options(0, 0));
  expect_nearest(forms, forms, search_options(2, 0.2));
  EXPECT_TRUE(same_bits(whole_matrix(forms.packed, forms.packed), plain_matrix(forms.plain, forms.plain)));
  EXPECT_THROW((void)similar::features("C1CC", ecfp4()), InputError);
  EXPECT_THROW((void)Fingerprints::of_smiles(std::vector<std::string>{"C", "not one"}, ecfp4()), InputError);
}

Library library_of(const std::vector<std::string>& records) {
  const std::vector<Molecule> molecules(records.size(), chain(1));
  return Library::from_molecules(molecules, {}, records);
}

TEST(SimilarDefinitions, ALibraryEqualsItsRecords) {
  Random random(0x11B);
  for (const int q : {1, 4, 7}) {
    for (const bool fold : {false, true}) {
      const auto records = random_smiles_set(random, 300, q);
      const Library library = library_of(records);
      const auto stored = Fingerprints::of_library(library, lingo(q, fold));
      const auto typed = Fingerprints::of_smiles(records, lingo(q, fold));
      EXPECT_EQ(stored.size(), 300);
      EXPECT_EQ(stored.definition(), lingo(q, fold));
      EXPECT_TRUE(same_neighbours(similar::search(typed, stored, search_options(0, 0)),
                                  similar::search(typed, typed, search_options(0, 0))));
      EXPECT_TRUE(same_neighbours(similar::search(stored, typed, search_options(5, 0.1)),
                                  similar::search(typed, typed, search_options(5, 0.1))));
      EXPECT_TRUE(same_bits(whole_matrix(stored, stored), whole_matrix(typed, typed)));
      EXPECT_EQ(similar::cluster(stored, 0.5, run_options()).cluster_of,
                similar::cluster(typed, 0.5, run_options()).cluster_of);
      EXPECT_EQ(similar::pick(stored, 30, 0, 1, run_options()), similar::pick(typed, 30, 0, 1, run_options()));
    }
  }
}

TEST(SimilarDefinitions, ALibraryOfTwoChunksEqualsItsRecords) {
  Random random(0x2C);
  std::vector<std::string> records;
  for (Index i = 0; i < kChunkMolecules + 3; ++i) records.push_back(random_plain_smiles(random, 20));
  const Library library = library_of(records);
  ASSERT_EQ(library.num_chunks(), 2);
  const auto stored = Fingerprints::of_library(library, lingo(4)), typed = Fingerprints::of_smiles(records, lingo(4));
  const auto few = Fingerprints::of_smiles(std::span(records).last(5), lingo(4));
  EXPECT_TRUE(same_neighbours(similar::search(few, stored, search_options(0, 0)),
                              similar::search(few, typed, search_options(0, 0))));
  EXPECT_TRUE(same_neighbours(similar::search(few, stored, search_options(9, 0)),
                              similar::search(few, typed, search_options(9, 0))));
  EXPECT_TRUE(same_neighbours(similar::search(stored, few, search_options(0, 0.5)),
                              similar::search(typed, few, search_options(0, 0.5))));
  EXPECT_EQ(similar::pick(stored, 8, kChunkMolecules + 1, 1, run_options()),
            similar::pick(typed, 8, kChunkMolecules + 1, 1, run_options()));
}

/// `count` molecules that RDKit accepts.
std::vector<std::string> random_molecules(Random& random, Index count) {
  std::vector<std::string> smiles;
  while (std::ssize(smiles) < count) {
    std::string text = random_molecule_text(random);
    try {
      (void)similar::features(text, ecfp4());
      smiles.push_back(std::move(text));
    } catch (const InputError&) {
    }
  }
  return smiles;
}

/// A library file that stores fingerprints by the definitions.
Library index_of(const TemporaryFolder& folder, const std::vector<std::string>& smiles,
                 const std::vector<Definition>& stored) {
  std::ofstream file(folder.file("in.smi"));
  for (const std::string& one : smiles) file << one << '\n';
  file.close();
  ReadOptions options;
  options.similar_section = [&](auto records) { return similar::pack_section(records, stored); };
  MoleculeReader reader(folder.file("in.smi"), options);
  LibraryWriter writer(folder.file("lib.qlib"), {});
  while (const auto chunk = reader.next()) writer.append(*chunk);
  writer.finish();
  return Library::open(folder.file("lib.qlib"));
}

/// Every job, on every number of threads and on the device of the tests.
TEST(SimilarDefinitions, StoredFingerprintsGiveTheAnswersOfComputedOnes) {
  Random random(0x3D);
  const auto smiles = random_molecules(random, sized(300, 80));
  const TemporaryFolder folder;
  const Library library = index_of(folder, smiles, {lingo(4), ecfp4()});
  const auto queries = std::span(smiles).first(12);  // so few that only what they need is unpacked at first
  for (const Definition& definition : {lingo(4), ecfp4()}) {
    EXPECT_EQ(similar::num_stored(library, definition), std::ssize(smiles));
    const auto typed = Fingerprints::of_smiles(smiles, definition), few = Fingerprints::of_smiles(queries, definition);
    for (const int threads : {1, 3}) {
      const auto stored = Fingerprints::of_library(library, definition);
      for (const Index k : {5, 0})
        EXPECT_TRUE(same_neighbours(similar::search(few, stored, search_options(k, 0.2, threads)),
                                    similar::search(few, typed, search_options(k, 0.2, 1))));
      EXPECT_TRUE(same_bits(whole_matrix(stored, stored, run_options(threads)), whole_matrix(typed, typed)));
      EXPECT_EQ(similar::pick(stored, 9, 5, 1, run_options(threads)), similar::pick(typed, 9, 5, 1, run_options()));
      EXPECT_EQ(similar::cluster(stored, 0.4, run_options(threads)).cluster_of,
                similar::cluster(typed, 0.4, run_options()).cluster_of);
    }
  }
}

TEST(SimilarDefinitions, StoredFingerprintsOfTwoChunksGiveTheAnswersOfComputedOnes) {
  Random random(0x3E);
  auto smiles = random_molecules(random, 100);
  const auto shorter = [](const std::string& a, const std::string& b) { return a.size() < b.size(); };
  std::sort(smiles.begin(), smiles.end(), shorter);
  while (std::ssize(smiles) < kChunkMolecules + 30) smiles.push_back(smiles[random.below(sized(100, 20))]);
  const TemporaryFolder folder;
  const Library library = index_of(folder, smiles, {lingo(4), ecfp4()});
  ASSERT_EQ(library.num_chunks(), 2);
  for (const Definition& definition : {lingo(4), ecfp4()}) {
    const auto stored = Fingerprints::of_library(library, definition);
    const auto typed = Fingerprints::of_smiles(smiles, definition);
    const auto few = Fingerprints::of_smiles(std::span(smiles).last(3), definition);
    const auto expected = similar::search(few, typed, search_on_host(700, 0.2));
    for (int time = 0; time < 3; ++time)  // what they need, then whole chunks, then chunks that were kept
      EXPECT_TRUE(same_neighbours(similar::search(few, stored, search_on_host(700, 0.2)), expected));
  }
}

/// Chunks are read when they are first compared, so a bad record is found then at the latest.
TEST(SimilarDefinitions, ABadRecordOfALibraryIsNamed) {
  const Library library = library_of({"CCO", "CC\x7F", "CCN"});
  const auto refusal = message_of<InputError>([&] {
    const auto stored = Fingerprints::of_library(library, lingo(4));
    (void)similar::search(stored, stored, search_options(0, 0));
  });
  EXPECT_NE(refusal.find("127"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("1"), std::string::npos) << refusal;
}

}  // namespace
}  // namespace quarry::test
