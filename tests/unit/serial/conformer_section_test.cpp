/// The section `conformers`: written and read back, and refused where its numbers contradict each other.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "library/conformers.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

/// Three molecules: two isomers of two atoms, none, and one without conformers.
std::vector<std::vector<StoredIsomer>> some_isomers() {
  return {{{2, {1, 2, 3, 4, 5, 6}}, {2, {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}}}, {}, {{5, {}}}};
}

std::string complaint(std::span<const std::byte> bytes, Index num_molecules = 3) {
  return test::message_of<InputError>([&] { ConformerSection(bytes, num_molecules, "here: "); });
}

/// The section with another number in one of its places.
template <class T>
std::vector<std::byte> changed(std::size_t offset, T value) {
  auto bytes = pack_conformers(some_isomers());
  std::memcpy(bytes.data() + offset, &value, sizeof value);
  return bytes;
}

TEST(ConformerSection, GivesBackWhatWasWritten) {
  const auto isomers = some_isomers();
  const auto bytes = pack_conformers(isomers);
  const ConformerSection section(bytes, 3, "here: ");
  for (Index i = 0; i < 3; ++i) EXPECT_EQ(section.isomers(i), isomers[i]) << i;
  EXPECT_EQ(section.isomers(0)[1].num_conformers(), 2);
  EXPECT_EQ(complaint(pack_conformers({}), 0), "");
}

TEST(ConformerSection, RefusesWhatContradictsItself) {
  const auto bytes = pack_conformers(some_isomers());
  EXPECT_EQ(complaint(bytes), "");
  EXPECT_NE(complaint(std::span(bytes).first(bytes.size() - 4)), "") << "cut short";
  EXPECT_NE(complaint(bytes, 2), "") << "another number of molecules";
  EXPECT_NE(complaint(changed<std::uint32_t>(0, 1)), "") << "the first isomer is not 0";
  EXPECT_NE(complaint(changed<std::uint32_t>(4, 3)), "") << "offsets fall";
  EXPECT_NE(complaint(changed<std::uint32_t>(12, 4'000'000'000)), "") << "more isomers than bytes";
  EXPECT_NE(complaint(changed<std::uint32_t>(16, 4'000'000'000)), "") << "more atoms than bytes";
  EXPECT_NE(complaint(changed<std::uint32_t>(20, 4'000'000'000)), "") << "more conformers than bytes";
  EXPECT_NE(complaint(changed<std::uint32_t>(16, 0)), "") << "conformers of no atoms";
  EXPECT_NE(complaint(changed(40, std::numeric_limits<float>::quiet_NaN())), "") << "not a number";
}

}  // namespace
}  // namespace quarry
