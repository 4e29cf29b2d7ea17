/// Names that tell molecules of equal ids apart.
#include "quarry/files/distinct_ids.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/library.hpp"

namespace quarry {
namespace {

TEST(DistinctIds, NamesTheFileOfAnIdThatAnEarlierFileHasAndTheLineWhereItsOwnFileHasIt) {
  DistinctIds ids;
  ids.enter_file("a.smi");
  EXPECT_EQ(ids.name_of("x", 1), std::nullopt);
  EXPECT_EQ(ids.name_of("y", 2), std::nullopt);
  EXPECT_EQ(ids.name_of("x", 4), "a.smi:4:x");
  EXPECT_EQ(ids.name_of("x", 5), "a.smi:5:x");
  ids.enter_file("b.smi");
  EXPECT_EQ(ids.name_of("z", 1), std::nullopt);
  EXPECT_EQ(ids.name_of("x", 2), "b.smi:x");
  EXPECT_EQ(ids.name_of("x", 3), "b.smi:3:x");
  EXPECT_EQ(ids.name_of("z", 4), "b.smi:4:z");
  ids.enter_file("c.smi");
  EXPECT_EQ(ids.name_of("z", 1), "c.smi:z");
  EXPECT_EQ(ids.name_of("y", 2), "c.smi:y");
  EXPECT_EQ(ids.name_of("", 3), std::nullopt);
  EXPECT_EQ(ids.name_of("", 4), "c.smi:4:");
  EXPECT_EQ(ids.num_named(), 8);
  EXPECT_EQ(ids.num_left_out(), 0);
}

TEST(DistinctIds, AgreesWithASetOfTextsAndGivesEveryRowAnotherName) {
  std::mt19937 random(7);
  DistinctIds ids, at_once;
  std::set<std::string> before, names;
  Index num_named = 0, num_rows = 0;
  for (int file = 0; file < 4; ++file) {
    const std::string path = "f" + std::to_string(file);
    ids.enter_file(path);
    at_once.enter_file(path);
    std::set<std::string> here;
    std::vector<std::string> all_ids;
    std::vector<NamedMolecule> all_named;
    for (Index line = 1; line <= 20'000; ++line) {
      const std::string id = "m" + std::to_string(random() % 30'000);
      std::string expected = id;
      if (here.contains(id))
        expected = path + ':' + std::to_string(line) + ':' + id;
      else if (before.contains(id))
        expected = path + ':' + id;
      here.insert(id);
      const auto name = ids.name_of(id, line);
      ASSERT_EQ(name.value_or(id), expected);
      all_ids.push_back(id);
      if (name) all_named.push_back({line - 1, *name});
      num_named += name ? 1 : 0;
      names.insert(expected);
      ++num_rows;
    }
    std::vector<Index> lines(all_ids.size());
    std::iota(lines.begin(), lines.end(), Index{1});
    const auto named = at_once.names_of(std::vector<std::string_view>(all_ids.begin(), all_ids.end()), lines);
    ASSERT_EQ(named.size(), all_named.size());
    for (std::size_t i = 0; i < named.size(); ++i) {
      ASSERT_EQ(named[i].molecule, all_named[i].molecule);
      ASSERT_EQ(named[i].name, all_named[i].name);
    }
    before.merge(here);
  }
  EXPECT_EQ(ids.num_named(), num_named);
  EXPECT_EQ(std::ssize(names), num_rows);
}

TEST(DistinctIds, GivesOtherNamesWhereAFileComesAgainOrAnIdLooksLikeAName) {
  DistinctIds ids;
  std::vector<std::optional<std::string>> names;
  for (int turn = 0; turn < 3; ++turn) {
    ids.enter_file("a");
    for (Index line = 1; line <= 2; ++line) names.push_back(ids.name_of("x", line));
  }
  EXPECT_EQ(names,
            (std::vector<std::optional<std::string>>{std::nullopt, "a:2:x", "a:x", "a:2:x#2", "a:1:x", "a:2:x#3"}));
  ids.enter_file("b");
  EXPECT_EQ(ids.name_of("b:x", 1), std::nullopt);
  EXPECT_EQ(ids.name_of("x", 2), "b:2:x");
  EXPECT_EQ(ids.name_of("b:2:x", 3), "b:3:b:2:x");
}

TEST(DistinctIds, ComparesWithTheFirstIdsWhereThereAreMoreThanItKeeps) {
  DistinctIds ids(2);
  ids.enter_file("a");
  EXPECT_EQ(ids.name_of("x", 1), std::nullopt);
  ids.enter_file("b");
  EXPECT_EQ(ids.name_of("y", 1), std::nullopt);
  EXPECT_EQ(ids.name_of("z", 2), std::nullopt);
  EXPECT_EQ(ids.name_of("z", 3), std::nullopt);
  EXPECT_EQ(ids.name_of("x", 4), "b:4:x");
  EXPECT_EQ(ids.name_of("x", 6), "b:6:x");
  EXPECT_EQ(ids.name_of("y", 5), "b:5:y");
  EXPECT_EQ(ids.num_left_out(), 2);
  EXPECT_EQ(ids.num_named(), 3);
}

TEST(DistinctIds, NumbersTheMoleculesOfALibraryThroughAllItsChunks) {
  Molecule atom;
  atom.atoms.emplace_back();
  const std::vector<Molecule> molecules(kChunkMolecules + 2, atom);
  std::vector<std::string> names;
  for (Index i = 0; i < std::ssize(molecules); ++i) names.push_back(std::to_string(i % kChunkMolecules));
  const Library library = Library::from_molecules(molecules, names);
  DistinctIds ids;
  ids.enter_file("l.qlib");
  const auto named = distinct_names(library, ids, 1);
  ASSERT_EQ(named.size(), 2);
  EXPECT_EQ(named[0].molecule, kChunkMolecules);
  EXPECT_EQ(named[0].name, "l.qlib:" + std::to_string(kChunkMolecules + 1) + ":0");
  EXPECT_EQ(named[1].molecule, kChunkMolecules + 1);
  EXPECT_EQ(named[1].name, "l.qlib:" + std::to_string(kChunkMolecules + 2) + ":1");
}

}  // namespace
}  // namespace quarry
