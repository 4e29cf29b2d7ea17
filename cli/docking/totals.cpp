#include "docking/totals.hpp"

#include <fmt/format.h>

#include <cmath>

#include "output/text.hpp"
#include "quarry/version.hpp"

namespace quarry::cli {
namespace {

/// Without the digits that a sum of decimal numbers gets: 44.112, not 44.111999999999995.
Json json_of(const Point& point) {
  const auto rounded = [](double coordinate) { return std::round(coordinate * 1e6) / 1e6; };
  return Json::list({rounded(point.x), rounded(point.y), rounded(point.z)});
}

Json::Members members_of(const dock::Box& box) {
  return {{"center", json_of(box.center)}, {"size", json_of(box.size)}};
}

/// The box of a target without a name; else a list of them, with the names of their targets; or null.
Json json_of(const std::vector<std::pair<std::string, dock::Box>>& boxes) {
  if (boxes.empty()) return Json::verbatim("null");
  if (boxes.front().first.empty()) return Json(members_of(boxes.front().second));
  std::vector<Json> list;
  for (const auto& [name, box] : boxes) {
    Json::Members members = members_of(box);
    members.insert(members.begin(), {"target", name});
    list.emplace_back(members);
  }
  return Json::list(list);
}

}  // namespace

void DockTotals::add(const dock::Statistics& statistics) {
  seconds.dock += statistics.dock_seconds;
  seconds.filter += statistics.filter_seconds;
  seconds.score += statistics.score_seconds;
  seconds.refine += statistics.refine_seconds;
  seconds.check += statistics.check_seconds;
  run_seconds += statistics.seconds;
}

void print_closing_line(const DockTotals& totals, double seconds) {
  std::string line =
      fmt::format("rows {} = ok {} + rejected {}", totals.report.rows, totals.report.ok, totals.report.rejected);
  if (totals.truncated > 0) line += fmt::format(", {} truncated", totals.truncated);
  if (totals.resumed > 0) line += fmt::format(", {} from the ledger", totals.resumed);
  line += fmt::format("; {}", counted(totals.poses, "pose"));
  if (totals.boxes.size() == 1) line += fmt::format("; box {}", to_text(totals.boxes.front().second));
  const DockSeconds& of = totals.seconds;
  say(fmt::format(
      "{}; read {:.2f} s, prepare {:.2f} s, grids {:.2f} s, dock {:.2f} s, write {:.2f} s, total {:.2f} s\n", line,
      of.read, of.prepare, of.grids, totals.run_seconds, of.write, seconds));
}

void print_dock_json(const DockOptions& options, const DockTotals& totals, double seconds,
                     const std::optional<Json::Member>& mode) {
  const Report& rows = totals.report;
  const dock::SearchOptions& search = options.dock.search;
  const DockSeconds& of = totals.seconds;
  const Index docked = rows.rows - totals.resumed;
  Json::Members members = {
      {"rows", rows.rows},
      {"ok", rows.ok},
      {"rejected", rows.rejected},
      {"truncated", totals.truncated},
      {"resumed", totals.resumed},
      {"poses", totals.poses},
      {"receptor_atoms", totals.receptor_atoms},
      {"box", json_of(totals.boxes)},
      {"grid_spacing", totals.grid_spacing ? Json(*totals.grid_spacing) : Json::verbatim("null")},
      {"scoring", options.scoring},
      {"effort", options.effort},
      {"restarts", search.restarts},
      {"iterations", search.iterations},
      {"max_poses", search.max_poses},
      {"seed", search.seed},
      {"threads", threads_in_use(options.dock.threads)},
      {"device", options.dock.device},
      {"version", kVersion},
      {"ligands_per_second", totals.run_seconds > 0 ? static_cast<double>(docked) / totals.run_seconds : 0.0},
      {"cpu_seconds_per_ligand", rows.ok > 0 ? totals.cpu_seconds / static_cast<double>(rows.ok) : 0.0},
      {"seconds",
       {{"read", of.read},
        {"prepare", of.prepare},
        {"grids", of.grids},
        {"dock", of.dock},
        {"filter", of.filter},
        {"score", of.score},
        {"refine", of.refine},
        {"check", of.check},
        {"write", of.write},
        {"total", seconds}}}};
  if (mode) members.push_back(*mode);
  print(Json(members).line());
}

}  // namespace quarry::cli
