/// Library files: written whole or not at all, read back the same, and refused with a clear sentence when damaged.
#include "quarry/library.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <thread>

#include "library/chunk_codec.hpp"
#include "library/library_format.hpp"
#include "library/library_impl.hpp"
#include "support/molecules/format_1.hpp"
#include "support/molecules/random_molecules.hpp"
#include "support/molecules/strings_of.hpp"
#include "support/temporary_folder.hpp"
#include "util/files/temporary/temporary_file.hpp"

namespace quarry {
namespace {

using test::message_of;
using test::Random;
using test::TemporaryFolder;

const Provenance kProvenance{"in.smi", "--explicit-h",   "2025-01-02T03:04:05Z", "quarry 0, RDKit 0",
                             true,     RecordFormat::sdf};

std::vector<Molecule> some_molecules(Index count) {
  Random random(31);
  auto molecules = test::small_molecules(random, count, true);
  for (Molecule& molecule : molecules) molecule = Library::from_molecules({&molecule, 1}).molecule(0);  // kept form
  return molecules;
}

Library chunk_with_rejects() {
  ChunkInput input;
  input.ids = {"a", "b", "c"};
  input.molecules = {pack_molecules(some_molecules(3), input.ids)};
  input.records = {"C", "CC", "CCC"};
  input.rejected = {{4, "d", "no such element"}};
  input.rows = 4;
  return library_from_chunk(encode_chunk(input), kProvenance);
}

/// A library of a normal chunk, one of rejected rows alone, and one more.
std::string write_small(const TemporaryFolder& folder, const std::string& name) {
  ChunkInput only_rejects;
  only_rejects.rejected = {{5, "e", "why"}, {6, "", "why not"}};
  only_rejects.rows = 2;
  LibraryWriter writer(folder.file(name), kProvenance);
  writer.append(chunk_with_rejects());
  writer.append(library_from_chunk(encode_chunk(only_rejects), {}));
  writer.append(Library::from_molecules(some_molecules(2)));
  writer.finish();
  return folder.file(name);
}

std::vector<std::byte> bytes_of_file(const std::string& path) {
  const std::string text = test::read_whole_file(path);
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

/// Opens and verifies; the message of the InputError, or nothing.
std::string complaint(const std::vector<std::byte>& bytes) {
  return test::message_of<InputError>([&] { library_from_bytes(bytes, "lib.qlib").verify(); });
}

TEST(Library, a_file_gives_back_what_was_written) {
  const TemporaryFolder folder;
  const Library library = Library::open(write_small(folder, "small.qlib"));
  const auto molecules = some_molecules(3);
  EXPECT_EQ(library.num_chunks(), 3);
  EXPECT_EQ(library.num_molecules(), 5);
  EXPECT_EQ(library.num_molecules(1), 0);
  EXPECT_EQ(library.first_molecule(2), 3);
  EXPECT_EQ(library.report(), (Report{8, 5, 3}));
  for (Index i = 0; i < 5; ++i) EXPECT_EQ(library.molecule(i), molecules[i % 3]) << i;
  Index num_atoms = 0, num_bonds = 0;
  for (Index i = 0; i < 5; ++i) {
    num_atoms += std::ssize(library.molecule(i).atoms);
    num_bonds += std::ssize(library.molecule(i).bonds);
  }
  EXPECT_EQ(library.num_atoms(), num_atoms);
  EXPECT_EQ(library.num_bonds(), num_bonds);
  EXPECT_EQ(test::strings_of(library.text(0, true).ids), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(test::strings_of(library.text(0, true).records), (std::vector<std::string>{"C", "CC", "CCC"}));
  EXPECT_TRUE(library.text(0, false).records.empty());
  EXPECT_EQ(test::strings_of(library.text(2, true).ids), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(library.rejected(0), (std::vector<RejectedRow>{{4, "d", "no such element"}}));
  EXPECT_EQ(library.rejected(1), (std::vector<RejectedRow>{{5, "e", "why"}, {6, "", "why not"}}));
  EXPECT_TRUE(library.rejected(2).empty());
  EXPECT_EQ(library.provenance().source, kProvenance.source);
  EXPECT_EQ(library.provenance().command, kProvenance.command);
  EXPECT_EQ(library.provenance().created, kProvenance.created);
  EXPECT_EQ(library.provenance().version, kProvenance.version);
  EXPECT_TRUE(library.provenance().explicit_hydrogens);
  EXPECT_EQ(library.provenance().format, RecordFormat::sdf);
  library.verify();
}

TEST(Library, texts_outlive_the_library) {
  const TemporaryFolder folder;
  TextColumn first, copy;
  {
    const Library library = Library::open(write_small(folder, "small.qlib"));
    first = library.text(0, false).ids;
    const TextColumn gone = library.text(0, true).ids;
    copy = gone;
  }
  const std::vector<std::string> ids{"a", "b", "c"};
  EXPECT_EQ(test::strings_of(first), ids);
  EXPECT_EQ(test::strings_of(copy), ids);
}

TEST(Library, a_copy_of_a_library_is_the_same_file) {
  const TemporaryFolder folder;
  const std::string first = write_small(folder, "first.qlib"), again = write_small(folder, "again.qlib");
  LibraryWriter writer(folder.file("copy.qlib"), kProvenance);
  writer.append(Library::open(first));
  writer.finish();
  EXPECT_EQ(bytes_of_file(first), bytes_of_file(again));
  EXPECT_EQ(bytes_of_file(first), bytes_of_file(folder.file("copy.qlib")));
}

/// Kilobytes of a mapped file that are in this process's memory.
Index resident_kilobytes(const std::string& path) {
  std::ifstream mappings("/proc/self/smaps");
  Index sum = 0;
  bool inside = false;
  for (std::string line; std::getline(mappings, line);) {
    if (line.find('-') < line.find(' ')) inside = line.ends_with(path);
    if (inside && line.starts_with("Rss:")) sum += std::stoll(line.substr(4));
  }
  return sum;
}

TEST(Library, a_released_chunk_is_read_again) {
  const TemporaryFolder folder;
  const auto few = some_molecules(7);
  std::vector<Molecule> many;
  for (Index i = 0; i < kChunkMolecules + 3; ++i) many.push_back(few[i % 7]);
  LibraryWriter writer(folder.file("many.qlib"), kProvenance);
  writer.append(Library::from_molecules(many));
  writer.finish();
  const Library library = Library::open(folder.file("many.qlib"));
  for (int round = 0; round < 2; ++round) {
    for (const Index i : {Index{1}, kChunkMolecules - 1, kChunkMolecules + 2}) {
      EXPECT_EQ(library.molecule(i), many[i]) << i;
    }
    const Index before = resident_kilobytes(folder.file("many.qlib"));
    for (const Index chunk : {0, 1, 1}) library.release(chunk);
    EXPECT_LT(resident_kilobytes(folder.file("many.qlib")), before / 4);
  }
  library.verify();
  EXPECT_THROW(library.release(2), std::logic_error);
  const Library in_memory = Library::from_molecules(few);
  in_memory.release(0);
  EXPECT_EQ(in_memory.molecule(3), few[3]);
}

TEST(Library, molecules_beyond_one_chunk) {
  const auto few = some_molecules(7);
  std::vector<Molecule> many;
  for (Index i = 0; i < kChunkMolecules + 3; ++i) many.push_back(few[i % 7]);
  const Library library = Library::from_molecules(many);
  EXPECT_EQ(library.num_chunks(), 2);
  EXPECT_EQ(library.num_molecules(1), 3);
  EXPECT_EQ(test::strings_of(library.text(1, false).ids).back(), std::to_string(kChunkMolecules + 3));
  for (const Index i : {Index{0}, kChunkMolecules - 1, kChunkMolecules, kChunkMolecules + 2}) {
    EXPECT_EQ(library.molecule(i), many[i]) << i;
  }
  EXPECT_THROW(library.molecule(kChunkMolecules + 3), std::logic_error);
}

TEST(Library, sections_are_in_order_and_sum_up) {
  const auto sections = chunk_with_rejects().sections();
  ASSERT_GE(sections.size(), 9u);
  EXPECT_EQ(sections[2].name, "molecule_offsets");
  EXPECT_EQ(sections[2].bytes, 16);
  EXPECT_TRUE(sections[3].matching);
  EXPECT_FALSE(sections[4].matching);
  EXPECT_EQ(sections.back().name, "rejected");
}

TEST(Library, many_threads_share_one) {
  const TemporaryFolder folder;
  const Library library = Library::open(write_small(folder, "small.qlib"));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (Index chunk = 0; chunk < 3; ++chunk)
        EXPECT_EQ(chunk_of(library, chunk).num_molecules, library.num_molecules(chunk));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Library, an_empty_library_is_a_library) {
  const TemporaryFolder folder;
  LibraryWriter writer(folder.file("empty.qlib"), {});
  writer.finish();
  const Library library = Library::open(folder.file("empty.qlib"));
  EXPECT_EQ(library.num_molecules(), 0);
  EXPECT_EQ(library.num_chunks(), 0);
  library.verify();
}

TEST(Library, what_is_no_library_is_refused_with_a_reason) {
  const TemporaryFolder folder;
  const auto opening = [](const std::string& path) {
    return test::message_of<InputError>([&] { return Library::open(path); });
  };
  EXPECT_NE(opening(folder.file("missing.qlib")).find("missing.qlib"), std::string::npos);
  EXPECT_NE(opening(folder.write("empty.qlib", "")).find("empty"), std::string::npos);
  EXPECT_NE(opening(folder.write("short.qlib", "QUARRYLB")).find("too short"), std::string::npos);
  EXPECT_NE(opening(folder.write("x.smi", "CCO ethanol and more of it")).find("not a Quarry library"),
            std::string::npos);
  auto bytes = bytes_of_file(write_small(folder, "small.qlib"));
  bytes[12] = std::byte{3};
  EXPECT_EQ(complaint(bytes), "lib.qlib is in format version 3; this program reads versions up to 2: update Quarry");
}

TEST(Library, cut_anywhere_is_refused) {
  const TemporaryFolder folder;
  const auto bytes = bytes_of_file(write_small(folder, "small.qlib"));
  EXPECT_EQ(complaint(bytes), "");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + size);
    const std::string message = complaint(cut);
    ASSERT_NE(message, "") << size;
    const bool says_why = message.find("ends before its directory") != std::string::npos;
    ASSERT_TRUE(says_why || size < sizeof(FileHeader)) << message;
  }
}

TEST(Library, every_byte_is_guarded) {
  const TemporaryFolder folder;
  const auto bytes = bytes_of_file(write_small(folder, "small.qlib"));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const std::byte flip : {std::byte{0x01}, std::byte{0x80}, std::byte{0xff}}) {
      auto damaged = bytes;
      damaged[at] ^= flip;
      ASSERT_NE(complaint(damaged), "") << "byte " << at << " flipped by " << std::to_integer<int>(flip);
    }
  }
  auto longer = bytes;
  longer.resize(longer.size() + 8);
  EXPECT_NE(complaint(longer), "");
}

TEST(Library, damage_names_chunk_and_section) {
  const TemporaryFolder folder;
  const auto bytes = bytes_of_file(write_small(folder, "small.qlib"));
  const Library library = library_from_bytes(bytes, "lib.qlib");
  for (const SectionId id : {SectionId::molecule_offsets, SectionId::molecule_codes, SectionId::kind_table,
                             SectionId::ids, SectionId::records, SectionId::rejected}) {
    const auto section = read_layout(LibraryAccess::hold(library, 0).slot().bytes, "")[id].bytes;
    auto damaged = bytes;
    damaged[section.data() - bytes.data()] ^= std::byte{4};
    EXPECT_EQ(complaint(damaged),
              "lib.qlib: chunk 0, section " + std::string(section_name(id)) + ": the data is damaged (checksum)");
  }
}

TEST(Library, damage_is_found_again_at_every_use) {
  const TemporaryFolder folder;
  auto bytes = bytes_of_file(write_small(folder, "small.qlib"));
  bytes[sizeof(FileHeader) + 700] ^= std::byte{1};
  const Library library = library_from_bytes(bytes, "lib.qlib");
  EXPECT_THROW(chunk_of(library, 0), InputError);
  EXPECT_THROW(chunk_of(library, 0), InputError);
  EXPECT_EQ(chunk_of(library, 2).num_molecules, 2);
}

/// As an earlier version wrote it, header included.
TEST(Library, FilesOfFormat1AreReadAndJoined) {
  const TemporaryFolder folder;
  const Library now = Library::open(write_small(folder, "small.qlib"));
  LibraryWriter writer(folder.file("old.qlib"), kProvenance);
  for (Index chunk = 0; chunk < now.num_chunks(); ++chunk) {
    const auto bytes = std::as_bytes(std::span(now.chunk_bytes(chunk)));
    const std::vector<std::byte> aligned(bytes.begin(), bytes.end());
    writer.append(library_from_chunk(test::in_format_1(aligned), kProvenance));
  }
  writer.finish();
  std::vector<std::byte> bytes = bytes_of_file(folder.file("old.qlib"));
  FileHeader header;
  header.version = 1;
  header.checksum = checksum_of(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  const Library old = library_from_bytes(bytes, "old.qlib");
  old.verify();
  EXPECT_EQ(old.sections()[0].name, "atom_offsets");
  EXPECT_EQ(old.report(), now.report());
  for (Index i = 0; i < now.num_molecules(); ++i) EXPECT_EQ(old.molecule(i), now.molecule(i)) << i;

  LibraryWriter both(folder.file("both.qlib"), kProvenance);
  both.append(old);
  both.append(now);
  both.finish();
  const Library joined = Library::open(folder.file("both.qlib"));
  joined.verify();
  for (Index i = 0; i < now.num_molecules(); ++i) {
    EXPECT_EQ(joined.molecule(i), joined.molecule(now.num_molecules() + i)) << i;
  }
}

/// What a copy or a union of libraries holds may have equal ids.
TEST(LibraryWriter, SaysThatIdsDifferOnlyWhereItIsTold) {
  const TemporaryFolder folder;
  Provenance provenance = kProvenance;
  provenance.distinct_ids = true;
  const auto write = [&](const char* name, bool distinct) {
    LibraryWriter writer(folder.file(name), provenance);
    if (distinct) writer.set_distinct_ids();
    writer.finish();
    return folder.file(name);
  };
  const std::string untold = write("untold.qlib", false), told = write("told.qlib", true);
  EXPECT_FALSE(Library::open(untold).provenance().distinct_ids);
  EXPECT_TRUE(Library::open(told).provenance().distinct_ids);
  EXPECT_TRUE(Library::open(std::vector{told}).provenance().distinct_ids);
  EXPECT_FALSE(Library::open(std::vector{told, told}).provenance().distinct_ids);
}

TEST(LibraryWriter, leaves_nothing_without_finish) {
  const TemporaryFolder folder;
  {
    LibraryWriter writer(folder.file("half.qlib"), {});
    writer.append(chunk_with_rejects());
  }
  EXPECT_EQ(folder.num_files(), 0);
  EXPECT_THROW(LibraryWriter(folder.file("no/such/folder.qlib"), {}), SystemError);
}

/// Forks a writer that ends by a signal in the middle of its work.
void killed_writer(const std::string& path, int signal_number) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    remove_temporaries_on_signal();
    LibraryWriter writer(path, {});
    const Library library = chunk_with_rejects();
    for (int i = 0; i < 1000; ++i) writer.append(library);
    ::raise(signal_number);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(LibraryWriter, a_killed_writer_leaves_no_library) {
  const TemporaryFolder folder;
  killed_writer(folder.file("half.qlib"), SIGTERM);
  EXPECT_EQ(folder.num_files(), 0);
  killed_writer(folder.file("half.qlib"), SIGKILL);  // no program can clean up after this one
  EXPECT_FALSE(std::filesystem::exists(folder.file("half.qlib")));
}

TEST(ChangedLibrary, IsNotReadOn) {
  const TemporaryFolder folder;
  const std::string path = write_small(folder, "m.qlib");
  const Library library = Library::open(path);
  (void)library.molecule(0);
  std::ofstream(path, std::ios::binary | std::ios::app) << "more";
  const auto refused = [](auto&& use) {
    return message_of<InputError>(use).find("changed since it was opened") != std::string::npos;
  };
  EXPECT_TRUE(refused([&] { (void)library.molecule(0); }));
  EXPECT_TRUE(refused([&] { (void)library.text(0, true); }));
  EXPECT_TRUE(refused([&] { (void)library.rejected(0); }));
  EXPECT_TRUE(refused([&] { library.verify(); }));
}

TEST(ChangedLibrary, MayBeReplaced) {
  const TemporaryFolder folder;
  const std::string path = write_small(folder, "m.qlib"), other = write_small(folder, "other.qlib");
  const Library library = Library::open(path);
  std::filesystem::rename(other, path);
  library.verify();
  EXPECT_EQ(library.text(0, false).ids.size(), 3u);
}

/// Whatever the columns hold, nothing outside them is read (the address sanitizer looks on), and no bond is to an atom
/// that is not there.
TEST(ChangedLibrary, WalksStayInsideTheColumns) {
  Random random(77);
  const auto molecules = some_molecules(40);
  ChunkInput input;
  input.molecules = {pack_molecules(molecules, std::vector<std::string_view>(molecules.size(), "x"))};
  input.ids.assign(molecules.size(), "x");
  input.records.assign(molecules.size(), "");
  input.rows = std::ssize(molecules);
  for (int turn = 0; turn < 200; ++turn) {
    std::vector<std::byte> bytes = encode_chunk(input);
    if (turn % 2 == 1) bytes = test::in_format_1(bytes);
    const ParsedChunk parsed = parse_chunk(bytes, "here");
    const ChunkLayout layout = read_layout(bytes, "here");
    const std::size_t begin = layout.sections.front().present
                                  ? layout.sections.front().bytes.data() - bytes.data()
                                  : layout[SectionId::kind_table].bytes.data() - bytes.data();
    for (int change = 0; change < 400; ++change)
      bytes[begin + random.below(bytes.size() - begin)] = std::byte(random.below(256));
    for (Index m = 0; m < std::ssize(molecules); ++m) {
      const Molecule decoded = decode_molecule(parsed.chunk, m);
      for (const Bond& bond : decoded.bonds) EXPECT_TRUE(bond.begin < bond.end && bond.end < decoded.atoms.size());
    }
  }
}

}  // namespace
}  // namespace quarry
