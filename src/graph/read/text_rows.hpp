/// The lines of a text, parsed in parallel, in the order of the file.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "graph/read/graph_text.hpp"
#include "util/memory/memory_budget.hpp"

namespace quarry {

/// Bytes of a text, and the rest of the last line, that one thread parses at a time. Tests set less.
inline std::size_t text_piece_bytes = std::size_t{1} << 22;

/// A parsed text.
struct TextRows {
  std::unique_ptr<TextFormat> format;
  std::vector<ParsedLines> parsed;  ///< in the order of the file
};

/// Reads a whole file, and fills in what its lines say in the report.
/// @param format  null: recognised by the content, then by the name
/// @throws InputError, CapacityError  as read_graph
TextRows read_text_rows(const std::string& path, std::unique_ptr<TextFormat> format, const GraphReadOptions& options,
                        const MemoryBudget& budget, GraphReport& report);

}  // namespace quarry
