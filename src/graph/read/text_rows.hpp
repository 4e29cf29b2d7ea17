/// The lines of a text, parsed in parallel, in the order of the file.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "graph/memory_budget.hpp"
#include "graph/read/graph_text.hpp"

namespace quarry {

/// A text as its format understands it.
struct TextRows {
  std::unique_ptr<TextFormat> format;
  std::vector<ParsedBlock> blocks;
  Index num_rows() const {
    Index sum = 0;
    for (const ParsedBlock& block : blocks) sum += block.num_rows();
    return sum;
  }
};

/// Reads a whole file and fills the report with what can be told line by line.
/// @param format  null: told by the content, then by the name
/// @throws InputError, CapacityError  as read_graph
TextRows read_text_rows(const std::string& path, std::unique_ptr<TextFormat> format, const GraphReadOptions& options,
                        const MemoryBudget& budget, GraphReport& report);

}  // namespace quarry
