/// Pockets of receptors whose cavities are known.
#include <gtest/gtest.h>

#include <cmath>

#include "support/dock/random_ligands.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

using dock::Pocket;

/// Two hollow shells 60 apart: the cavity at the origin is the larger one.
Receptor two_shells(Random& random) {
  Receptor receptor = random_receptor(random, 400, 7.5);
  const Receptor small = Placement{{0, 0, 1}, 0, {60, 0, 0}}(random_receptor(random, 300, 6));
  receptor.atoms.insert(receptor.atoms.end(), small.atoms.begin(), small.atoms.end());
  return receptor;
}

TEST(DockPockets, TheHollowOfAShell) {
  Random random(71);
  for (int round = 0; round < rounds(5); ++round) {
    const Receptor receptor = two_shells(random);
    const Placement placement = random_placement(random, 100);
    const std::vector<Pocket> pockets = dock::find_pockets(placement(receptor), 2);
    ASSERT_EQ(pockets.size(), 2u);
    EXPECT_LT(distance(pockets[0].center, placement({0, 0, 0})), 1.5);
    EXPECT_LT(distance(pockets[1].center, placement({60, 0, 0})), 1.5);
    EXPECT_GT(pockets[0].volume, pockets[1].volume);
    for (const Pocket& pocket : pockets) {
      EXPECT_GT(pocket.volume, 50);
      EXPECT_LT(pocket.volume, 800);
      EXPECT_GT(pocket.box.size.x, 16 + 3);
      EXPECT_LT(distance(pocket.box.center, pocket.center), 3);
    }
  }
}

TEST(DockPockets, OnlyAsManyAsAreAsked) {
  Random random(72);
  const Receptor receptor = two_shells(random);
  const std::vector<Pocket> all = dock::find_pockets(receptor, 1000);
  EXPECT_LT(all.size(), 1000u);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i - 1].volume, all[i].volume);
  const std::vector<Pocket> first = dock::find_pockets(receptor, 1);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].center, all[0].center);
  EXPECT_EQ(first[0].box, all[0].box);
  EXPECT_THROW((void)dock::find_pockets(receptor, 0), InputError);
}

TEST(DockPockets, OrderOfAtomsAndWhereTheGridBegins) {
  Random random(73);
  const Receptor receptor = two_shells(random);
  Receptor other = Placement{{0, 0, 1}, 0, {-7.3, 11.9, 0.4}}(receptor);
  random.shuffle(other.atoms);
  const auto here = dock::find_pockets(receptor, 1)[0], there = dock::find_pockets(other, 1)[0];
  EXPECT_NEAR(there.center.x, here.center.x - 7.3, 1e-6);
  EXPECT_NEAR(there.center.y, here.center.y + 11.9, 1e-6);
  EXPECT_NEAR(there.center.z, here.center.z + 0.4, 1e-6);
  EXPECT_NEAR(there.volume, here.volume, 0.03 * here.volume);
}

TEST(DockPockets, NoCavity) {
  Receptor receptor;
  receptor.id = "wall";
  EXPECT_TRUE(dock::find_pockets(receptor, 3).empty());
  for (int x = 0; x < 10; ++x) {
    for (int y = 0; y < 10; ++y) receptor.atoms.push_back({{3. * x, 3. * y, 0}, AtomType::carbon_polar, 6, ""});
  }
  EXPECT_TRUE(dock::find_pockets(receptor, 3).empty());
  receptor.atoms.resize(1);
  EXPECT_TRUE(dock::find_pockets(receptor, 3).empty());
  receptor.atoms.push_back({{1e6, 1e6, 1e6}, AtomType::carbon_polar, 6, ""});
  const auto message = message_of<InputError>([&] { (void)dock::find_pockets(receptor, 3); });
  EXPECT_EQ(message.find("wall: a receptor of 1000000 x"), 0u) << message;
}

}  // namespace
}  // namespace quarry::test
