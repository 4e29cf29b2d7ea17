/// Phi of `match` and `dock` over the platforms of bench/baselines, and over all that Quarry is meant for: portability FOLDER.
#include "bench/portability.hpp"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace quarry::bench {
namespace {

using Json = nlohmann::ordered_json;

Json read(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return Json::parse(file);
}

/// Adds the rates of one mode in a record: of the engine as it is, once as `quarry` and once under the name of its API,
/// and the best that tuning found. Times of an emulated device do not count.
void add_rates(const Json& record, const std::string& mode, std::vector<Rate>& rates) {
  for (const char* section : {"device", "tune"}) {
    if (!record.contains(section) || record[section]["emulated"].get<bool>()) continue;
    const Json& part = record[section];
    if (!part.contains(mode)) continue;  // of another engine
    const std::string platform = part["platform"], api = part["api"];
    if (section == std::string("tune")) {
      rates.push_back({platform, api + ", tuned", part[mode]["best_pairs_per_second"]});
    } else {
      for (const std::string& program : {api, std::string("quarry")})
        rates.push_back({platform, program, part[mode]["pairs_per_second"]});
    }
  }
}

/// The same for a set of ligands in one form of `dock`. @param shares  of the roofline, by platform
void add_dock_rates(const Json& record, const std::string& form, const std::string& set, std::vector<Rate>& rates,
                    std::map<std::string, double>& shares) {
  for (const char* section : {"dock_device", "tune_dock"}) {
    if (!record.contains(section) || record[section]["emulated"].get<bool>()) continue;
    const Json& part = record[section];
    if (!part.contains(form) || !part[form].contains(set)) continue;
    const std::string platform = part["platform"], api = part["api"];
    const Json& found = part[form][set];
    if (section == std::string("tune_dock")) {
      rates.push_back({platform, api + ", tuned", found["best_ligands_per_second"]});
    } else {
      for (const std::string& program : {api, std::string("quarry")})
        rates.push_back({platform, program, found["ligands_per_second"]});
      shares[platform] = std::max(shares[platform], found["roofline"].get<double>());
    }
  }
}

std::set<std::string> names_of(const std::vector<Rate>& rates, std::string Rate::*name) {
  std::set<std::string> names;
  for (const Rate& rate : rates) names.insert(rate.*name);
  return names;
}

/// @param shares  of the roofline, by platform; none where they were not measured
void print_phi(const std::string& title, const std::vector<Rate>& rates, const std::map<std::string, double>& shares,
               const std::set<std::string>& wanted) {
  const std::set<std::string> measured = names_of(rates, &Rate::platform);
  std::set<std::string> all = wanted;
  all.insert(measured.begin(), measured.end());
  fmt::print("\n{}: efficiency by platform, Phi over the {} measured and over all {}\n", title, measured.size(),
             all.size());
  for (const std::string& program : names_of(rates, &Rate::program)) {
    const auto efficiency = efficiencies(rates, program);
    fmt::print("  {:<16} Phi {:.3f} measured, {:.3f} all\n", program, portability(efficiency, measured),
               portability(efficiency, all));
    for (const auto& [platform, share] : efficiency) fmt::print("    {:<40}{:>8.3f}\n", platform, share);
  }
  if (!shares.empty()) {
    fmt::print("  {:<16} Phi'' {:.3f} measured, {:.3f} all\n", "roofline", portability(shares, measured),
               portability(shares, all));
    for (const auto& [platform, share] : shares) fmt::print("    {:<40}{:>8.3f}\n", platform, share);
  }
  for (const std::string& platform : all)
    if (!measured.contains(platform)) fmt::print("  no result: {}\n", platform);
}

void report(const std::filesystem::path& folder) {
  std::vector<Json> records;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json" && entry.path().filename() != "platforms.json")
      records.push_back(read(entry.path()));
  const std::set<std::string> wanted = read(folder / "platforms.json").get<std::set<std::string>>();
  for (const std::string mode : {"first", "count"}) {
    std::vector<Rate> rates;
    for (const Json& record : records) add_rates(record, mode, rates);
    print_phi("match, " + mode, rates, {}, wanted);
  }
  for (const std::string form : {"batch", "latency"}) {
    for (const std::string set : {"d_31_4", "d_89_20"}) {
      std::vector<Rate> rates;
      std::map<std::string, double> shares;
      for (const Json& record : records) add_dock_rates(record, form, set, rates, shares);
      print_phi("dock, " + form + ", " + set, rates, shares, wanted);
    }
  }
}

}  // namespace
}  // namespace quarry::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: quarry_bench_portability FOLDER\n");
    return 2;
  }
  try {
    quarry::bench::report(argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "portability: {}\n", error.what());
    return 2;
  }
  return 0;
}
