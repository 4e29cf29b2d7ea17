/// From the lines of a file to updates: rows, and for a window the deletions between them.
#include <fmt/format.h>

#include <optional>

#include "graph/updates/update_format.hpp"
#include "graph/updates/update_window.hpp"
#include "quarry/error.hpp"
#include "quarry/graph_update.hpp"
#include "util/ascii.hpp"
#include "util/files/byte_source.hpp"
#include "util/files/file_name.hpp"
#include "util/files/line_reader.hpp"

namespace quarry {
namespace {

using Kind = GraphUpdate::Kind;

std::string format_of(const std::string& path, const std::string& chosen) {
  if (!chosen.empty()) return chosen;
  const std::string_view name = without_compression(path);
  for (const std::string format : {"csv", "tsv", "jsonl"}) {
    if (name.ends_with("." + format)) return format;
  }
  return "updates";
}

std::unique_ptr<UpdateFormat> make_format(const std::string& format, bool timed) {
  if (format == "csv") return update_table_format(',', timed);
  if (format == "tsv") return update_table_format('\t', timed);
  if (format == "jsonl") return update_json_format(timed);
  if (format != "updates") {
    throw InputError(fmt::format("'{}' is not a format of updates (updates, csv, tsv, jsonl)", format));
  }
  if (timed) throw InputError("a window needs time stamps, which updates have in the formats csv, tsv and jsonl");
  return update_text_format();
}

GraphUpdate update_of(const UpdateRow& row, bool adds_ends) {
  GraphUpdate update;
  if (row.is_vertex) {
    update.kind = row.deletes ? Kind::remove_vertex : Kind::add_vertex;
  } else {
    update.kind = row.deletes ? Kind::delete_edge : Kind::insert_edge;
    update.adds_ends = adds_ends && !row.deletes;
  }
  update.label = row.label.value_or(row.deletes || row.is_vertex ? kAnyLabel : 0);
  update.from = row.from;
  update.to = row.to;
  update.from_label = row.from_label.value_or(kAnyLabel);
  update.to_label = row.to_label.value_or(kAnyLabel);
  return update;
}

}  // namespace

struct UpdateReader::Impl {
  Impl(const std::string& path, const UpdateReadOptions& options)
      : input_(input_name(path)),
        format_(make_format(format_of(path, options.format), options.window > 0)),
        lines_(path) {
    if (!(options.window >= 0)) throw InputError("a window is a length of time, and cannot be negative");
    if (options.window > 0) window_.emplace(options.window);
    if (format_->has_header()) read_header();
  }

  bool next(GraphUpdate& update) {
    for (;;) {
      if (arrival_ && window_->expire(time_, update)) {
        ++report_.expired;
        return true;
      }
      if (arrival_) {
        update = *arrival_;
        arrival_.reset();
        if (enters(update)) return true;
      }
      if (!next_row()) return false;
      const bool readable = read_row(update);
      if (!readable) {
        update = {};
        update.kind = Kind::unreadable;
      }
      update.line = lines_.line_number();
      if (!readable || !window_) return true;
      arrival_ = update;
    }
  }

  const UpdateReport& report() const { return report_; }

 private:
  /// Puts the next line that is neither blank nor a comment into `line_`, and without its end into `text_`.
  bool next_row() {
    while (lines_.next(line_)) {
      const std::string_view content = trimmed(line_, " \t\r");
      if (content.empty() || content[0] == '#') continue;
      line_ += '\n';  // where LineScanner stops
      text_ = std::string_view(line_).substr(0, line_.size() - 1);
      return true;
    }
    return false;
  }

  void read_header() {
    if (!next_row()) throw InputError(input_ + " has no header that names columns");
    const std::string wrong = format_->read_header(text_);
    if (!wrong.empty()) throw InputError(fmt::format("{}, line {}: {}", input_, lines_.line_number(), wrong));
  }

  /// @return false where the row is rejected
  bool read_row(GraphUpdate& update) {
    UpdateRow row;
    std::string reason;
    ++report_.rows;
    if (!format_->parse(text_, row, reason) || (window_ && !fits_window(row, reason))) {
      if (++report_.rejected <= kMaxNamedRows) {
        report_.rejected_rows.push_back({lines_.line_number(), "", std::move(reason)});
      }
      return false;
    }
    if (++report_.ok == 1) report_.ignored_columns = format_->ignored();
    update = update_of(row, format_->adds_ends());
    return true;
  }

  bool fits_window(const UpdateRow& row, std::string& reason) {
    if (row.is_vertex || row.deletes) {
      reason = "in a window every row is an edge that arrives";
      return false;
    }
    if (has_dates_.value_or(row.has_date) != row.has_date) {
      reason = "time stamps are dates or numbers, not both in one file";
      return false;
    }
    has_dates_ = row.has_date;
    if (row.time < time_) {
      reason = fmt::format("the time stamp is lower by {} than the one before", time_ - row.time);
      return false;
    }
    time_ = row.time;
    return true;
  }

  /// Is the row that has arrived an update, or does it only let an edge stay longer? A loop is never in the window.
  bool enters(const GraphUpdate& edge) {
    if (edge.from == edge.to || window_->see(edge, time_)) return true;
    ++report_.refreshed;
    return false;
  }

  const std::string input_;
  const std::unique_ptr<UpdateFormat> format_;
  LineReader lines_;
  std::string line_;
  std::string_view text_;
  std::optional<UpdateWindow> window_;
  std::optional<GraphUpdate> arrival_;  // waits until all that its time lets expire is delivered
  TimeStamp time_ = std::numeric_limits<TimeStamp>::lowest();
  std::optional<bool> has_dates_;  // do time stamps? Nothing before the first
  UpdateReport report_;
};

UpdateReader::UpdateReader(const std::string& path, const UpdateReadOptions& options)
    : impl_(std::make_unique<Impl>(path, options)) {}
UpdateReader::UpdateReader(UpdateReader&&) noexcept = default;
UpdateReader& UpdateReader::operator=(UpdateReader&&) noexcept = default;
UpdateReader::~UpdateReader() = default;

bool UpdateReader::next(GraphUpdate& update) { return impl_->next(update); }
const UpdateReport& UpdateReader::report() const { return impl_->report(); }

}  // namespace quarry
