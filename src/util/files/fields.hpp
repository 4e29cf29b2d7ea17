/// Rows of tables, cut into their fields.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quarry {

using Fields = std::vector<std::string>;

/// Splits a row into fields, with quotes as RFC 4180 has them. A row takes several lines where a quoted field has line ends.
class FieldSplitter {
 public:
  explicit FieldSplitter(char separator) : separator_(separator) {}

  void feed(std::string_view line) {
    if (quoted_) fields_.back().push_back('\n');
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (quoted_ && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
        fields_.back().push_back(line[++i]);
      } else if (c == '"' && (quoted_ || at_start_)) {
        if (quoted_ && fields_.back().empty()) empty_quotes_.push_back(fields_.size() - 1);
        closed_ = quoted_;
        quoted_ = !quoted_;
      } else if (c == separator_ && !quoted_) {
        fields_.emplace_back();
        at_start_ = true;
        closed_ = false;
        continue;
      } else {
        fields_.back().push_back(c);
        goes_on_ |= closed_ && c != ' ' && c != '\r';
      }
      at_start_ = false;
    }
  }
  bool complete() const { return !quoted_; }
  /// Does some field go on behind its closing quote?
  bool goes_on_after_quotes() const { return goes_on_; }
  /// Is the field quotes with nothing between them?
  bool is_empty_quotes(std::size_t field) const { return std::ranges::count(empty_quotes_, field) > 0; }
  Fields take() { return std::move(fields_); }

 private:
  char separator_;
  Fields fields_ = Fields(1);
  std::vector<std::size_t> empty_quotes_;
  bool quoted_ = false, at_start_ = true, closed_ = false, goes_on_ = false;
};

/// Of a header: the one that it has most of.
inline char likely_separator(const std::string& header) {
  const auto uses = [&](char c) { return std::count(header.begin(), header.end(), c); };
  char best = ',';
  for (const char candidate : {'\t', ';'}) {
    if (uses(candidate) > uses(best)) best = candidate;
  }
  return best;
}

}  // namespace quarry
