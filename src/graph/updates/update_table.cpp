/// Updates in columns with names, separated by commas or tabs.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/read/line_scanner.hpp"
#include "graph/updates/update_format.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

enum Column { kFrom, kTo, kLabel, kOperation, kTime, kFromLabel, kToLabel, kNumColumns };
constexpr std::array<const char*, kNumColumns> kUpdateColumns = {"from", "to",         "label",   "op",
                                                                 "time", "from_label", "to_label"};

Column column_of(const std::string& name) {
  if (name == "source") return kFrom;
  if (name == "target") return kTo;
  return static_cast<Column>(std::ranges::find(kUpdateColumns, name) - kUpdateColumns.begin());
}

/// Takes the next field, without blanks and quotes around it, and what separates it from the next.
/// @return false where no field follows
bool next_field(std::string_view& rest, char separator, std::string_view& field) {
  const std::size_t begin = rest.find_first_not_of(' ');
  // A separator within quotes is text.
  const bool quoted = begin != std::string_view::npos && rest[begin] == '"';
  const std::size_t search_from = quoted ? std::min(rest.find('"', begin + 1), rest.size()) : 0;
  const std::size_t end = std::min(rest.find(separator, search_from), rest.size());
  field = trimmed(rest.substr(0, end));
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
  const bool more = end < rest.size();
  rest.remove_prefix(more ? end + 1 : end);
  return more;
}

class UpdateTable final : public UpdateFormat {
 public:
  UpdateTable(char separator, bool timed) : separator_(separator), timed_(timed) { positions_.fill(-1); }

  bool has_header() const override { return true; }

  std::string read_header(std::string_view line) override {
    std::string_view field;
    for (bool more = true; more; ++num_fields_) {
      more = next_field(line, separator_, field);
      const std::string name = lower_case(std::string(field));
      const Column column = column_of(name);
      if (column == kNumColumns) {
        ignored_.push_back(name);
        continue;
      }
      if (positions_[column] >= 0) return fmt::format("two columns are '{}'", kUpdateColumns[column]);
      positions_[column] = num_fields_;
    }
    for (const Column needed : {kFrom, kTo}) {
      if (positions_[needed] < 0) return fmt::format("no column is '{}'", kUpdateColumns[needed]);
    }
    return timed_ && positions_[kTime] < 0 ? "no column is 'time', which a window needs" : "";
  }

  bool parse(std::string_view line, UpdateRow& row, std::string& reason) override {
    std::array<std::string_view, kNumColumns> values{};
    if (!split(line, values, reason)) return false;
    if (positions_[kOperation] >= 0 && !take_operation(values[kOperation], row.deletes, reason)) return false;
    if (timed_ && !take_time(values[kTime], row, reason)) return false;
    return take_number(values[kFrom], "vertex id", kHighestId, row.from, reason) &&
           take_number(values[kTo], "vertex id", kHighestId, row.to, reason) &&
           take_label(values[kLabel], row.label, reason) && take_label(values[kFromLabel], row.from_label, reason) &&
           take_label(values[kToLabel], row.to_label, reason);
  }

 private:
  bool split(std::string_view line, std::array<std::string_view, kNumColumns>& values, std::string& reason) const {
    Index num_fields = 0;
    std::string_view field;
    for (bool more = true; more; ++num_fields) {
      more = next_field(line, separator_, field);
      const auto column = std::ranges::find(positions_, num_fields) - positions_.begin();
      if (column < kNumColumns) values[column] = field;
    }
    if (num_fields == num_fields_) return true;
    reason = fmt::format("the row has {} fields, the header names {}", num_fields, num_fields_);
    return false;
  }

  /// An empty field is no label.
  static bool take_label(std::string_view text, std::optional<std::uint32_t>& label, std::string& reason) {
    std::uint64_t value = 0;
    if (text.empty()) return true;
    if (!take_number(text, "label", kHighestUpdateLabel, value, reason)) return false;
    label = static_cast<std::uint32_t>(value);
    return true;
  }

  const char separator_;
  const bool timed_;
  Index num_fields_ = 0;                      // of the header
  std::array<Index, kNumColumns> positions_;  // of the columns among the fields, or -1
};

}  // namespace

std::unique_ptr<UpdateFormat> update_table_format(char separator, bool timed) {
  return std::make_unique<UpdateTable>(separator, timed);
}

}  // namespace quarry
