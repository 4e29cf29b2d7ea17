/// SMILES files: `SMILES<blank or tab>id`, a header line, blank lines, lines that start with `# `.
#include "readers/row_formats.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

bool is_comment(std::string_view line) {
  return line.starts_with('#') && (line.size() == 1 || kBlanks.find(line[1]) != std::string_view::npos);
}

class SmilesRows final : public LineRows {
 public:
  using LineRows::LineRows;
  RecordFormat record_format() const override { return RecordFormat::smiles; }
  std::string_view text() const override { return line_; }

  bool next(Row& row) override {
    while (lines_.next(line_)) {
      const std::string_view line = trimmed(line_);
      if (line.empty() || is_comment(line)) continue;
      const std::string_view smiles = line.substr(0, line.find_first_of(kBlanks));
      if (may_be_header_ && equal_ignoring_case(smiles, "smiles")) {
        may_be_header_ = false;
        continue;
      }
      may_be_header_ = false;
      row = {lines_.line_number(), tidy_id(line.substr(smiles.size()), ++num_rows_), std::string(smiles), ""};
      return true;
    }
    return false;
  }

 private:
  std::string line_;
  bool may_be_header_ = true;
};

}  // namespace

std::unique_ptr<RowReader> smiles_rows(const std::string& path) { return std::make_unique<SmilesRows>(path); }

}  // namespace quarry
