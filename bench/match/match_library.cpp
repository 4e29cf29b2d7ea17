/// The library file: its size, and how fast it opens. How fast it is made is in bench/ingest.cpp.
#include <fmt/format.h>

#include <filesystem>
#include <tuple>

#include "bench/match/match_workload.hpp"

namespace quarry::bench {
Json library_section(const Workload& workload) {
  std::vector<double> open_seconds;
  constexpr int kOpenings = 21;
  for (int i = 0; i < kOpenings; ++i) {
    open_seconds.push_back(time_of([&] { std::ignore = Library::open(workload.packed_path); }).wall);
  }
  const Library library = Library::open(workload.packed_path);
  const double num_molecules = library.num_molecules();
  double matching_bytes = 0;
  Json sections = Json::object();
  fmt::print("\nlibrary: {} molecules, bytes per molecule by section\n ", library.num_molecules());
  for (const auto& section : library.sections()) {
    const double bytes = section.bytes / num_molecules;
    sections[section.name] = bytes;
    if (section.matching) matching_bytes += bytes;
    fmt::print(" {} {:.1f}", section.name, bytes);
  }
  const double all_bytes = std::filesystem::file_size(workload.packed_path) / num_molecules;
  fmt::print(
      "\n  sections that matching touches {:.1f} (goal 60), whole file {:.1f} (goal 120); opened in {:.3f} ms (goal "
      "1)\n",
      matching_bytes, all_bytes, 1e3 * median(open_seconds));
  return {{"molecules", library.num_molecules()},
          {"bytes_per_molecule", {{"matching", matching_bytes}, {"file", all_bytes}, {"sections", sections}}},
          {"open_seconds", median(open_seconds)}};
}

}  // namespace quarry::bench
