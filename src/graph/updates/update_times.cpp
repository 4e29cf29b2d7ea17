/// Arrival times of updates: one number a line.
#include <fmt/format.h>

#include <charconv>

#include "quarry/error.hpp"
#include "quarry/graph_update.hpp"
#include "util/files/line_reader.hpp"

namespace quarry {

std::vector<double> read_update_times(const std::string& path) {
  std::vector<double> times;
  LineReader lines(path);
  std::string line;
  while (lines.next(line)) {
    const auto refuse = [&](const std::string& why) {
      throw InputError(fmt::format("'{}', line {}: {}", path, lines.line_number(), why));
    };
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    double time = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), time);
    if (error != std::errc() || end != line.data() + line.size()) refuse(fmt::format("'{}' is no time", line));
    if (!times.empty() && time < times.back()) refuse("the times do not ascend");
    times.push_back(time);
  }
  return times;
}

}  // namespace quarry
