/// Boxes around points, and from JSON files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "quarry/dock.hpp"
#include "util/files/line_reader.hpp"
#include "util/json.hpp"

namespace quarry::dock {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 16;
constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // of a file that describes one box

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw InputError(fmt::format("{} is not a box: {}", path, why));
}

std::string read_text(const std::string& path) {
  LineReader reader(path);
  std::string text;
  for (std::string lines; text.size() <= kMostBytes && reader.next_lines(lines, kReadBytes);) text += lines;
  if (text.size() > kMostBytes) refuse(path, fmt::format("it is larger than {} bytes", kMostBytes));
  return text;
}

Json parse_object(const std::string& path, const std::string& text) {
  Json object;
  try {
    object = parse_json(text);
  } catch (const Json::parse_error& error) {
    const auto end = text.begin() + std::clamp<std::ptrdiff_t>(error.byte, 0, std::ssize(text));
    refuse(path, fmt::format("line {} is not JSON", 1 + std::count(text.begin(), end, '\n')));
  } catch (const Json::out_of_range&) {
    refuse(path, "it has a number that is too large");
  }
  if (!object.is_object()) refuse(path, R"(it has no "center" and "size")");
  return object;
}

Point read_point(const std::string& path, const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) refuse(path, fmt::format("it has no \"{}\"", key));
  const auto is_number = [](const Json& value) { return value.is_number(); };
  if (!found->is_array() || found->size() != 3 || !std::all_of(found->begin(), found->end(), is_number)) {
    refuse(path, fmt::format("\"{}\" must be three numbers, such as [10.5, 2, -7]", key));
  }
  return {found->at(0).get<double>(), found->at(1).get<double>(), found->at(2).get<double>()};
}

}  // namespace

Box box_around(std::span<const Point> points, double pad) {
  if (points.empty()) throw InputError("there are no atoms to put a box around");
  Point low = points[0], high = points[0];
  for (const Point& point : points) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y), std::min(low.z, point.z)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y), std::max(high.z, point.z)};
  }
  const auto middle = [](double from, double to) { return from + (to - from) / 2; };
  return {.center = {middle(low.x, high.x), middle(low.y, high.y), middle(low.z, high.z)},
          .size = {high.x - low.x + 2 * pad, high.y - low.y + 2 * pad, high.z - low.z + 2 * pad}};
}

Box read_box(const std::string& path) {
  const Json object = parse_object(path, read_text(path));
  const Box box = {.center = read_point(path, object, "center"), .size = read_point(path, object, "size")};
  for (const double size : {box.size.x, box.size.y, box.size.z}) {
    if (size <= 0) refuse(path, fmt::format("its size must be above 0 on every axis, and one is {:g}", size));
  }
  return box;
}

}  // namespace quarry::dock
