/// Updates as JSON objects, one a line.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "graph/read/line_scanner.hpp"
#include "graph/updates/update_format.hpp"
#include "util/ascii.hpp"
#include "util/json.hpp"

namespace quarry {
namespace {

/// The member of that name, or the other one; null where there is neither.
const Json& member(const Json& object, const char* name, const char* other = "") {
  static const Json kNull;
  for (const char* key : {name, other}) {
    if (const auto found = object.find(key); found != object.end()) return *found;
  }
  return kNull;
}

/// As a field of a table has it; null is an empty one.
std::string text_of(const Json& value) { return value.is_null() ? "" : json_text(value); }

/// Of a string without its quotes.
std::string word_of(const Json& value) {
  return value.is_string() ? value.get_ref<const std::string&>() : text_of(value);
}

bool take_id(const Json& value, std::uint64_t& id, std::string& reason) {
  return take_number(text_of(value), "vertex id", kHighestId, id, reason);
}

bool take_label(const Json& value, std::optional<std::uint32_t>& label, std::string& reason) {
  if (value.is_null()) return true;
  std::uint64_t number = 0;
  if (!take_number(text_of(value), "label", kHighestUpdateLabel, number, reason)) return false;
  label = static_cast<std::uint32_t>(number);
  return true;
}

bool take_operation(const Json& value, bool& deletes, std::string& reason) {
  if (value.is_null()) return true;
  return quarry::take_operation(word_of(value), deletes, reason);
}

class UpdateJson final : public UpdateFormat {
 public:
  explicit UpdateJson(bool timed) : timed_(timed) {}

  bool parse(std::string_view line, UpdateRow& row, std::string& reason) override {
    const std::optional<Json> value = try_parse_json(line);
    if (!value || !value->is_object()) {
      reason = value ? "the line is JSON, but not an object" : "the line is not JSON";
      return false;
    }
    const Json& object = *value;
    if (!take_operation(member(object, "op"), row.deletes, reason)) return false;
    if (timed_ && !take_time(word_of(member(object, "time")), row, reason)) return false;
    if (!take_label(member(object, "label"), row.label, reason)) return false;
    if (!std::exchange(has_seen_names_, true)) {
      for (const auto& item : object.items())
        if (std::ranges::find(kNames, item.key()) == std::end(kNames)) ignored_.push_back(item.key());
    }
    row.is_vertex = object.contains("vertex");
    return row.is_vertex ? parse_vertex(object, row, reason) : parse_edge(object, row, reason);
  }

 private:
  static bool parse_vertex(const Json& object, UpdateRow& row, std::string& reason) {
    for (const char* name : {"from", "to", "source", "target"}) {
      if (!object.contains(name)) continue;
      reason = fmt::format("the object has both 'vertex' and '{}'", name);
      return false;
    }
    return take_id(member(object, "vertex"), row.from, reason);
  }

  static bool parse_edge(const Json& object, UpdateRow& row, std::string& reason) {
    return take_id(member(object, "from", "source"), row.from, reason) &&
           take_id(member(object, "to", "target"), row.to, reason) &&
           take_label(member(object, "from_label"), row.from_label, reason) &&
           take_label(member(object, "to_label"), row.to_label, reason);
  }

  static constexpr std::string_view kNames[] = {"from", "source", "to",   "target",     "vertex",
                                                "op",   "label",  "time", "from_label", "to_label"};
  const bool timed_;
  bool has_seen_names_ = false;
};

}  // namespace

std::unique_ptr<UpdateFormat> update_json_format(bool timed) { return std::make_unique<UpdateJson>(timed); }

}  // namespace quarry
