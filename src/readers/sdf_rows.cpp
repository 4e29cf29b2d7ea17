/// SDF files: molfile and data of a record up to its `$$$$`. Format: CTFile Formats, BIOVIA 2020.
#include <algorithm>

#include "readers/row_formats.hpp"

namespace quarry {
namespace {

constexpr std::string_view kEnd = "$$$$";

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\n") == std::string_view::npos; }

class SdfRows final : public LineRows {
 public:
  using LineRows::LineRows;
  RecordFormat record_format() const override { return RecordFormat::sdf; }

  bool next(Row& row) override {
    row = {lines_.line_number() + 1, "", "", ""};
    bool ended = false, too_long = false;
    while (!ended && lines_.next(line_)) {
      ended = line_.starts_with(kEnd);
      too_long = too_long || row.record.size() + line_.size() > kMaxRecordBytes;
      if (!ended && !too_long) row.record.append(line_).push_back('\n');
    }
    if (!ended && is_blank(row.record)) return false;  // only blank lines follow the last record
    row.id = tidy_id(std::string_view(row.record).substr(0, row.record.find('\n')), ++num_rows_);
    if (too_long) {
      row.record.clear();
      row.reason = "the record is longer than " + std::to_string(kMaxRecordBytes) + " bytes";
    }
    return true;
  }

 private:
  std::string line_;
};

}  // namespace

std::unique_ptr<RowReader> sdf_rows(const std::string& path) { return std::make_unique<SdfRows>(path); }

}  // namespace quarry
