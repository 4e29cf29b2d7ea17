#include "output/alert_rows.hpp"

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
  names_.push_back(format_.json ? Json(pattern.name).text() : tab_safe(pattern.name));
  widths_.push_back(pattern.vertices.size());
}

std::string AlertRows::header() const {
  if (format_.json) return "";
  if (format_.count) return "update\tsign\tpattern\tsubgraphs\tembeddings\n";
  return format_.truncated ? "update\tsign\tpattern\ttruncated\tvertices\n" : "update\tsign\tpattern\tvertices\n";
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
  text += '\t';
  text += sign;
  text += '\t';
  text += names_[alert.pattern];
}

void AlertRows::append(const watch::Alert& alert, std::string& text) {
  const bool is_last = alert.subgraphs > 0;
  if (format_.count) {
    if (!is_last) return;
    append_begin(alert, text);
    text += format_.json ? ", \"subgraphs\": " : "\t";
    append_number(alert.subgraphs, text);
    text += format_.json ? ", \"embeddings\": " : "\t";
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
  const std::size_t width = widths_[alert.pattern];
  for (std::size_t i = 0; i < matches.size(); i += width) append_match(alert, matches.subspan(i, width), text);
  waiting_.clear();
}

void AlertRows::append_match(const watch::Alert& alert, std::span<const std::uint64_t> vertices,
                             std::string& text) const {
  append_begin(alert, text);
  if (format_.truncated) {
    text += format_.json ? ", \"truncated\": " : "\t";
    text += format_.json ? (alert.truncated ? "true" : "false") : (alert.truncated ? "1" : "0");
  }
  if (format_.json) text += ", \"vertices\": [";
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (!format_.json) text += '\t';
    if (format_.json && i > 0) text += ", ";
    append_number(vertices[i], text);
  }
  text += format_.json ? "]}\n" : "\n";
}

}  // namespace quarry::cli
