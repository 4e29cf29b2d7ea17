/// Tripos mol2 files: a row is a molecule, from its `@<TRIPOS>MOLECULE` to the next.
#include "readers/row_formats.hpp"

namespace quarry {
namespace {

constexpr std::string_view kBegin = "@<TRIPOS>MOLECULE";

class Mol2Rows final : public LineRows {
 public:
  using LineRows::LineRows;
  RecordFormat record_format() const override { return RecordFormat::sdf; }

  bool next(Row& row) override {
    while (!at_begin_ && lines_.next(line_)) at_begin_ = line_.starts_with(kBegin);
    if (!at_begin_) return false;
    row = {lines_.line_number(), "", line_ + '\n', ""};
    at_begin_ = false;
    bool too_long = false;
    for (Index number = 0; lines_.next(line_); ++number) {
      at_begin_ = line_.starts_with(kBegin);
      if (at_begin_) break;
      if (number == 0) row.id = line_;
      too_long = too_long || row.record.size() + line_.size() > kMaxRecordBytes;
      if (!too_long) row.record.append(line_).push_back('\n');
    }
    ++num_rows_;
    row.id = tidied(row.id);
    if (too_long) {
      row.record.clear();
      row.reason = "the record is longer than " + std::to_string(kMaxRecordBytes) + " bytes";
    }
    return true;
  }

 private:
  std::string line_;
  bool at_begin_ = false;  // `line_` begins the next record
};

}  // namespace

std::unique_ptr<RowReader> mol2_rows(const std::string& path) { return std::make_unique<Mol2Rows>(path); }

}  // namespace quarry
