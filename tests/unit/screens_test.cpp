/// The screens that drop molecules before they are unpacked: what they drop, and that they drop nothing that matches.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "library/library_impl.hpp"
#include "match/environments/kind_rows.hpp"
#include "match/environments/kind_screen.hpp"
#include "match/environments/neighbour_screen.hpp"
#include "support/molecules/format_1.hpp"
#include "support/molecules/oracle_cases.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::match {
namespace {

using test::TemporaryFolder;

Library library_of(const std::vector<std::string>& smiles) {
  const TemporaryFolder folder;
  {
    std::ofstream file(folder.file("molecules.smi"));
    for (const std::string& text : smiles) file << text << '\n';
  }
  return test::read_library(folder.file("molecules.smi"));
}

using Molecules = std::vector<Index>;

/// The molecules, counted from 0, that each screen keeps.
struct Kept {
  Molecules by_kinds, by_neighbours;
};

Kept kept_by_screens(const Library& library, const std::string& smarts) {
  const Plan plan = make_plan(compile_queries({smarts}), {});
  const Chunk& chunk = chunk_of(library, 0);
  KindRows known(plan);
  std::vector<std::uint32_t> numbers;
  std::vector<std::uint64_t> rows;
  known.collect(chunk.kind_table, numbers, rows);
  KindScreen by_kinds(plan);
  NeighbourScreen by_neighbours(plan);
  EXPECT_TRUE(by_kinds.is_on());
  by_kinds.set_chunk(chunk, rows);
  if (by_neighbours.is_on()) by_neighbours.set_kinds(rows);
  Kept kept;
  for (Index molecule = 0; molecule < chunk.num_molecules; ++molecule) {
    if (by_kinds.may_match(chunk, molecule)) kept.by_kinds.push_back(molecule);
    if (by_neighbours.is_on() && by_neighbours.may_match(chunk, molecule)) kept.by_neighbours.push_back(molecule);
  }
  return kept;
}

TEST(Screens, DropWhatLacksAnAtomABondOrANeighbour) {
  const Library library = library_of({"CCO", "CC#N", "C=C", "NCC#C", "C", "N#CC=C"});
  const auto expect = [&](const char* smarts, const Molecules& by_kinds, const Molecules& by_neighbours) {
    const Kept kept = kept_by_screens(library, smarts);
    EXPECT_EQ(kept.by_kinds, by_kinds) << smarts;
    EXPECT_EQ(kept.by_neighbours, by_neighbours) << smarts;
  };
  expect("N", {1, 3, 5}, {});  // no neighbour is asked for
  expect("CN", {1, 3, 5}, {3});
  expect("C#C", {1, 3, 5}, {3});
  expect("C#N", {1, 3, 5}, {1, 5});
  expect("C(=C)C#N", {5}, {5});
  expect("P=C", {}, {});
}

TEST(Screens, CountNeighbours) {
  const Library library = library_of({"CCO", "COC", "OCO", "OC(O)O", "FC(F)(F)F", "FC(F)(F)C", "CC(C)(C)C", "OCC=O"});
  const auto expect = [&](const char* smarts, const Molecules& by_neighbours) {
    EXPECT_EQ(kept_by_screens(library, smarts).by_neighbours, by_neighbours) << smarts;
  };
  expect("CO", {0, 1, 2, 3, 7});
  expect("COC", {1});
  expect("OCO", {2, 3});
  expect("O-C-O", {2, 3});
  expect("O~C~O", {2, 3});
  expect("OC(O)O", {3});
  expect("FCF", {4, 5});
  expect("FC(F)F", {4, 5});
  expect("FC(F)(F)F", {4});
  expect("CC(C)(C)C", {6});
  expect("CC(C)(C)(C)C", {6});  // more than four are not counted
}

/// What the query asks for is in the first bytes or in the last ones, of any number.
TEST(Screens, SeeEveryAtomAndBond) {
  std::vector<std::string> smiles;
  Molecules all;
  for (int length = 1; length <= 40; ++length) {
    smiles.push_back(std::string(length, 'C') + "#N");
    smiles.push_back("N#" + std::string(length, 'C'));
  }
  for (Index i = 0; i < std::ssize(smiles); ++i) all.push_back(i);
  const Kept kept = kept_by_screens(library_of(smiles), "C#N");
  EXPECT_EQ(kept.by_kinds, all);
  EXPECT_EQ(kept.by_neighbours, all);
}

/// A chain has a predicate for each atom and a demand for each end of a bond: 22 atoms fill a word, 64 fill it without demands.
TEST(Screens, KeepWhatMatchesAtTheEdgesOfAWord) {
  for (const int length : {2, 21, 22, 23, 32, 33, 34, 63, 64, 65}) {
    std::string chain;
    for (int i = 1; i <= length; ++i) chain += fmt::format("[{}CH2]", i);
    const Library library = library_of({"CCO", chain, "N" + chain});
    for (const std::vector<std::string>& smarts : {std::vector{chain}, {chain, "C#N"}, {"[CH2]N", chain, "CO"}}) {
      const test::Comparison comparison = test::compare_with_oracle(library, compile_queries(smarts));
      for (const std::string& disagreement : comparison.disagreements) ADD_FAILURE() << length << ": " << disagreement;
      EXPECT_GE(comparison.matching, 2) << length;
    }
  }
}

/// More kinds of atoms and of bonds than a byte can tell, and more atoms than a byte can count.
Library library_of_rare_codes() {
  std::vector<std::string> smiles;
  for (int i = 1; i <= 300; ++i) smiles.push_back(fmt::format("[{}CH3]C{}N", i, i % 3 == 0 ? "#" : ""));
  for (int length = 3; length <= 300; ++length) {
    smiles.push_back("C1" + std::string(length, 'C') + "1");
    if (length % 16 != 0) continue;
    smiles.push_back("C=1" + std::string(length, 'C') + "C=1O");
    smiles.push_back(std::string(length, 'C') + "#N");
  }
  return library_of(smiles);
}

TEST(Screens, KeepWhatMatchesBeyondTheCodesOfAByte) {
  const Library now = library_of_rare_codes();
  const auto bytes = std::as_bytes(std::span(now.chunk_bytes(0)));
  const std::vector<std::byte> aligned(bytes.begin(), bytes.end());
  const Library old = library_from_chunk(test::in_format_1(aligned), now.provenance());
  ASSERT_GT(chunk_of(now, 0).kind_table.size(), 300);
  ASSERT_EQ(chunk_of(now, 0).bond_table.size(), 255);
  Index matching = 0;
  const auto expect_truth = [&](const Library& library, const char* smarts) {
    const test::Comparison comparison = test::compare_with_oracle(library, compile_queries({smarts}));
    for (const std::string& disagreement : comparison.disagreements) ADD_FAILURE() << smarts << ": " << disagreement;
    matching += comparison.matching;
  };
  for (const char* const smarts : {"C#N", "CN", "C(=C)O", "[299CH3]C#N", "C#C"}) expect_truth(now, smarts);
  expect_truth(old, "C#N");
  EXPECT_GT(matching, 300);
}

}  // namespace
}  // namespace quarry::match
