/// Files of hits: what is written is read again, whatever the mode, and a damaged file is named.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "match/hits/hits_format.hpp"
#include "quarry/files/hits.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::match {
namespace {

using test::message_of;
using test::read_whole_file;
using test::TemporaryFolder;

/// All molecules of a file as one result.
struct Hits {
  HitsHeader header = {};
  NamedResult molecules = {};
  Index num_blocks = 0, num_molecules = 0;
};

Hits read_all(const std::string& path) {
  HitsReader reader(path);
  Hits all{.header = reader.header()};
  NamedResult& sum = all.molecules;
  sum.hit_offsets = {0};
  if (all.header.has_mappings()) sum.mapping_offsets = {0};
  for (NamedResult block; reader.next(block); ++all.num_blocks) {
    EXPECT_EQ(block.first_molecule, sum.num_molecules());
    for (std::size_t i = 1; i < block.hit_offsets.size(); ++i)
      sum.hit_offsets.push_back(std::ssize(sum.hits) + block.hit_offsets[i]);
    for (std::size_t i = 1; i < block.mapping_offsets.size(); ++i)
      sum.mapping_offsets.push_back(std::ssize(sum.mappings) + block.mapping_offsets[i]);
    sum.hits.insert(sum.hits.end(), block.hits.begin(), block.hits.end());
    sum.mappings.insert(sum.mappings.end(), block.mappings.begin(), block.mappings.end());
    sum.names.insert(sum.names.end(), block.names.begin(), block.names.end());
  }
  all.num_molecules = reader.num_molecules();
  return all;
}

void write_all(HitsWriter writer, const HitsHeader& header, const NamedResult& molecules) {
  for (Index row = 0; row < molecules.num_molecules(); ++row) {
    const Index first = molecules.hit_offsets[row], count = molecules.hit_offsets[row + 1] - first;
    const auto hits = std::span(molecules.hits).subspan(first, count);
    if (!header.has_mappings()) {
      writer.add(molecules.names[row], hits);
      continue;
    }
    const auto offsets = std::span(molecules.mapping_offsets).subspan(first, count + 1);
    writer.add(molecules.names[row], hits,
               std::span(molecules.mappings).subspan(offsets.front(), offsets.back() - offsets.front()), offsets);
  }
  writer.finish();
}

void write_all(const std::string& path, const HitsHeader& header, const NamedResult& molecules) {
  write_all(HitsWriter(path, header), header, molecules);
}

HitsHeader header_of(Mode mode, Index num_queries) {
  HitsHeader header{mode, {}};
  for (Index i = 0; i < num_queries; ++i) header.queries.push_back({"query\t" + std::to_string(i), 1 + i % 7});
  return header;
}

/// Some molecules without hits, and hits of every state.
NamedResult random_molecules(const HitsHeader& header, Index num_molecules, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  NamedResult molecules;
  molecules.hit_offsets = {0};
  if (header.has_mappings()) molecules.mapping_offsets = {0};
  for (Index row = 0; row < num_molecules; ++row) {
    const bool none = random() % 3 == 0;
    for (std::uint32_t query = 0; !none && query < header.queries.size(); ++query) {
      if (random() % 4 != 0) continue;
      Hit hit{.query = query, .embeddings = header.mode == Mode::first ? 1 : static_cast<Index>(random() % 300)};
      hit.truncated = random() % 8 == 0;
      hit.timeout = random() % 8 == 0;
      hit.overflow = header.has_mappings() && random() % 8 == 0;
      if (random() % 64 == 0) hit.embeddings = std::numeric_limits<Index>::max() - 1, hit.overflow = true;
      molecules.hits.push_back(hit);
      if (!header.has_mappings()) continue;
      const Index stored = hit.overflow ? 0 : hit.embeddings * header.queries[query].num_atoms;
      for (Index i = 0; i < stored; ++i) molecules.mappings.push_back(random() % 4 == 0 ? random() : random() % 40);
      molecules.mapping_offsets.push_back(std::ssize(molecules.mappings));
    }
    const bool empty = molecules.hit_offsets.back() == std::ssize(molecules.hits);
    molecules.hit_offsets.push_back(std::ssize(molecules.hits));
    molecules.names.push_back(empty ? "" : std::string(random() % 20, 'n') + "\xff\n" + std::to_string(row));
  }
  return molecules;
}

void expect_same(const Hits& found, const HitsHeader& header, const NamedResult& molecules) {
  EXPECT_EQ(found.header, header);
  EXPECT_EQ(found.num_molecules, molecules.num_molecules());
  EXPECT_EQ(found.molecules.hit_offsets, molecules.hit_offsets);
  EXPECT_EQ(found.molecules.hits, molecules.hits);
  EXPECT_EQ(found.molecules.mapping_offsets, molecules.mapping_offsets);
  EXPECT_EQ(found.molecules.mappings, molecules.mappings);
  EXPECT_EQ(found.molecules.names, molecules.names);
}

TEST(HitsFile, HoldsTheHitsOfEveryMode) {
  const TemporaryFolder folder;
  for (const Mode mode : {Mode::first, Mode::all, Mode::count, Mode::unique}) {
    const HitsHeader header = header_of(mode, 23);
    const NamedResult molecules = random_molecules(header, 300, 20260101 + static_cast<int>(mode));
    write_all(folder.file("a.qhits"), header, molecules);
    expect_same(read_all(folder.file("a.qhits")), header, molecules);
    write_all(folder.file("b.qhits.zst"), header, molecules);
    expect_same(read_all(folder.file("b.qhits.zst")), header, molecules);
  }
}

TEST(HitsFile, HasTheSameBytesWhereAFunctionTakesThem) {
  const TemporaryFolder folder;
  const HitsHeader header = header_of(Mode::all, 23);
  const NamedResult molecules = random_molecules(header, 300, 5);
  write_all(folder.file("a.qhits"), header, molecules);
  std::string taken;
  write_all(HitsWriter([&](std::string_view bytes) { taken += bytes; }, header), header, molecules);
  EXPECT_EQ(taken, read_whole_file(folder.file("a.qhits")));
  EXPECT_THROW(HitsWriter([](std::string_view) {}, HitsHeader{}), InputError);
}

TEST(HitsFile, TakesABlockOfMemoryThatWasUsed) {
  const TemporaryFolder folder;
  const HitsHeader with_atoms = header_of(Mode::all, 23), without = header_of(Mode::count, 3);
  write_all(folder.file("a.qhits"), with_atoms, random_molecules(with_atoms, 300, 5));
  const NamedResult molecules = random_molecules(without, 20, 6);
  write_all(folder.file("b.qhits"), without, molecules);
  NamedResult block;
  ASSERT_TRUE(HitsReader(folder.file("a.qhits")).next(block));
  ASSERT_TRUE(HitsReader(folder.file("b.qhits")).next(block));
  EXPECT_EQ(block.hits, molecules.hits);
  EXPECT_EQ(block.names, molecules.names);
  EXPECT_TRUE(block.mappings.empty());
  EXPECT_TRUE(block.mapping_offsets.empty());
}

TEST(HitsFile, HoldsNoMoleculeAndMoleculesWithoutHits) {
  const TemporaryFolder folder;
  const HitsHeader header = header_of(Mode::unique, 1);
  for (const Index count : {Index{0}, Index{1}, kMaxBlockMolecules - 1, kMaxBlockMolecules, kMaxBlockMolecules + 1}) {
    NamedResult molecules;
    molecules.hit_offsets.assign(count + 1, 0);
    molecules.mapping_offsets = {0};
    molecules.names.resize(count);
    write_all(folder.file("a.qhits"), header, molecules);
    const Hits found = read_all(folder.file("a.qhits"));
    expect_same(found, header, molecules);
    EXPECT_EQ(found.num_blocks, (count + kMaxBlockMolecules - 1) / kMaxBlockMolecules);
  }
  EXPECT_THROW(HitsWriter(folder.file("b.qhits"), HitsHeader{}), InputError);
  EXPECT_EQ(folder.num_files(), 1);
}

TEST(HitsFile, EndsABlockAtItsLimitOfHits) {
  const TemporaryFolder folder;
  const HitsHeader header = header_of(Mode::first, 4096);
  NamedResult molecules;
  molecules.hit_offsets = {0};
  for (Index row = 0; row < kBlockHits / 4096 + 1; ++row) {
    for (std::uint32_t query = 0; query < 4096; ++query) molecules.hits.push_back({.query = query, .embeddings = 1});
    molecules.hit_offsets.push_back(std::ssize(molecules.hits));
    molecules.names.push_back(std::to_string(row));
  }
  write_all(folder.file("a.qhits"), header, molecules);
  const Hits found = read_all(folder.file("a.qhits"));
  expect_same(found, header, molecules);
  EXPECT_EQ(found.num_blocks, 2);
}

TEST(HitsFile, NamesWhereItIsDamaged) {
  const TemporaryFolder folder;
  const HitsHeader header = header_of(Mode::all, 5);
  write_all(folder.file("a.qhits"), header, random_molecules(header, 2, 5));
  const std::string whole = read_whole_file(folder.file("a.qhits"));
  const auto said = [&](const std::string& bytes) {
    return message_of<InputError>([&] { read_all(folder.write("b.qhits", bytes)); });
  };
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(said(whole.substr(0, size)).find("b.qhits"), std::string::npos) << size;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << i % 8));
    EXPECT_NE(said(flipped).find("b.qhits"), std::string::npos) << i;
  }
  EXPECT_NE(said(whole + "x").find("b.qhits, end: bytes follow it"), std::string::npos);
  EXPECT_NE(said(whole.substr(0, whole.size() - 1)).find("b.qhits, block 2: the file is cut short"), std::string::npos);
  EXPECT_NE(said("QUARRYLB").find("b.qhits is no file of hits"), std::string::npos);
  std::string in_block = whole;
  in_block[whole.size() - sizeof(HitsPart) - 1] ^= 1;
  EXPECT_NE(said(in_block).find("b.qhits, block 1: the data is damaged (checksum)"), std::string::npos);
}

/// Parts with right checksums whose fields are wrong.
TEST(HitsFile, RefusesWhatIsNewerOrDoesNotAddUp) {
  const TemporaryFolder folder;
  const HitsHeader header = header_of(Mode::first, 5);
  write_all(folder.file("a.qhits"), header, random_molecules(header, 20, 5));
  const std::string whole = read_whole_file(folder.file("a.qhits"));
  const auto said = [&](auto fields, std::size_t offset, auto change) {
    std::string bytes = whole;
    std::memcpy(&fields, bytes.data() + offset, sizeof fields);
    change(fields);
    fields.checksum = checksum_of_fields(fields);
    std::memcpy(bytes.data() + offset, &fields, sizeof fields);
    return message_of<InputError>([&] { read_all(folder.write("b.qhits", bytes)); });
  };
  EXPECT_NE(said(HitsFileHeader{}, 0, [](auto& fields) { fields.version = kHitsVersion + 1; }).find("newer Quarry"),
            std::string::npos);
  EXPECT_NE(said(HitsFileHeader{}, 0, [](auto& fields) { fields.endian_mark = 0x04030201; }).find("byte order"),
            std::string::npos);
  const std::size_t end = whole.size() - sizeof(HitsPart);
  EXPECT_NE(said(HitsPart{}, end, [](auto& part) { ++part.num_hits; }).find("other numbers"), std::string::npos);
  EXPECT_NE(said(HitsPart{}, end, [](auto& part) { part.kind = 7; }).find("unknown kind"), std::string::npos);
  const std::size_t queries = sizeof(HitsFileHeader);
  HitsPart part;
  std::memcpy(&part, whole.data() + queries, sizeof part);
  const std::size_t block = queries + sizeof part + part.stored_bytes;
  const auto of_block = [&](auto change) { return said(HitsPart{}, block, change); };
  const auto says = [](const std::string& message, const char* what) {
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  says(said(HitsPart{}, queries, [](auto& fields) { fields.kind = 2; }), "queries: they are missing");
  says(of_block([](auto& fields) { ++fields.first_molecule; }), "block 1: molecules before it are missing");
  says(of_block([](auto& fields) { fields.num_molecules = 0; }), "no molecule, or too many");
  says(of_block([](auto& fields) { fields.num_molecules = kMaxBlockMolecules + 1; }), "no molecule, or too many");
  says(of_block([](auto& fields) { fields.num_molecules = 1; }), "out of range");
  says(of_block([](auto& fields) { ++fields.num_hits; }), "fewer hits than it states");
  says(of_block([](auto& fields) { --fields.num_hits; }), "out of range");
  says(of_block([](auto& fields) { fields.raw_bytes = std::uint64_t{1} << 60; }), "cannot become");
  says(of_block([](auto& fields) { ++fields.raw_bytes; }), "fewer bytes than it states");
  says(of_block([](auto& fields) { --fields.raw_bytes; }), "more than it may");
  says(of_block([](auto& fields) { fields.stored_bytes = std::uint64_t{1} << 60; }), "cut short");
}

}  // namespace
}  // namespace quarry::match
