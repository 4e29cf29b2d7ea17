/// Which embeddings have a set of atoms of their own, against a set of sets.
#include "match/unique_embeddings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/random.hpp"

namespace quarry::match {
namespace {

/// What stays of embeddings of distinct atoms below `atoms`.
void expect_first_of_each_set(test::Random& random, Index count, Index num_atoms, std::uint32_t atoms,
                              UniqueEmbeddings& unique) {
  std::vector<std::uint32_t> mappings, expected, all(atoms);
  for (std::uint32_t i = 0; i < atoms; ++i) all[i] = i;
  std::set<std::set<std::uint32_t>> seen;
  for (Index i = 0; i < count; ++i) {
    random.shuffle(all);
    mappings.insert(mappings.end(), all.begin(), all.begin() + num_atoms);
    if (!seen.emplace(all.begin(), all.begin() + num_atoms).second) continue;
    expected.insert(expected.end(), all.begin(), all.begin() + num_atoms);
  }
  const Index kept = unique.keep(mappings, num_atoms);
  ASSERT_EQ(kept, std::ssize(seen)) << count << " embeddings of " << num_atoms << " of " << atoms << " atoms";
  mappings.resize(kept * num_atoms);
  EXPECT_EQ(mappings, expected);
}

TEST(UniqueEmbeddings, TheFirstOfEachSetStaysInOrder) {
  test::Random random(0x5E75);
  UniqueEmbeddings unique;
  for (const std::uint32_t atoms : {5, 63, 64, 65, 200}) {
    for (const Index num_atoms : {1, 2, 3, 5}) {
      for (const Index count : {1, 2, 3, 100, 4000}) expect_first_of_each_set(random, count, num_atoms, atoms, unique);
    }
  }
}

TEST(UniqueEmbeddings, TheLastAtomOfAWordIsOneOfASet) {
  UniqueEmbeddings unique;
  for (const std::uint32_t last : {62, 63, 64}) {
    std::vector<std::uint32_t> mappings = {0, last, last, 0, last, last - 1};
    EXPECT_EQ(unique.keep(mappings, 2), 2);
    EXPECT_EQ(mappings[2], last);
    EXPECT_EQ(mappings[3], last - 1);
  }
}

}  // namespace
}  // namespace quarry::match
