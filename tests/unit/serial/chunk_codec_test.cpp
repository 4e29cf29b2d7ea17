/// Chunks: what goes in comes out, the same molecules give the same bytes, and bytes that nobody made in good faith
/// are refused by name.
#include "library/chunk_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "library/chunk_assembler.hpp"
#include "library/chunk_text.hpp"
#include "support/molecules/format_1.hpp"
#include "support/molecules/random_molecules.hpp"
#include "support/molecules/strings_of.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using test::Random;

/// As a chunk keeps it, found in the slow and plain way.
Bond turned(const Bond& bond) { return {bond.end, bond.begin, reversed(bond.kind)}; }

Molecule kept_form(Molecule molecule) {
  for (Bond& bond : molecule.bonds) {
    if (bond.begin > bond.end) bond = turned(bond);
  }
  std::sort(molecule.bonds.begin(), molecule.bonds.end(),
            [](auto& a, auto& b) { return std::pair(a.end, a.begin) < std::pair(b.end, b.begin); });
  for (StereoBond& bond : molecule.stereo_bonds) {
    if (bond.begin < bond.end) continue;
    std::swap(bond.begin, bond.end);
    std::swap(bond.begin_neighbour, bond.end_neighbour);
  }
  std::sort(molecule.stereo_bonds.begin(), molecule.stereo_bonds.end(),
            [](auto& a, auto& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
  return molecule;
}

Molecule atoms_only(std::size_t num_atoms) {
  Molecule molecule;
  molecule.atoms.resize(num_atoms);
  for (std::size_t i = 0; i < num_atoms; ++i) molecule.atoms[i][0] = 1 + i % 90;
  return molecule;
}

Molecule chain(std::size_t num_atoms) {
  Molecule molecule = atoms_only(num_atoms);
  for (std::uint32_t i = 1; i < num_atoms; ++i) molecule.bonds.push_back({i, i - 1, bond_kind(1, false)});
  return molecule;
}

/// A text that lives as long as the program.
std::string_view kept(const std::string& text) {
  static std::set<std::string> texts;
  return *texts.insert(text).first;
}

ChunkInput input_of(const std::vector<Molecule>& molecules) {
  ChunkInput input;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    input.ids.push_back(kept("id" + std::to_string(i)));
    input.records.push_back(kept("record\n" + std::to_string(i)));
  }
  input.molecules.push_back(pack_molecules(molecules, input.ids));
  input.rows = std::ssize(molecules);
  return input;
}

void expect_molecules(const std::vector<std::byte>& bytes, const std::vector<Molecule>& molecules) {
  const ParsedChunk parsed = parse_chunk(bytes, "test");
  ASSERT_EQ(parsed.chunk.num_molecules, std::ssize(molecules));
  Index num_bonds = 0, max_atoms = 0;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    EXPECT_EQ(decode_molecule(parsed.chunk, i), kept_form(molecules[i])) << "molecule " << i;
    EXPECT_EQ(parsed.chunk.num_atoms(i), std::ssize(molecules[i].atoms));
    EXPECT_GE(parsed.chunk.max_bonds(i), std::ssize(molecules[i].bonds));
    num_bonds += std::ssize(molecules[i].bonds);
    max_atoms = std::max(max_atoms, std::ssize(molecules[i].atoms));
  }
  EXPECT_EQ(parsed.chunk.num_bonds, num_bonds);
  EXPECT_EQ(parsed.chunk.max_atoms, max_atoms);
}

void expect_round_trip(const std::vector<Molecule>& molecules) {
  const auto bytes = encode_chunk(input_of(molecules));
  expect_molecules(bytes, molecules);
  expect_molecules(test::in_format_1(bytes), molecules);
}

std::string refusal_of(const Molecule& molecule) {
  return test::message_of<InputError>([&] { input_of({molecule}); });
}

TEST(ChunkCodec, random_molecules_survive) {
  Random random(20251);
  for (const bool stereo : {false, true}) {
    expect_round_trip(test::small_molecules(random, 300, stereo));
    expect_round_trip(test::edge_molecules(random, 20, stereo));
  }
}

TEST(ChunkCodec, extreme_shapes_survive) {
  expect_round_trip({});
  expect_round_trip({atoms_only(1)});
  expect_round_trip({chain(4096), atoms_only(7), chain(2)});
  Molecule star = atoms_only(256), reversed_star = atoms_only(256);
  for (std::uint32_t i = 1; i < 256; ++i) star.bonds.push_back({0, i, bond_kind(1, false)});
  for (std::uint32_t i = 0; i < 255; ++i) reversed_star.bonds.push_back({255, i, bond_kind(2, true)});
  expect_round_trip({star, reversed_star});
}

TEST(ChunkCodec, rare_bonds_are_written_in_full) {
  for (const std::size_t num_distances : {254, 255, 256, 300}) {
    Molecule molecule = atoms_only(2000);
    for (std::uint32_t i = 0; i < num_distances; ++i) {
      const std::uint32_t earlier = i < 200 ? 0 : 1000;  // no atom may have more than 255 bonds
      molecule.bonds.push_back({earlier + 999 - i, earlier, bond_kind(12, true)});
    }
    expect_round_trip({molecule});
    const auto bytes = encode_chunk(input_of({molecule}));
    const Chunk chunk = parse_chunk(bytes, "test").chunk;
    EXPECT_LE(chunk.bond_table.size(), 255u);
    const auto codes = for_each_kind(chunk, 0, [](std::uint32_t) {});
    const bool escaped = std::count(codes.begin(), codes.end(), kEscape) > 0;
    EXPECT_EQ(escaped, num_distances >= 255) << num_distances;  // the entry of atoms without bonds takes one code
  }
}

TEST(ChunkCodec, what_a_byte_cannot_hold_takes_more) {
  const auto bytes_of_kinds = [](std::size_t num_atoms, std::size_t num_kinds) {
    Molecule molecule;
    molecule.atoms.resize(num_atoms);
    for (std::size_t i = 0; i < num_atoms; ++i) molecule.atoms[i][1] = i % num_kinds;
    expect_round_trip({molecule});
    const auto bytes = encode_chunk(input_of({molecule}));
    return parse_chunk(bytes, "test").chunk.molecule_codes.size();
  };
  // Each atom has a byte for its kind and one for having no bonds.
  EXPECT_EQ(bytes_of_kinds(254, 254), 1 + 2 * 254u);
  EXPECT_EQ(bytes_of_kinds(255, 255), 5 + 2 * 255u);
  EXPECT_EQ(bytes_of_kinds(256, 256), 5 + 2 * 256u + 2);
  EXPECT_EQ(bytes_of_kinds(300, 2), 5 + 2 * 300u);
}

TEST(ChunkCodec, dictionaries_begin_with_the_most_frequent) {
  Molecule molecule = chain(9);
  for (std::size_t i = 0; i < 9; ++i) molecule.atoms[i][0] = i < 5 ? 6 : i < 7 ? 8 : 7;
  const auto bytes = encode_chunk(input_of({molecule}));
  const Chunk chunk = parse_chunk(bytes, "test").chunk;
  ASSERT_EQ(chunk.kind_table.size(), 3u);
  EXPECT_EQ(chunk.kind_table[0][0], 6);
  EXPECT_EQ(chunk.kind_table[1][0], 7);  // as frequent as 8: ties go by value
  EXPECT_EQ(chunk.kind_table[2][0], 8);
  EXPECT_EQ(chunk.bond_table[0], (BondCode{1, bond_kind(1, false), 1, 0}));
}

TEST(ChunkCodec, same_input_same_bytes_whatever_the_order_of_bonds) {
  Random random(7);
  auto molecules = test::small_molecules(random, 50, true);
  const auto bytes = encode_chunk(input_of(molecules));
  EXPECT_EQ(bytes, encode_chunk(input_of(molecules)));
  for (Molecule& molecule : molecules) {
    random.shuffle(molecule.bonds);
    for (Bond& bond : molecule.bonds) bond = turned(bond);
  }
  EXPECT_EQ(bytes, encode_chunk(input_of(molecules)));
}

TEST(ChunkCodec, same_molecules_same_bytes_however_they_were_packed) {
  Random random(8);
  const auto molecules = test::small_molecules(random, 60, true);
  ChunkInput whole = input_of(molecules), cut = whole;
  cut.molecules = {PackedMolecules{}};
  for (std::size_t begin = 0, size = 1; begin < molecules.size(); begin += size, size *= 2) {
    size = std::min(size, molecules.size() - begin);
    cut.molecules.push_back(pack_molecules({&molecules[begin], size}, {&whole.ids[begin], size}));
  }
  EXPECT_GT(cut.molecules.size(), 5u);
  EXPECT_EQ(encode_chunk(whole), encode_chunk(cut));
}

TEST(ChunkCodec, a_refused_molecule_leaves_no_trace) {
  Molecule bad = chain(9);
  bad.bonds.push_back({8, 20, 2});
  MoleculePacker packer;
  packer.add(chain(3), "good");
  EXPECT_THROW(packer.add(bad, "bad"), InputError);
  packer.add(chain(4), "good");
  ChunkInput expected = input_of({chain(3), chain(4)}), got = expected;
  got.molecules = {packer.finish()};
  EXPECT_EQ(encode_chunk(got), encode_chunk(expected));
}

TEST(ChunkCodec, impossible_molecules_are_refused_by_name) {
  EXPECT_EQ(refusal_of({}), "molecule 0 (id0) has no atoms");
  Molecule molecule = chain(3);
  molecule.bonds.push_back({1, 3, 0});
  EXPECT_EQ(refusal_of(molecule), "molecule 0 (id0): a bond names atom 3, but there are 3 atoms");
  Molecule in_order = atoms_only(3);
  in_order.bonds = {{0, 1, 0}, {1, 3, 0}};
  EXPECT_EQ(refusal_of(in_order), "molecule 0 (id0): a bond names atom 3, but there are 3 atoms");
  molecule.bonds.back() = {2, 2, 0};
  EXPECT_EQ(refusal_of(molecule), "molecule 0 (id0): atom 2 is bonded to itself");
  molecule.bonds.back() = {1, 2, 4};
  EXPECT_EQ(refusal_of(molecule), "molecule 0 (id0): the bond 1-2 is listed twice");
  molecule.bonds.back() = {0, 2, kNumBondKinds};
  EXPECT_EQ(refusal_of(molecule), "molecule 0 (id0): the bond 0-2 has the unknown kind 64");
  Molecule star = atoms_only(257);
  for (std::uint32_t i = 1; i < 257; ++i) star.bonds.push_back({0, i, 2});
  EXPECT_EQ(refusal_of(star), "molecule 0 (id0): atom 0 has more than 255 bonds");
  Molecule marked = chain(3);
  marked.chiral_atoms = {{3, true}};
  EXPECT_NE(refusal_of(marked), "");
  marked.chiral_atoms.clear();
  marked.stereo_bonds = {{0, 1, 2, 0, true}};
  EXPECT_NE(refusal_of(marked), "");
}

TEST(ChunkCodec, kinds_are_counted_at_their_limit) {
  const auto of_kinds = [](std::size_t count) {
    Molecule molecule;
    molecule.atoms.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      molecule.atoms[i][1] = i % 32768;
      molecule.atoms[i][2] = i / 32768;
    }
    return molecule;
  };
  expect_round_trip({of_kinds(65535)});
  expect_round_trip({of_kinds(65536)});
  EXPECT_THROW(encode_chunk(input_of({of_kinds(65537)})), CapacityError);
}

TEST(ChunkCodec, molecules_are_counted_at_their_limit) {
  const std::vector<Molecule> most(kChunkMolecules, atoms_only(1));
  expect_round_trip(most);
  auto more = most;
  more.push_back(atoms_only(1));
  EXPECT_THROW(encode_chunk(input_of(more)), CapacityError);
}

TEST(ChunkCodec, texts_survive) {
  ChunkInput input = input_of({chain(2), chain(3)});
  input.ids = {"", "two words\tand a tab"};
  input.records = {std::string_view("line\nline\r\n\0zero", 16), ""};
  input.rejected = {{7, "bad", "no such element"}, {9000000000, "", ""}};
  input.rows = 4;
  const auto bytes = encode_chunk(input);
  const ParsedChunk parsed = parse_chunk(bytes, "test");
  const auto ids = test::strings_of(unpack_strings(parsed.ids, 2, "test"));
  const auto records = test::strings_of(unpack_strings(parsed.records, 2, "test"));
  EXPECT_EQ(test::views_of(ids), input.ids);
  EXPECT_EQ(test::views_of(records), input.records);
  EXPECT_EQ(unpack_rejected(parsed.rejected, 2, "test"), input.rejected);
  EXPECT_THROW(unpack_strings(parsed.ids, 1, "test"), InputError);
  EXPECT_THROW(unpack_strings(parsed.ids, 3, "test"), InputError);
}

TEST(ChunkCodec, stated_text_sizes_are_bounded_before_memory_is_taken) {
  const auto bytes = encode_chunk(input_of({chain(2)}));
  StoredSection ids = parse_chunk(bytes, "test").ids;
  const std::uint64_t right = ids.raw_bytes, one = 1;
  for (const std::uint64_t wrong : {one << 20, one << 40, ~std::uint64_t{0}, right + 1, right - 1}) {
    ids.raw_bytes = wrong;
    EXPECT_THROW(unpack_strings(ids, 1, "test"), InputError) << wrong;
  }
}

TEST(ChunkCodec, a_chunk_of_rejected_rows_alone) {
  ChunkInput input;
  input.rejected = {{1, "x", "why"}};
  input.rows = 1;
  const auto bytes = encode_chunk(input);
  const ParsedChunk parsed = parse_chunk(bytes, "test");
  EXPECT_EQ(parsed.chunk.num_molecules, 0);
  EXPECT_EQ(unpack_rejected(parsed.rejected, 1, "test"), input.rejected);
}

/// Changes one value of a section and returns what the parser says of it without checksums.
template <class T>
std::string complaint(std::vector<std::byte> bytes, SectionId id, std::size_t at, T value) {
  const auto section = read_layout(bytes, "test")[id].bytes;
  std::memcpy(bytes.data() + (section.data() - bytes.data()) + at, &value, sizeof value);
  return test::message_of<InputError>([&] { parse_chunk(bytes, "lib.qlib: chunk 3", Checksums::ignore); });
}

/// Two rings of six atoms, with stereo marks.
std::vector<std::byte> two_rings() {
  Molecule ring = chain(6);
  ring.bonds.push_back({0, 5, bond_kind(1, false)});
  ring.chiral_atoms = {{1, true}, {2, false}};
  ring.stereo_bonds = {{1, 2, 0, 3, true}};
  return encode_chunk(input_of({ring, ring}));
}

/// What is said of the codes of bonds, which begin at `at` in a section.
void expect_bonds_named(const std::vector<std::byte>& bytes, SectionId id, std::size_t at) {
  const Chunk chunk = parse_chunk(bytes, "test").chunk;
  ASSERT_EQ(chunk.bond_table.size(), 3u);
  const auto code_of = [&](BondCode code) -> std::uint8_t {
    return std::find(chunk.bond_table.begin(), chunk.bond_table.end(), code) - chunk.bond_table.begin();
  };
  const std::uint8_t none = code_of({0, 0, 1, 0}), far_away = code_of({5, 2, 0, 0});
  const std::string begin = std::string("lib.qlib: chunk 3, section ") + section_name(id) + ": ";
  // Codes of the ring: none, four single steps, then for atom 5 the bond to 0 and another step.
  EXPECT_EQ(complaint(bytes, id, at + 1, far_away), begin + "atom 1 of molecule 0 points before its first atom");
  EXPECT_EQ(complaint(bytes, id, at + 6, none), begin + "atom 5 of molecule 0 has an empty entry after a bond");
  EXPECT_EQ(complaint(bytes, id, at + 6, far_away), begin + "the neighbours of atom 5 of molecule 0 do not ascend");
  EXPECT_EQ(complaint(bytes, id, at + 5, none), begin + "molecule 0 has entries after its last atom");
  EXPECT_EQ(complaint(bytes, id, at + 2, std::uint8_t{3}), begin + "atom 2 of molecule 0 uses code 3, the table has 3");
  EXPECT_EQ(complaint(bytes, id, at + 6, kEscape), begin + "an entry of atom 5 of molecule 0 is cut short");
}

TEST(ChunkCodec, wrong_values_are_named_below_the_checksums) {
  const auto bytes = two_rings();
  expect_bonds_named(bytes, SectionId::molecule_codes, 7);
  const std::string begin = "lib.qlib: chunk 3, section ";
  const SectionId codes = SectionId::molecule_codes, offsets = SectionId::molecule_offsets;
  EXPECT_EQ(complaint(bytes, codes, 0, std::uint8_t{0}),
            begin + "molecule_codes: molecule 0 has no atoms, or their number is cut short");
  EXPECT_EQ(complaint(bytes, codes, 0, std::uint8_t{200}),
            begin + "molecule_codes: molecule 0 of 200 atoms ends at atom 13");
  EXPECT_EQ(complaint(bytes, codes, 3, std::uint8_t{6}),
            begin + "molecule_codes: atom 2 of molecule 0 has kind 6, the table has 6");
  EXPECT_EQ(complaint(bytes, offsets, 0, 1u), begin + "molecule_offsets: the first offset is 1");
  EXPECT_EQ(complaint(bytes, offsets, 4, 0u), begin + "molecule_offsets: molecule 0 spans 0 to 0");
  EXPECT_EQ(complaint(bytes, offsets, 8, 29u),
            begin + "molecule_offsets: the last offset is 29, the column has 28 entries");
  EXPECT_EQ(complaint(bytes, SectionId::bond_table, 4, std::uint8_t{64}),
            begin + "bond_table: entry 0 (distance 1, kind 64, last 1) makes no sense");
  EXPECT_EQ(complaint(bytes, SectionId::chiral_atoms, 4, std::uint8_t{2}),
            begin + "chiral_atoms: entry 0 has the flag 2");
  EXPECT_EQ(complaint(bytes, SectionId::chiral_atoms, 8, 1u),
            begin + "chiral_atoms: atom 1 of molecule 0 is not there or out of order");
  EXPECT_EQ(complaint(bytes, SectionId::stereo_bonds, 12, 6u),
            begin + "stereo_bonds: entry 0 of molecule 0 names wrong atoms");
}

TEST(ChunkCodec, wrong_values_of_format_1_are_named) {
  const auto bytes = test::in_format_1(two_rings());
  expect_bonds_named(bytes, SectionId::bond_codes, 0);
  const std::string begin = "lib.qlib: chunk 3, section ";
  EXPECT_EQ(complaint(bytes, SectionId::atom_kinds, 4, std::uint16_t{6}),
            begin + "atom_kinds: atom 2 has kind 6, the table has 6");
  EXPECT_EQ(complaint(bytes, SectionId::atom_offsets, 0, 1u), begin + "atom_offsets: the first offset is 1");
  EXPECT_EQ(complaint(bytes, SectionId::atom_offsets, 4, 0u), begin + "atom_offsets: molecule 0 spans 0 to 0");
  EXPECT_EQ(complaint(bytes, SectionId::atom_offsets, 8, 13u),
            begin + "atom_offsets: the last offset is 13, the column has 12 entries");
}

/// A chunk of these sections of one molecule.
std::vector<std::byte> with_sections(std::span<const std::byte> chunk, std::initializer_list<SectionId> left_out,
                                     bool and_offsets_of_format_1) {
  const ChunkLayout layout = read_layout(chunk, "test");
  ChunkAssembler assembler;
  const std::vector<std::uint32_t> offsets{0, 2};
  if (and_offsets_of_format_1) assembler.add(SectionId::atom_offsets, offsets);
  for (const StoredSection& section : layout.sections) {
    if (!section.present || std::ranges::find(left_out, section.id) != left_out.end()) continue;
    assembler.add(section.id, section.bytes, section.raw_bytes);
  }
  return assembler.finish(layout.counts);
}

TEST(ChunkCodec, sections_of_two_formats_are_refused) {
  const auto bytes = encode_chunk(input_of({chain(2)}));
  const auto refusal = [&](std::initializer_list<SectionId> left_out, bool and_offsets_of_format_1) {
    const auto chunk = with_sections(bytes, left_out, and_offsets_of_format_1);
    return test::message_of<InputError>([&] { parse_chunk(chunk, "chunk"); });
  };
  EXPECT_EQ(refusal({}, false), "");
  EXPECT_EQ(refusal({SectionId::molecule_offsets}, false), "chunk, section molecule_offsets: it is missing");
  EXPECT_EQ(refusal({SectionId::molecule_codes}, false), "chunk, section atom_offsets: it is missing");
  EXPECT_EQ(refusal({}, true), "chunk, section atom_offsets: it is of another format than others of this chunk");
}

TEST(ChunkCodec, any_byte_may_be_wrong_below_the_checksums) {
  Random random(99);
  const auto bytes = encode_chunk(input_of(test::small_molecules(random, 12, true)));
  const auto old_bytes = test::in_format_1(bytes);
  Index accepted = 0;
  for (std::size_t at = 0; at < bytes.size() + old_bytes.size(); ++at) {
    for (const std::byte flip : {std::byte{0x01}, std::byte{0x80}, std::byte{0xff}}) {
      const bool old = at >= bytes.size();
      auto damaged = old ? old_bytes : bytes;
      damaged[old ? at - bytes.size() : at] ^= flip;
      try {
        const ParsedChunk parsed = parse_chunk(damaged, "test", Checksums::ignore);
        for (Index i = 0; i < parsed.chunk.num_molecules; ++i) {
          const Molecule molecule = decode_molecule(parsed.chunk, i);
          for (const Bond& bond : molecule.bonds) ASSERT_LT(bond.begin, bond.end);
          for (const Bond& bond : molecule.bonds) ASSERT_LT(bond.end, molecule.atoms.size());
        }
        (void)test::strings_of(unpack_strings(parsed.ids, parsed.chunk.num_molecules, "test", Checksums::ignore));
        ++accepted;
      } catch (const InputError&) {
      }
    }
  }
  EXPECT_GT(accepted, 0);  // another element is still a molecule
}

}  // namespace
}  // namespace quarry
