/// Adjacency lists: a row is a vertex and its neighbours, in any order. An edge may be in the rows of both its ends or of
/// one, and a vertex without neighbours has a row of its own.
/// Source: the format of NetworkX's read_adjlist.
#include "graph/read/graph_text.hpp"

namespace quarry {
namespace {

class AdjacencyList final : public TextFormat {
 public:
  std::string read_header(HeaderLines& lines, GraphReport& report) override {
    std::string_view line;
    while (lines.peek(line) && is_blank_or_comment(line, report)) lines.next(line);
    if (lines.peek(line)) describe_row(line, report);
    return "";
  }

  void parse(std::string_view lines, bool strict, ParsedLines& parsed) const override {
    for_each_row(lines, strict, false, parsed, [&](LineScanner& scanner, std::string& reason) {
      std::uint64_t vertex = 0, neighbour = 0;
      if (!are_ids(scanner, reason)) return false;
      scanner.take(vertex, "vertex id", 0, kHighestId, reason);
      if (scanner.at_end()) parsed.add_lone(vertex);
      while (!scanner.at_end()) {
        scanner.take(neighbour, "vertex id", 0, kHighestId, reason);
        parsed.add(vertex, neighbour);
      }
      return true;
    });
  }

  bool numbered() const override { return false; }

 private:
  /// A bad row is left out as a whole.
  static bool are_ids(LineScanner scanner, std::string& reason) {
    std::uint64_t id = 0;
    do {
      if (!scanner.take(id, "vertex id", 0, kHighestId, reason)) return false;
    } while (!scanner.at_end());
    return true;
  }
};

}  // namespace

std::unique_ptr<TextFormat> adjacency_list_format() { return std::make_unique<AdjacencyList>(); }

}  // namespace quarry
