/// A collection of random parts, and random lists of libraries and collections, answer as one library of all molecules.
#include "quarry/collection.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "library/chunk_codec.hpp"
#include "library/library_impl.hpp"
#include "support/molecules/collections.hpp"
#include "support/molecules/match_cases.hpp"
#include "support/molecules/random_molecules.hpp"
#include "support/molecules/random_smiles.hpp"
#include "support/molecules/similar_cases.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

/// Molecules, and a record for each that need not be theirs.
struct Contents {
  std::vector<Molecule> molecules;
  std::vector<std::string> records;
  Index size() const { return std::ssize(molecules); }
  /// One chunk, perhaps with its LINGOs stored.
  Library part(Index first, Index count, bool stored = false) const {
    ChunkInput input;
    const std::vector<std::string> ids = numbered("", first + count);
    for (Index i = first; i < first + count; ++i) {
      input.ids.push_back(ids[i]);
      input.records.push_back(records[i]);
    }
    input.molecules = {pack_molecules(std::span(molecules).subspan(first, count), input.ids)};
    input.rows = count;
    if (stored) input.fingerprints = similar::pack_section(input.records, {lingo(2)});
    return library_from_chunk(encode_chunk(input), {});
  }
};

Contents random_contents(Random& random, Index count) {
  Contents contents{small_molecules(random, count), {}};
  for (Index i = 0; i < count; ++i) contents.records.push_back(random_plain_smiles(random, 12));
  return contents;
}

/// Molecules `first` to `last` in chunks of a few, most of them with their LINGOs.
void write_file(Random& random, const Contents& contents, Index first, Index last, const std::string& path) {
  LibraryWriter writer(path, {});
  while (first < last) {
    const Index count = std::min(random.between(1, 9), last - first);
    writer.append(contents.part(first, count, random.below(3) > 0));
    first += count;
  }
  writer.finish();
}

void write_collection(Random& random, const Contents& contents, Index first, Index last, const std::string& path) {
  CollectionWriter writer(path, "", random.between(1, 20));
  for (Index source = 0; first < last; ++source) {
    const Index end = random.between(first + 1, last);
    writer.enter("source " + std::to_string(source), "a file");
    while (first < end) {
      const Index count = std::min(random.between(1, 9), end - first);
      writer.append(contents.part(first, count, random.below(3) > 0));
      first += count;
    }
    writer.leave();
  }
  writer.finish();
}

/// Files and collections that hold the molecules one after the other.
std::vector<std::string> write_randomly(Random& random, const Contents& contents, const TemporaryFolder& folder) {
  std::vector<std::string> paths;
  for (Index first = 0; first < contents.size();) {
    const Index last = random.between(first + 1, contents.size());
    const bool is_file = random.below(2) == 0;
    paths.push_back(folder.file(std::to_string(first) + (is_file ? ".qlib" : ".qlibs")));
    (is_file ? write_file : write_collection)(random, contents, first, last, paths.back());
    first = last;
  }
  return paths;
}

TEST(CollectionProperty, MatchesAsOneLibrary) {
  Random random(0xC011EC7);
  for (int round = 0; round < rounds(12); ++round) {
    const Contents contents = random_contents(random, random.between(1, 150));
    const TemporaryFolder folder;
    const Library library = Library::open(write_randomly(random, contents, folder));
    ASSERT_EQ(library.num_molecules(), contents.size());
    const Library one = contents.part(0, contents.size());
    const QuerySet queries = query_set(random_patterns(random, 6, contents.molecules, {}));
    for (const match::Mode mode : {match::Mode::first, match::Mode::all, match::Mode::count}) {
      for (const int threads : {1, 3}) {
        match::Options options = in_mode(mode);
        options.threads = threads;
        EXPECT_TRUE(same_result(match::run(library, queries, options), match::run(one, queries, options)));
      }
    }
    for (Index i = 0; i < contents.size(); ++i) EXPECT_TRUE(library.molecule(i) == one.molecule(i));
  }
}

TEST(CollectionProperty, ComparesAsOneLibrary) {
  Random random(0xC051);
  for (int round = 0; round < rounds(10); ++round) {
    const Contents contents = random_contents(random, random.between(2, 150));
    const TemporaryFolder folder;
    const Library many = Library::open(write_randomly(random, contents, folder));
    const Library one = contents.part(0, contents.size());
    const auto of = [](const Library& library) { return similar::Fingerprints::of_library(library, lingo(2)); };
    EXPECT_TRUE(same_neighbours(similar::search(of(many), of(many), search_options(3, 0.2, 2)),
                                similar::search(of(one), of(one), search_options(3, 0.2, 2))));
    const auto clusters = similar::cluster(of(many), 0.5, run_options()),
               expected = similar::cluster(of(one), 0.5, run_options());
    EXPECT_EQ(clusters.cluster_of, expected.cluster_of);
    EXPECT_EQ(clusters.centroids, expected.centroids);
    const Index count = random.between(1, contents.size());
    EXPECT_EQ(similar::pick(of(many), count, 0, 1, run_options()), similar::pick(of(one), count, 0, 1, run_options()));
    EXPECT_EQ(whole_matrix(of(many), of(one)), whole_matrix(of(one), of(many)));
  }
}

}  // namespace
}  // namespace quarry::test
