/// Fuzzes the manifest of a collection. What is accepted is the same text again, and a library that can be asked for all
/// that it says without a part.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "library/collection/manifest.hpp"
#include "quarry/error.hpp"
#include "require.hpp"

using namespace quarry;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Collection collection = parse_manifest({reinterpret_cast<const char*>(data), size}, "manifest");
    Index rows = 0, molecules = 0;
    for (const CollectionPart& part : collection.parts) {
      test::require(part.source < std::ssize(collection.sources));
      rows += part.report.rows;
      for (const Index of_chunk : part.chunk_molecules) molecules += of_chunk;
    }
    test::require(rows == collection.report().rows && molecules == collection.report().ok);
    const std::string text = manifest_text(collection);
    test::require(manifest_text(parse_manifest(text, "again")) == text);
  } catch (const InputError&) {
  }
  return 0;
}
