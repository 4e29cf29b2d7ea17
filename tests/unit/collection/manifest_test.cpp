/// The manifest: what is written is read again, and each number that makes no sense is named.
#include "library/collection/manifest.hpp"

#include <gtest/gtest.h>

#include "quarry/error.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

Collection two_sources() {
  Collection collection;
  collection.provenance.command = "--id-column \"x\"";
  collection.provenance.version = "Quarry 1";
  collection.sources = {{"a.smi", "3 bytes", {5, 4, 1}}, {"-", "", {2, 2, 0}}};
  collection.parts = {{0, 0, {3, 3, 0}, 30, 27, 4096, 0xABCDEF, {2, 1}},
                      {0, 3, {2, 1, 1}, 10, 9, 2048, 1, {1}},
                      {1, 0, {2, 2, 0}, 4, 2, 1024, 2, {2}}};
  return collection;
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = manifest_text(two_sources());
  const auto place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

TEST(Manifest, IsReadAsItWasWritten) {
  Collection collection = two_sources();
  for (const bool other : {false, true}) {
    collection.provenance.explicit_hydrogens = other;
    collection.provenance.stereo = !other;
    collection.provenance.format = other ? RecordFormat::sdf : RecordFormat::smiles;
    const std::string text = manifest_text(collection);
    const Collection again = parse_manifest(text, "m");
    EXPECT_EQ(manifest_text(again), text);
    EXPECT_EQ(again.provenance.explicit_hydrogens, other);
    EXPECT_EQ(again.provenance.stereo, !other);
    EXPECT_EQ(again.provenance.format, collection.provenance.format);
    EXPECT_EQ(again.parts[0].chunk_molecules, (std::vector<Index>{2, 1}));
    EXPECT_EQ(again.parts[0].checksum, 0xABCDEFu);
    EXPECT_EQ(again.sources[1].name, "-");
  }
}

TEST(Manifest, NamesWhatIsWrong) {
  const auto refusal = [](const std::string& from, const std::string& to) {
    return message_of<InputError>([&] { (void)parse_manifest(changed(from, to), "m"); });
  };
  EXPECT_EQ(refusal("{", "["), "m is no JSON: it is damaged, or was written by something else");
  EXPECT_EQ(refusal("quarry collection", "x"), "m: \"format\" is not that of a collection");
  EXPECT_EQ(refusal("\"format_version\":1", "\"format_version\":2"),
            "m is in format version 2; this program reads version 1: update Quarry");
  EXPECT_EQ(refusal("\"first_row\":3", "\"first_row\":2"), "m, part 1: it does not follow the part before");
  EXPECT_EQ(refusal("\"source\":1", "\"source\":2"), "m, part 2: it does not follow the part before");
  EXPECT_EQ(refusal("\"source\":1", "\"source\":-1"), "m, part 2: \"source\" is no number up to 1099511627776");
  EXPECT_EQ(refusal("\"atoms\":30", "\"atoms\":1099511627777"),
            "m, part 0: \"atoms\" is no number up to 1099511627776");
  EXPECT_EQ(refusal("\"atoms\":30", "\"atoms\":3.5"), "m, part 0: \"atoms\" is no number up to 1099511627776");
  EXPECT_EQ(refusal("\"atoms\":30,", ""), "m, part 0: \"atoms\" is missing");
  EXPECT_EQ(refusal("[2,1]", "[2,2]"), "m, part 0: \"chunks\" do not add up to the molecules");
  EXPECT_EQ(refusal("[2,1]", "[16385]"), "m, part 0: \"chunks\" is no number up to 16384");
  EXPECT_EQ(refusal("0000000000abcdef", "xyz"), "m, part 0: \"checksum\" is no checksum");
  EXPECT_EQ(refusal("part-000001.qlib", "../../x"), "m, part 1: \"file\" is not part-000001.qlib");
  EXPECT_EQ(refusal("\"identity\":\"3 bytes\",\"rows\":5,\"molecules\":4",
                    "\"identity\":\"3 bytes\",\"rows\":6,\"molecules\":5"),
            "m, source 0: its parts do not add up to its rows");
  EXPECT_EQ(refusal("\"identity\":\"3 bytes\",\"rows\":5", "\"identity\":\"3 bytes\",\"rows\":6"),
            "m, source 0: \"rows\" is not molecules + rejected");
  EXPECT_EQ(refusal("\"rows\":7,\"molecules\":6", "\"rows\":8,\"molecules\":7"),
            "m: \"rows\" is not the sum over the sources");
  EXPECT_EQ(refusal("\"implicit\"", "\"some\""), "m: \"hydrogens\" is neither implicit nor explicit");
  EXPECT_EQ(refusal("\"sources\":[", "\"sources\":[5,"), "m, source 0 is no object");
}

TEST(Manifest, NamesAreUtf8) {
  Collection collection = two_sources();
  collection.sources[0].name = "caf\xe9.smi";
  EXPECT_NE(message_of<InputError>([&] { (void)manifest_text(collection); }).find("is not UTF-8"), std::string::npos);
}

}  // namespace
}  // namespace quarry::test
