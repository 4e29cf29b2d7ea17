#include "output/alerts/alert_rows.hpp"

#include <algorithm>
#include <charconv>

#include "output/json.hpp"
#include "output/text.hpp"

namespace quarry::cli {
namespace {

/// -1 is the graph before any update.
void append_update(Index update, std::string& text) {
  if (update < 0) text += '-';
  append_number(static_cast<std::uint64_t>(update < 0 ? -update : update), text);
}

}  // namespace

void AlertRows::add_pattern(const GraphPattern& pattern) {
  names_.push_back(format_.json ? Json(pattern.name).text() : cell_of(pattern.name, format_.separator));
  widths_.push_back(pattern.vertices.size());
  max_width_ = std::max(max_width_, widths_.back());
}

std::string AlertRows::header() const {
  if (format_.json) return "";
  std::vector<std::string> names = {"update", "sign", "pattern"};
  if (format_.count) {
    names.insert(names.end(), {"subgraphs", "embeddings"});
  } else {
    if (format_.truncated) names.push_back("truncated");
    if (pads())
      for (std::size_t i = 0; i < max_width_; ++i) names.push_back("v" + std::to_string(i));
    else
      names.push_back("vertices");
  }
  return joined(names, std::string_view(&format_.separator, 1)) + '\n';
}

/// What stands before a column: in an object its name, else the separator.
void AlertRows::begin_column(std::string_view name, std::string& text) const {
  if (!format_.json) {
    text += format_.separator;
    return;
  }
  text += ", \"";
  text += name;
  text += "\": ";
}

void AlertRows::append_begin(const watch::Alert& alert, std::string& text) const {
  const char sign = alert.created ? '+' : '-';
  if (format_.json) {
    text += "{\"update\": ";
    append_update(alert.update, text);
    text += std::string(", \"sign\": \"") + sign + "\", \"pattern\": " + names_[alert.pattern];
    return;
  }
  append_update(alert.update, text);
  text += format_.separator;
  text += sign;
  text += format_.separator;
  text += names_[alert.pattern];
}

void AlertRows::append(const watch::Alert& alert, std::string& text) {
  const bool is_last = alert.subgraphs > 0;
  if (format_.count) {
    if (!is_last) return;
    append_begin(alert, text);
    begin_column("subgraphs", text);
    append_number(alert.subgraphs, text);
    begin_column("embeddings", text);
    append_number(alert.embeddings, text);
    text += format_.json ? "}\n" : "\n";
    return;
  }
  std::span<const std::uint64_t> matches = alert.matches;
  if (format_.truncated) {
    waiting_.insert(waiting_.end(), matches.begin(), matches.end());
    if (!is_last) return;
    matches = waiting_;
  }
  if (!matches.empty()) append_matches(alert, matches, text);
  if (format_.truncated) waiting_.clear();
}

/// PERF: what is equal in all rows is made once, and rows go into the text many at a time: half the time of a long list.
void AlertRows::append_matches(const watch::Alert& alert, std::span<const std::uint64_t> matches,
                               std::string& text) const {
  std::string begin, between = format_.json ? ", " : std::string(1, format_.separator), end;
  append_begin(alert, begin);
  if (format_.truncated) {
    begin_column("truncated", begin);
    begin += format_.json ? (alert.truncated ? "true" : "false") : (alert.truncated ? "1" : "0");
  }
  begin += format_.json ? ", \"vertices\": [" : between;
  const std::size_t width = widths_[alert.pattern];
  if (pads()) end.append(max_width_ - width, format_.separator);
  end += format_.json ? "]}\n" : "\n";

  constexpr std::size_t kDigits = 20;
  const std::size_t most = begin.size() + width * (kDigits + between.size()) + end.size();
  std::vector<char> room(std::max<std::size_t>(most, 1 << 14));
  char* next = room.data();
  const auto put = [&](const std::string& part) { next = std::copy(part.begin(), part.end(), next); };
  for (std::size_t i = 0; i < matches.size(); i += width) {
    if (room.data() + room.size() < next + most) {
      text.append(room.data(), next);
      next = room.data();
    }
    put(begin);
    for (std::size_t k = i; k < i + width; ++k) {
      if (k > i) put(between);
      next = std::to_chars(next, next + kDigits, matches[k]).ptr;
    }
    put(end);
  }
  text.append(room.data(), next);
}

}  // namespace quarry::cli
