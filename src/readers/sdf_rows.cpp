/// SDF files: molfile and data items of a record up to its `$$$$`. Format: CTFile Formats, BIOVIA 2020.
///
/// A data item is a line `> <NAME>`, lines of its value, and a blank line.
#include <algorithm>
#include <optional>
#include <vector>

#include "quarry/error.hpp"
#include "readers/row_formats.hpp"
#include "util/ascii.hpp"
#include "util/files/byte_source.hpp"

namespace quarry {
namespace {

constexpr std::string_view kEnd = "$$$$";

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\n") == std::string_view::npos; }

/// The name in the first line of a data item; empty for any other line.
std::string_view item_name(std::string_view line) {
  if (!line.starts_with('>')) return {};
  const auto begin = line.find('<'), end = line.rfind('>');
  if (begin == std::string_view::npos || end < begin + 2) return {};
  return line.substr(begin + 1, end - begin - 1);
}

/// The data items of one record, as far as they may be ids.
class DataItems {
 public:
  void clear() {
    names_.clear();
    values_.clear();
    open_ = false;
  }

  void feed(std::string_view line) {
    if (const auto name = item_name(line); !open_ && !name.empty()) {
      names_.emplace_back(name);
      values_.emplace_back();
      open_ = true;
    } else if (is_blank(line)) {
      open_ = false;
    } else if (open_) {
      values_.back().append(values_.back().empty() ? "" : " ").append(line);
    }
  }

  const std::vector<std::string>& names() const { return names_; }
  const std::string& value(std::size_t item) const { return values_[item]; }

 private:
  std::vector<std::string> names_, values_;
  bool open_ = false;
};

class SdfRows final : public LineRows {
 public:
  SdfRows(const std::string& path, const ReadOptions& options)
      : LineRows(path, options.threads), path_(path), named_(!options.id_column.empty()), id_item_(options.id_column) {
    if (named_) notes_.ids = "data item '" + id_item_ + "'";
  }
  RecordFormat record_format() const override { return RecordFormat::sdf; }

  bool next(Row& row) override {
    row = {lines_.line_number() + 1, "", "", ""};
    bool ended = false, too_long = false;
    items_.clear();
    while (!ended && lines_.next(line_)) {
      ended = line_.starts_with(kEnd);
      too_long = too_long || row.record.size() + line_.size() > kMaxRecordBytes;
      if (ended || too_long) continue;
      row.record.append(line_).push_back('\n');
      items_.feed(line_);
    }
    if (!ended && is_blank(row.record)) {  // only blank lines follow the last record
      require_item();
      return false;
    }
    row.id = id_of(std::string_view(row.record).substr(0, row.record.find('\n')));
    if (too_long) {
      row.record.clear();
      row.reason = "the record is longer than " + std::to_string(kMaxRecordBytes) + " bytes";
    }
    return true;
  }

 private:
  std::string id_of(std::string_view title) {
    ++num_rows_;
    if (known_items_.empty()) known_items_ = items_.names();
    if (!named_ && !is_blank(title)) return tidied(title);
    if (id_item_.empty()) guess();
    if (id_item_.empty()) return tidied(title);
    const auto item = find_named(items_.names(), id_item_);
    seen_ = seen_ || item;
    if (item && !is_blank(items_.value(*item))) return tidied(items_.value(*item));
    ++notes_.without_id;
    return tidied(title);
  }

  /// The first record without a title decides for all that follow.
  void guess() {
    const auto item = find_id_name(items_.names());
    if (!item) return;
    id_item_ = items_.names()[*item];
    notes_.ids = "data item '" + id_item_ + "', where records have no title";
  }

  void require_item() const {
    if (!named_ || seen_ || num_rows_ == 0) return;
    const std::string known = known_items_.empty() ? "no data items" : "the data items " + listed(known_items_);
    throw InputError("no record of " + input_name(path_) + " has a data item named " + id_item_ +
                         "; the first one with any has " + known,
                     "id_column");
  }

  std::string path_, line_;
  bool named_;           // by the user
  std::string id_item_;  // of the ids
  bool seen_ = false;    // in some record
  DataItems items_;
  std::vector<std::string> known_items_;
};

}  // namespace

std::unique_ptr<RowReader> sdf_rows(const std::string& path, const ReadOptions& options) {
  return std::make_unique<SdfRows>(path, options);
}

}  // namespace quarry
