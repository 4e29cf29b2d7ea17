/// Collections are made part by part, and go on where a run was stopped.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>

#include "quarry/error.hpp"
#include "support/molecules/collections.hpp"

namespace quarry::test {
namespace {

using Files = std::map<std::string, std::string>;

Files files_of(const std::string& folder) {
  Files files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files[entry.path().filename()] = read_whole_file(entry.path());
  return files;
}

std::vector<std::string> ids_of(const Library& library) {
  std::vector<std::string> ids;
  for (Index chunk = 0; chunk < library.num_chunks(); ++chunk)
    for (const std::string_view id : library.text(chunk, false).ids) ids.emplace_back(id);
  return ids;
}

class CollectionWriterTest : public testing::Test {
 protected:
  const TemporaryFolder folder;
  const std::string path = folder.file("c.qlibs");
  const std::vector<std::string> a = numbered("a", 10), b = numbered("b", 3);

  /// a in parts of at least 4 rows, with chunks of 2; and b.
  void write(const std::string& where) const {
    CollectionWriter writer(where, "", 4);
    add_source(writer, "a.smi", "file a", a, 2);
    add_source(writer, "b.smi", "file b", b, 2);
    writer.finish();
  }
  std::string message(const std::function<void()>& work) const { return message_of<InputError>(work); }
};

TEST_F(CollectionWriterTest, APartEndsWithTheChunkThatReachesTheLimit) {
  write(path);
  const Collection collection = read_collection(path);
  ASSERT_EQ(collection.parts.size(), 4u);  // 4 + 4 + 2 rows of a, 3 of b
  EXPECT_EQ(collection.parts[0].report, (Report{4, 4, 0}));
  EXPECT_EQ(collection.parts[1].first_row, 4);
  EXPECT_EQ(collection.parts[1].chunk_molecules, (std::vector<Index>{2, 2}));
  EXPECT_EQ(collection.parts[2].report, (Report{2, 2, 0}));
  EXPECT_EQ(collection.parts[3].source, 1);
  EXPECT_EQ(collection.sources[0].report.rows, 10);
  EXPECT_EQ(collection.sources[1].identity, "file b");
  std::vector<std::string> all = a;
  all.insert(all.end(), b.begin(), b.end());
  EXPECT_EQ(ids_of(Library::open(path)), all);
  EXPECT_EQ(Library::open(path).source(5), "b.smi");
  Library::open(path).verify();
}

/// One below the limit, at it, one above.
TEST_F(CollectionWriterTest, RowsAtTheLimit) {
  for (const auto& [rows, parts] : std::map<Index, Index>{{3, 1}, {4, 1}, {5, 2}, {8, 2}, {9, 3}}) {
    const std::string here = folder.file(std::to_string(rows) + ".qlibs");
    CollectionWriter writer(here, "", 4);
    add_source(writer, "x", "x", numbered("x", rows), 1);
    EXPECT_EQ(std::ssize(writer.finish().parts), parts) << rows;
  }
}

/// Stopped after any number of chunks, with or without a manifest of an earlier run.
TEST_F(CollectionWriterTest, AStoppedRunGoesOnToTheSameBytes) {
  write(folder.file("whole.qlibs"));
  const Files whole = files_of(folder.file("whole.qlibs"));
  for (Index num_chunks = 0; num_chunks <= 5; ++num_chunks) {
    {
      CollectionWriter writer(path, "", 4);
      writer.enter("a.smi", "file a");
      for (Index i = 0; i < num_chunks; ++i) writer.append(chunk_of_texts({a[2 * i], a[2 * i + 1]}));
    }
    EXPECT_EQ(std::filesystem::exists(path), num_chunks > 2) << num_chunks;  // a folder without a part is removed
    std::filesystem::file_time_type first{};
    if (num_chunks > 2) {
      EXPECT_NE(message([&] { (void)Library::open(path); }).find("its index run has not ended"), std::string::npos);
      first = std::filesystem::last_write_time(path + "/part-000000.qlib");
    }
    write(path);
    EXPECT_TRUE(files_of(path) == whole) << num_chunks;
    if (num_chunks > 2) {
      EXPECT_EQ(std::filesystem::last_write_time(path + "/part-000000.qlib"), first);
    }
    std::filesystem::remove_all(path);
  }
}

TEST_F(CollectionWriterTest, NewSourcesAppend) {
  {
    CollectionWriter writer(path, "", 4);
    add_source(writer, "a.smi", "file a", a, 2);
    writer.finish();
  }
  const std::string manifest = read_whole_file(path + "/manifest.json");
  {
    CollectionWriter writer(path, "", 4);
    add_source(writer, "b.smi", "file b", b, 2);
    EXPECT_EQ(read_whole_file(path + "/manifest.json"), manifest);  // readers see what was there
    EXPECT_EQ(Library::open(path).num_molecules(), 10);
    writer.finish();
  }
  write(folder.file("whole.qlibs"));
  EXPECT_TRUE(files_of(path) == files_of(folder.file("whole.qlibs")));
}

TEST_F(CollectionWriterTest, RefusesByNameWhatIsNotTheSame) {
  write(path);
  const Files before = files_of(path);
  try {
    CollectionWriter(path, "", 4).enter("a.smi", "another");
    FAIL() << "another file";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), "'a.smi' was file a when '" + path + "' was made of it, and is another now");
    EXPECT_EQ(error.option(), "restart");
  }
  EXPECT_NE(message([&] { CollectionWriter(path, "--explicit-h", 4); }).find("options '', and they are '--explicit-h'"),
            std::string::npos);
  {
    const CollectionWriter one(path, "", 4);
    EXPECT_EQ(message([&] { CollectionWriter(path, "", 4); }),
              "another run is writing to '" + path + "': wait for its end");
  }
  EXPECT_TRUE(files_of(path) == before);
  CollectionWriter writer(path, "--explicit-h", 4, /*restart=*/true);
  EXPECT_TRUE(writer.collection().sources.empty());
}

TEST_F(CollectionWriterTest, RefusesAnUnfinishedSourceThatIsNotGiven) {
  {
    CollectionWriter writer(path, "", 2);
    add_source(writer, "a.smi", "file a", a, 2);
  }
  CollectionWriter writer(path, "", 2);
  EXPECT_EQ(writer.stopped(), std::vector<std::string>{"a.smi"});
  EXPECT_NE(message([&] { writer.enter("b.smi", "file b"); }).find("was begun with 'a.smi', which is not among"),
            std::string::npos);
}

TEST_F(CollectionWriterTest, AStreamIsComparedWithWhatItWas) {
  {
    CollectionWriter writer(path, "", 4);
    add_source(writer, "-", "", a, 2);
    writer.finish();
  }
  const Files before = files_of(path);
  const auto again = [&](const std::vector<std::string>& texts) {
    CollectionWriter writer(path, "", 4);
    add_source(writer, "-", "", texts, 2);
    writer.finish();
  };
  again(a);
  EXPECT_TRUE(files_of(path) == before);
  std::vector<std::string> other = a;
  other[7] = "z7";
  EXPECT_NE(message([&] { again(other); }).find("rows 7 to 8 differ"), std::string::npos);
  EXPECT_NE(message([&] { again(numbered("a", 8)); }).find("has ended after 8 rows, and had 10"), std::string::npos);
  EXPECT_NE(message([&] { again(numbered("a", 12)); }).find("more than the 10 rows"), std::string::npos);
  EXPECT_TRUE(files_of(path) == before);
}

TEST_F(CollectionWriterTest, AStreamThatWasStoppedGoesOn) {
  {
    CollectionWriter writer(path, "", 4);
    writer.enter("-", "");
    for (Index i = 0; i < 3; ++i) writer.append(chunk_of_texts({a[2 * i], a[2 * i + 1]}));
  }
  CollectionWriter writer(path, "", 4);
  add_source(writer, "-", "", a, 2);
  writer.finish();
  EXPECT_EQ(ids_of(Library::open(path)), a);
}

}  // namespace
}  // namespace quarry::test
