#include "support/molecules/collections.hpp"

#include <algorithm>
#include <span>

#include "library/chunk_codec.hpp"
#include "library/library_impl.hpp"
#include "support/molecules/strings_of.hpp"
#include "support/shapes.hpp"

namespace quarry::test {

Library chunk_of_texts(const std::vector<std::string>& texts, const std::string& command) {
  ChunkInput input;
  input.ids = input.records = views_of(texts);
  input.molecules = {pack_molecules(std::vector<Molecule>(texts.size(), chain(2)), input.ids)};
  input.rows = std::ssize(texts);
  Provenance made;
  made.command = command;
  made.version = "test";
  return library_from_chunk(encode_chunk(input), made);
}

void add_source(CollectionWriter& writer, const std::string& name, const std::string& identity,
                const std::vector<std::string>& texts, Index chunk_rows) {
  for (Index first = writer.enter(name, identity).rows; first < std::ssize(texts); first += chunk_rows) {
    const auto begin = texts.begin() + first;
    writer.append(chunk_of_texts({begin, begin + std::min(chunk_rows, std::ssize(texts) - first)}));
  }
  writer.leave();
}

std::vector<std::string> numbered(const std::string& name, Index count) {
  std::vector<std::string> texts;
  for (Index i = 0; i < count; ++i) texts.push_back(name + std::to_string(i));
  return texts;
}

}  // namespace quarry::test
