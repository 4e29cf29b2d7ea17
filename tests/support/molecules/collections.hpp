/// Collections for tests, made of plain texts: no reader is needed.
#pragma once
#include <string>
#include <vector>

#include "quarry/collection.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {

/// A chunk of carbons whose ids and records are the texts, as a reader with `command` would deliver it.
Library chunk_of_texts(const std::vector<std::string>& texts, const std::string& command = "");

/// Adds a source that is read in chunks of at most `chunk_rows` texts. @param identity  empty: a stream
void add_source(CollectionWriter& writer, const std::string& name, const std::string& identity,
                const std::vector<std::string>& texts, Index chunk_rows);

/// "n0", "n1", ...
std::vector<std::string> numbered(const std::string& name, Index count);

}  // namespace quarry::test
