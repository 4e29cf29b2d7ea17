#include "output/tables/counts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "output/text.hpp"

namespace quarry::cli {

std::string count_text(mine::Count count, bool overflow) { return overflow ? "overflow" : mine::to_text(count); }

Json count_json(mine::Count count, bool overflow) {
  return overflow ? Json("overflow") : Json::verbatim(mine::to_text(count));
}

std::string text_of(const mine::Estimate& estimate) {
  const std::string descents = counted(estimate.descents, "descent");
  if (estimate.hits > 0)
    return fmt::format("about {:.4g} subgraphs, 95 % between {:.4g} and {:.4g} ({} of {} hit)", estimate.subgraphs,
                       estimate.low, estimate.high, estimate.hits, descents);
  if (estimate.high == 0) return "no subgraph: the graph has no edge";
  return fmt::format(
      "none of {} hit, which says only that there are at most {:.2g} subgraphs (95 %): take more "
      "--descents, or count",
      descents, estimate.high);
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour, kYear = 365 * kDay;
  const auto about = [](double number, const char* unit) { return counted(std::llround(std::ceil(number)), unit); };
  if (seconds < 2 * kMinute) return about(seconds, "second");
  if (seconds < 2 * kHour) return about(seconds / kMinute, "minute");
  if (seconds < 2 * kDay) return about(seconds / kHour, "hour");
  if (seconds < 2 * kYear) return about(seconds / kDay, "day");
  return seconds < 1e6 * kYear ? about(seconds / kYear, "year") : fmt::format("{:.1e} years", seconds / kYear);
}

}  // namespace quarry::cli
