/// The updates of the literature on continuous subgraph matching, one letter and two or three numbers a line.
///
/// Source: the streams of Sun, Sun, Li, He, Luo, An In-Depth Study of Continuous Subgraph Matching, PVLDB 15 (2022).
#include <fmt/format.h>

#include "graph/read/line_scanner.hpp"
#include "graph/updates/update_format.hpp"

namespace quarry {
namespace {

class UpdateText final : public UpdateFormat {
 public:
  bool adds_ends() const override { return false; }

  bool parse(std::string_view line, UpdateRow& row, std::string& reason) override {
    const char* at = line.data() + line.find_first_not_of(" \t\r");
    row.deletes = *at == '-';
    if (row.deletes) ++at;
    row.is_vertex = *at == 'v';
    const bool known = row.is_vertex || *at == 'e';
    LineScanner scanner(known ? at + 1 : at);
    if (!known || !(scanner.separator() || scanner.at_end())) {
      reason = "the line begins with none of e, -e, v and -v";
      return false;
    }
    if (!scanner.take(row.from, "vertex id", 0, kHighestId, reason)) return false;
    if (!row.is_vertex && !scanner.take(row.to, "vertex id", 0, kHighestId, reason)) return false;
    if (scanner.at_end()) return true;
    std::uint64_t label = 0;
    if (!scanner.take(label, "label", 0, kHighestUpdateLabel, reason)) return false;
    row.label = static_cast<std::uint32_t>(label);
    if (scanner.at_end()) return true;
    reason = fmt::format("'{}' stands behind the label", scanner.field());
    return false;
  }
};

}  // namespace

std::unique_ptr<UpdateFormat> update_text_format() { return std::make_unique<UpdateText>(); }

}  // namespace quarry
