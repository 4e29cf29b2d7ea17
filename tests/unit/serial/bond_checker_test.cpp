/// The entries of a molecule's bonds, checked by rules that are applied list by list.
#include "library/bond_checker.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <optional>
#include <vector>

#include "support/random.hpp"

namespace quarry {
namespace {

using test::Random;

/// Is it all of an atom: either it says that there is no bond, or distances fall and the first points to an atom?
bool fits(const std::vector<std::uint32_t>& distances, std::uint32_t atom) {
  if (distances == std::vector<std::uint32_t>{0}) return true;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (distances[i] == 0 || distances[i] > atom || (i > 0 && distances[i] >= distances[i - 1])) return false;
  }
  return true;
}

/// Number of bonds; nothing where the entries are not those of so many atoms.
std::optional<Index> plain_check(const std::vector<BondCode>& table, std::uint32_t num_atoms,
                                 const std::vector<std::uint8_t>& codes) {
  std::uint32_t atom = 0;
  Index num_bonds = 0;
  std::vector<std::uint32_t> distances;
  for (const std::uint8_t code : codes) {
    if (code >= table.size()) return std::nullopt;
    distances.push_back(table[code].distance);
    num_bonds += table[code].distance != 0 ? 1 : 0;
    if (table[code].last == 0) continue;
    if (!fits(distances, atom)) return std::nullopt;
    distances.clear();
    ++atom;
  }
  if (!distances.empty() || atom != num_atoms) return std::nullopt;
  return num_bonds;
}

TEST(BondChecker, AcceptsWhatTheRulesAllow) {
  const std::vector<BondCode> table = {{0, 0, 1, 0}, {1, 2, 1, 0}, {1, 2, 0, 0}, {2, 2, 1, 0}, {2, 4, 0, 0},
                                       {3, 2, 1, 0}, {3, 2, 0, 0}, {4, 2, 0, 0}, {1, 4, 1, 0}};
  Chunk chunk;
  chunk.bond_table = table;
  const CheckedSection section{"test", SectionId::molecule_codes};
  BondChecker checker(chunk, section);
  Random random(20261127);
  Index num_accepted = 0;
  for (int turn = 0; turn < test::rounds(300000); ++turn) {
    const std::uint32_t num_atoms = 1 + random.below(5);
    std::vector<std::uint8_t> codes(random.below(8));
    // Most molecules begin with an atom without bonds; one code more than the table has.
    for (std::uint8_t& code : codes) code = random.below(table.size() + (turn % 8 == 0 ? 1 : 0));
    if (!codes.empty() && turn % 4 != 0) codes[0] = 0;
    const auto expected = plain_check(table, num_atoms, codes);
    num_accepted += expected ? 1 : 0;
    if (expected) {
      ASSERT_EQ(checker.check(0, num_atoms, codes), *expected) << "turn " << turn;
    } else {
      ASSERT_THROW(checker.check(0, num_atoms, codes), InputError) << "turn " << turn;
    }
  }
  EXPECT_GT(num_accepted, test::often(1000));
}

/// Every atom is bonded to the first, by entries too rare for a code: 255 bonds are the most, and 256 atoms can have no more.
TEST(BondChecker, CountsTheBondsOfAnAtomOfALargeMolecule) {
  Chunk chunk;
  const std::vector<BondCode> table = {{0, 0, 1, 0}};
  chunk.bond_table = table;
  const CheckedSection section{"test", SectionId::molecule_codes};
  BondChecker checker(chunk, section);
  const auto star_of = [](std::uint32_t num_atoms) {
    std::vector<std::uint8_t> codes = {0};
    for (std::uint32_t atom = 1; atom < num_atoms; ++atom) {
      const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(BondCode)>>(BondCode{atom, 2, 1, 0});
      codes.push_back(kEscape);
      codes.insert(codes.end(), bytes.begin(), bytes.end());
    }
    return codes;
  };
  EXPECT_EQ(checker.check(0, 3, star_of(3)), 2);
  EXPECT_EQ(checker.check(0, 256, star_of(256)), 255);
  EXPECT_THROW(checker.check(0, 257, star_of(257)), InputError);
}

/// The same with codes: an atom with as many neighbours before as after it, of which the later ones are a chain.
TEST(BondChecker, CountsTheBondsOfAnAtomInItsMiddle) {
  std::vector<BondCode> table = {{0, 0, 1, 0}, {1, 2, 1, 0}};
  for (std::uint32_t distance = 2; distance <= 128; ++distance) table.push_back({distance, 2, 0, 0});
  Chunk chunk;
  chunk.bond_table = table;
  const CheckedSection section{"test", SectionId::molecule_codes};
  BondChecker checker(chunk, section);
  const auto codes_of = [](std::uint8_t side) {
    std::vector<std::uint8_t> codes(side, 0);
    for (std::uint8_t distance = side; distance > 0; --distance) codes.push_back(distance);
    for (std::uint8_t distance = 1; distance <= side; ++distance) {
      if (distance > 1) codes.push_back(distance);
      codes.push_back(1);
    }
    return codes;
  };
  EXPECT_EQ(checker.check(0, 255, codes_of(127)), 127 + 127 + 126);
  EXPECT_THROW(checker.check(0, 257, codes_of(128)), InputError);
}

}  // namespace
}  // namespace quarry
