/// Packed chunks: what goes in comes out, damaged ones are refused by name, and a library that stores them gives the
/// same answers as one that does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <utility>

#include "library/chunk_assembler.hpp"
#include "library/library_impl.hpp"
#include "library/parts/part_table.hpp"
#include "quarry/files/smiles_table.hpp"
#include "similar/pack.hpp"
#include "support/mapped_files.hpp"
#include "support/molecules/format_1.hpp"
#include "support/molecules/random_molecules.hpp"
#include "support/molecules/random_smiles.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::similar {
namespace {

using test::message_of;
using test::TemporaryFolder;

const std::vector<std::string> kSmiles = {"CCO",     "c1ccccc1",  "C",       "CCCCCCCCCCCC", "CC(=O)Oc1ccccc1C(=O)O",
                                          "CCOC(C)", "OCCOCCOCC", "CC(N)=O", "c1ccncc1",     "CCCCCCCC"};

std::vector<std::byte> packed_bytes_of(const std::vector<std::string>& smiles, Order order) {
  const auto bytes = pack(multisets_of(smiles, Definition{}, 0), {}, order);
  return {bytes.view().begin(), bytes.view().end()};
}

std::vector<std::uint64_t> sorted_keys(const Multisets& multisets, Index molecule) {
  std::vector<std::uint64_t> keys(multisets.keys.begin() + multisets.offsets[molecule],
                                  multisets.keys.begin() + multisets.offsets[molecule + 1]);
  std::sort(keys.begin(), keys.end());
  return keys;
}

TEST(SimilarChunk, multisets_survive_in_either_order) {
  // Many copies, so that there are bitmaps, and enough others that there are lists.
  std::vector<std::string> smiles;
  for (int copy = 0; copy < 60; ++copy) smiles.insert(smiles.end(), kSmiles.begin(), kSmiles.end());
  smiles.push_back("NNNNOOOO");
  const Multisets expected = multisets_of(smiles, Definition{}, 0);
  for (const Order order : {Order::input, Order::magnitude}) {
    const auto bytes = packed_bytes_of(smiles, order);
    const PackedView chunk = check_packed(bytes, "test");
    EXPECT_GT(chunk.num_bitmaps, 0);
    EXPECT_GT(chunk.entries.size(), 0);
    const Multisets kept = multisets_of(chunk, "packed chunk");
    ASSERT_EQ(kept.size(), expected.size());
    for (Index i = 0; i < kept.size(); ++i) EXPECT_EQ(sorted_keys(kept, i), sorted_keys(expected, i)) << i;
    if (order == Order::magnitude) continue;
    for (const Index i : {Index{0}, Index{3}, Index{64}, Index{600}}) {
      EXPECT_EQ(sorted_keys(multiset_at(chunk, i), 0), sorted_keys(expected, i)) << i;
    }
  }
}

TEST(SimilarChunk, no_molecules_are_a_chunk_too) {
  const auto bytes = packed_bytes_of({}, Order::magnitude);
  EXPECT_EQ(check_packed(bytes, "test").num_molecules, 0);
}

/// Overwrites one value of a column. @return the message of the check
template <class T>
std::string complaint(std::vector<std::byte> bytes, View<const T> PackedView::*column, Index index, T value) {
  const PackedView chunk = view_packed(bytes);
  const auto* at = reinterpret_cast<const std::byte*>((chunk.*column).data() + index);
  std::memcpy(bytes.data() + (at - bytes.data()), &value, sizeof value);
  return message_of<InputError>([&] { check_packed(bytes, "lib.qlib: chunk 0, section similar"); });
}

TEST(SimilarChunk, damage_is_named) {
  const auto bytes = packed_bytes_of(kSmiles, Order::magnitude);
  const PackedView chunk = view_packed(bytes);
  const std::string where = "lib.qlib: chunk 0, section similar: ";
  EXPECT_EQ(complaint(bytes, &PackedView::bitmaps, 0, ~std::uint64_t{0}),
            where + "a bitmap names molecules that do not exist");
  EXPECT_EQ(complaint(bytes, &PackedView::bitmaps, chunk.num_bitmaps * chunk.num_words, std::uint64_t{1}),
            where + "a bitmap names molecules that do not exist");
  EXPECT_EQ(complaint(bytes, &PackedView::keys, 1, std::uint64_t{0}), where + "its keys are not in order");
  EXPECT_EQ(complaint(bytes, &PackedView::first_feature, 1, std::uint32_t{99999}),
            where + "the features of its keys are wrong");
  EXPECT_EQ(complaint(bytes, &PackedView::sets, 1, chunk.sets[0]),
            where + "two of its features share a bitmap or a list");
  EXPECT_EQ(complaint(bytes, &PackedView::order, 1, chunk.order[0]), where + "two of its molecules share a position");
  EXPECT_EQ(complaint(bytes, &PackedView::order, 1, std::uint16_t{60000}),
            where + "two of its molecules share a position");
  EXPECT_EQ(complaint(bytes, &PackedView::magnitudes, 0, std::uint16_t{777}),
            where + "its magnitudes are not in order");
  EXPECT_EQ(complaint(bytes, &PackedView::runs, 1, similar::MagnitudeRun{0, 1}),
            where + "its magnitudes are not in order");
}

TEST(SimilarChunk, wrong_lists_and_sizes_are_named) {
  std::vector<std::string> smiles(100, "CCCCCC");
  smiles.insert(smiles.end(), {"NNNN", "OOOO", "OOOO"});
  std::vector<std::string> more(70, "SSSS");
  smiles.insert(smiles.end(), more.begin(), more.end());
  const auto bytes = packed_bytes_of(smiles, Order::magnitude);
  ASSERT_GT(view_packed(bytes).entries.size(), 1);
  const std::string where = "lib.qlib: chunk 0, section similar: ";
  EXPECT_EQ(complaint(bytes, &PackedView::entries, 0, std::uint16_t{60000}),
            where + "a list names molecules that do not exist or are not in order");
  EXPECT_EQ(complaint(bytes, &PackedView::list_offsets, 1, std::uint32_t{4000}),
            where + "the offsets of its lists are wrong");
  auto cut = bytes;
  cut.resize(cut.size() - 8);
  EXPECT_EQ(message_of<InputError>([&] { check_packed(cut, "x"); }), "x: its size is not what its counts say");
  cut.resize(10);
  EXPECT_EQ(message_of<InputError>([&] { check_packed(cut, "x"); }), "x: it is too short");
  auto foreign = bytes;
  foreign[4] = std::byte{9};  // q
  EXPECT_EQ(message_of<InputError>([&] { check_packed(foreign, "x"); }),
            "x: its definition of similarity is not known");
}

/// Indexes a SMILES file. @return the library's path
/// @param stored  definitions whose fingerprints it stores
std::string index_smiles(const TemporaryFolder& folder, const std::string& name,
                         const std::vector<Definition>& stored) {
  std::ofstream file(folder.file("in.smi"));
  for (std::size_t i = 0; i < kSmiles.size(); ++i) file << kSmiles[i] << " m" << i << '\n';
  file.close();
  ReadOptions options;
  options.similar_section = [&](auto smiles) { return pack_section(smiles, stored); };
  MoleculeReader reader(folder.file("in.smi"), options);
  LibraryWriter writer(folder.file(name), {"in.smi", "", "", "", false, RecordFormat::smiles});
  while (const auto chunk = reader.next()) writer.append(*chunk);
  writer.finish();
  return folder.file(name);
}

bool has_section(const Library& library) {
  const auto sections = library.sections();
  return std::any_of(sections.begin(), sections.end(),
                     [](const auto& section) { return section.name == "fingerprints"; });
}

const std::vector<Definition> kDefinitions = {Definition{}, Definition{Metric::lingo, 3, true},
                                              Definition{Metric::ecfp4, 4, false}};

void expect_same_answers(const Library& library) {
  for (const Definition& definition : kDefinitions) {
    const auto expected = Fingerprints::of_smiles(kSmiles, definition);
    const auto stored = Fingerprints::of_library(library, definition);
    EXPECT_EQ(search(expected, stored, {{}, 4, 0.1}).items, search(expected, expected, {{}, 4, 0.1}).items);
    EXPECT_EQ(cluster(stored, 0.3).cluster_of, cluster(expected, 0.3).cluster_of);
    EXPECT_EQ(pick(stored, 6), pick(expected, 6));
  }
}

TEST(SimilarChunk, a_stored_section_changes_no_answer) {
  const TemporaryFolder folder;
  const Definition ecfp4 = kDefinitions[2];
  const std::vector<std::vector<Definition>> cases = {{}, {Definition{}}, {ecfp4}, {Definition{}, ecfp4}, kDefinitions};
  for (const auto& stored : cases) {
    const Library library = Library::open(index_smiles(folder, "lib.qlib", stored));
    EXPECT_EQ(has_section(library), !stored.empty());
    for (const Definition& definition : kDefinitions) {
      const bool is_stored = std::ranges::find(stored, definition) != stored.end();
      EXPECT_EQ(num_stored(library, definition), is_stored ? std::ssize(kSmiles) : 0);
    }
    expect_same_answers(library);
  }
}

/// The same chunk as an earlier version wrote it, with one more section.
std::vector<std::byte> with_section(std::string_view chunk, SectionId id, std::span<const std::byte> bytes) {
  const std::vector<std::byte> old = test::in_format_1(std::as_bytes(std::span(chunk)));
  const ChunkLayout layout = read_layout(old, "test");
  ChunkAssembler assembler;
  for (const StoredSection& section : layout.sections) {
    if (section.present && section.id < id) assembler.add(section.id, section.bytes, section.raw_bytes);
  }
  assembler.add(id, bytes);
  return assembler.finish(layout.counts);
}

TEST(SimilarChunk, a_section_of_an_earlier_version_is_read) {
  const TemporaryFolder folder;
  const Library none = Library::open(index_smiles(folder, "none.qlib", {}));
  const auto old = packed_bytes_of(kSmiles, Order::magnitude);
  const Library library =
      library_from_chunk(with_section(none.chunk_bytes(0), SectionId::similar, old), none.provenance());
  EXPECT_EQ(num_stored(library), std::ssize(kSmiles));
  EXPECT_EQ(num_stored(library, kDefinitions[2]), 0);
  expect_same_answers(library);
  library.verify();
  // Of another chunk, or not in order of magnitude.
  const auto wrong = packed_bytes_of({"C", "CC"}, Order::magnitude), unordered = packed_bytes_of(kSmiles, Order::input);
  for (const auto& [bytes, why] : {std::pair(wrong, "it has other molecules than the chunk"),
                                   std::pair(unordered, "its molecules are not in order")}) {
    const Library bad =
        library_from_chunk(with_section(none.chunk_bytes(0), SectionId::similar, bytes), none.provenance());
    const auto columns = Fingerprints::of_library(bad);
    EXPECT_EQ(message_of<InputError>([&] {
                (void)search(columns, columns, {{}, 1, 0});
              }),
              std::string("library in memory: chunk 0, section similar: ") + why);
  }
}

/// They are read in place: a file stays mapped while its chunk is compared, and no longer.
TEST(SimilarChunk, sections_of_an_earlier_version_in_many_files) {
  constexpr Index kFiles = PartTable::kMostOpen + 5;
  const TemporaryFolder folder;
  const Library none = Library::open(index_smiles(folder, "none.qlib", {}));
  const auto old = with_section(none.chunk_bytes(0), SectionId::similar, packed_bytes_of(kSmiles, Order::magnitude));
  std::vector<std::string> paths, smiles;
  for (Index i = 0; i < kFiles; ++i) {
    paths.push_back(folder.file(std::to_string(i) + ".qlib"));
    LibraryWriter writer(paths.back(), none.provenance());
    writer.append(library_from_chunk(old, none.provenance()));
    writer.finish();
    smiles.insert(smiles.end(), kSmiles.begin(), kSmiles.end());
  }
  const Library library = Library::open(paths);
  EXPECT_EQ(num_stored(library), std::ssize(smiles));
  const auto stored = Fingerprints::of_library(library), expected = Fingerprints::of_smiles(smiles);
  Options options;
  options.threads = 3;
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(search(stored, stored, {options, 4, 0.1}).items, search(expected, expected, {options, 4, 0.1}).items);
    EXPECT_LE(test::num_mapped(folder.path()), Index{PartTable::kMostOpen} + 1);  // and that of `none`
    EXPECT_EQ(cluster(stored, 0.3, options).cluster_of, cluster(expected, 0.3, options).cluster_of);
  }
}

TEST(SimilarChunk, a_damaged_section_is_named) {
  const TemporaryFolder folder;
  const std::string path = index_smiles(folder, "with.qlib", {Definition{}});
  std::string bytes = test::read_whole_file(path);
  // The section begins with the metric, q = 4, no folding, and ten molecules.
  const std::string head("\0\0\0\0\4\0\0\0\0\0\0\0\12\0\0\0", 16);
  const auto at = bytes.find(head);
  ASSERT_NE(at, std::string::npos);
  bytes[at + 70] ^= 0x55;
  std::ofstream(folder.file("bad.qlib"), std::ios::binary) << bytes;
  const Library library = Library::open(folder.file("bad.qlib"));
  const auto columns = Fingerprints::of_library(library);
  const std::string expected =
      folder.file("bad.qlib") + ": chunk 0, section fingerprints: the data is damaged (checksum)";
  EXPECT_EQ(message_of<InputError>([&] { (void)search(columns, columns, {{}, 1, 0}); }), expected);
  EXPECT_EQ(message_of<InputError>([&] { library.verify(); }), expected);
}

TEST(SimilarChunk, records_that_cannot_be_packed_leave_no_section) {
  const std::vector<std::string_view> good = {"CCO"}, bad = {"CCO", "C\xC3\xA9"};
  EXPECT_FALSE(pack_section(good).empty());
  EXPECT_TRUE(pack_section(bad).empty());
  // By the definition that can be packed.
  const std::vector<std::string_view> no_molecule = {"CCO", "not one"};
  const std::vector<Definition> both = {Definition{}, Definition{Metric::ecfp4, 4, false}};
  EXPECT_EQ(pack_section(no_molecule, both), pack_section(no_molecule));
  EXPECT_THROW((void)pack_section(good, {Definition{Metric::lingo, 9, false}}), InputError);
  const std::string too_long(kMaxSmiles + 1, 'C');
  const auto of_length = [&](Index length) { return std::vector{std::string_view(too_long).substr(0, length)}; };
  EXPECT_FALSE(pack_section(of_length(kMaxSmiles)).empty());
  EXPECT_TRUE(pack_section(of_length(kMaxSmiles + 1)).empty());
}

/// A library in memory, whose records need not be what its molecules are, without a section.
Library library_of(const std::vector<std::string>& records) {
  test::Random random(7);
  const auto molecules = test::small_molecules(random, std::ssize(records), true);
  return Library::from_molecules(molecules, {}, records);
}

TEST(SimilarChunk, a_record_that_is_too_long_is_one_rejected_row) {
  const std::string longest(kMaxSmiles, 'C'), longer(kMaxSmiles + 1, 'C');
  EXPECT_TRUE(records_fit(library_of({"CCO", longest})));
  EXPECT_FALSE(records_fit(library_of({longer})));
  const Library library = library_of({"CCO", longest, longer, "CCN"});
  for (const Definition& definition : {Definition{}, Definition{Metric::lingo, 1, false}}) {
    EXPECT_FALSE(records_fit(library, definition));
  }
  const SmilesTable table = smiles_of(library, Normalize::as_is);
  EXPECT_EQ(table.ids, (std::vector<std::string>{"1", "2", "4"}));
  EXPECT_EQ(table.report, (Report{4, 3, 1}));
  ASSERT_EQ(table.rejected.size(), 1u);
  EXPECT_EQ(table.rejected[0].line, 3);
  EXPECT_EQ(table.rejected[0].reason,
            "molecule 3 of library in memory: the SMILES has 65535 characters, the limit is 65534");
}

TEST(SimilarChunk, chunks_that_are_packed_are_not_read_for_their_records) {
  const TemporaryFolder folder;
  EXPECT_TRUE(records_fit(Library::open(index_smiles(folder, "with.qlib", {Definition{}}))));
  EXPECT_TRUE(records_fit(Library::open(index_smiles(folder, "without.qlib", {}))));
}

TEST(SimilarExplain, marks_what_is_shared_as_often_as_both_have_it) {
  const Explanation why = explain("CCCCCC", "CCCCO");
  EXPECT_EQ(why.shared, 1);
  EXPECT_EQ(why.either, 3 + 2 - 1);
  EXPECT_EQ(why.marks[0], "^^^^  ");
  EXPECT_EQ(why.marks[1], "^^^^ ");
  EXPECT_EQ(explain("CC", "CC").shared, 1);
  EXPECT_EQ(explain("CC", "CO").shared, 0);
  EXPECT_THROW((void)explain("CC", "CO", {Metric::ecfp4, 4, false}), InputError);
}

}  // namespace
}  // namespace quarry::similar
