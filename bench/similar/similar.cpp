/// Measures every number that the engine `similar` promises: a readable report, and a JSON record of it.
#include "quarry/similar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <thread>

#include "bench/platform.hpp"
#include "bench/report.hpp"
#include "bench/similar/similar_workload.hpp"
#include "quarry/files/smiles_table.hpp"
#include "reference/similar.hpp"

namespace quarry::bench {
namespace {

using similar::Fingerprints;

Fingerprints pack(const SimilarWorkload& workload, Index count, int threads) {
  const Index size = count == 0 ? std::ssize(workload.smiles) : count;
  return Fingerprints::of_smiles(std::span(workload.smiles).first(size), {}, threads);
}

similar::SearchOptions on_one_thread(Index k, double threshold) {
  similar::SearchOptions options;
  options.threads = 1;
  options.k = k;
  options.threshold = threshold;
  return options;
}

/// The paper's algorithm over the first rows and all columns.
struct Merge {
  std::vector<reference::SortedMultiset> molecules;
  Index num_rows = 0;

  Merge(const SimilarWorkload& workload, Index count, Index rows) : num_rows(rows) {
    for (Index i = 0; i < count; ++i) {
      molecules.push_back(reference::sorted_multiset(reference::lingo_text(workload.smiles[i]), 4));
    }
  }
  void run(std::vector<float>& values) const {
    values.clear();
    for (Index row = 0; row < num_rows; ++row) {
      const auto& one = molecules[row];
      for (const auto& other : molecules) values.push_back(reference::tanimoto(one, other).rounded());
    }
  }
};

Seconds time_matrix(const Fingerprints& molecules, int threads) {
  volatile float last = 0;  // so that no work is left out
  similar::Options options;
  options.threads = threads;
  return time_of([&] {
    similar::matrix(
        molecules, molecules, [&](Index, std::span<const float> values) { last = values.back(); }, options);
  });
}

/// Two independent threads, each with a matrix of its own. How much more the two get done than one alone is what the
/// machine gives a second thread.
double time_two_matrices(const Fingerprints& molecules) {
  return time_of([&] {
           std::vector<std::jthread> threads;
           for (int i = 0; i < 2; ++i) threads.emplace_back([&] { time_matrix(molecules, 1); });
         })
      .wall;
}

/// What a second thread gains, and what the machine allows it to gain.
struct Scaling {
  std::vector<double> of_matrix, of_machine;

  Scaling(const Fingerprints& molecules, int turns) {
    for (int turn = 0; turn < turns; ++turn) {
      const double one = time_matrix(molecules, 1).wall;
      of_matrix.push_back(one / time_matrix(molecules, 2).wall);
      of_machine.push_back(2 * one / time_two_matrices(molecules));
    }
  }
};

/// Compares every value of the merge's rows.
Index equal_values(const Fingerprints& molecules, const std::vector<float>& expected) {
  Index equal = 0;
  std::size_t next = 0;
  similar::matrix(molecules, molecules, [&](Index, std::span<const float> values) {
    for (std::size_t i = 0; i < values.size() && next < expected.size(); ++i) equal += values[i] == expected[next++];
  });
  return equal;
}

}  // namespace

Json matrix_section(const SimilarWorkload& workload) {
  const Index n = workload.effort.matrix_molecules;
  const Merge merge(workload, n, workload.effort.merge_rows);
  std::vector<float> expected;
  merge.run(expected);
  const Fingerprints molecules = pack(workload, n, 1);
  const Index equal = equal_values(molecules, expected);
  fmt::print("\nall against all, {} molecules, float32: {} of {} values equal to the merge\n", n, equal,
             expected.size());
  if (equal != std::ssize(expected)) throw SystemError("the matrix is wrong, so its time means nothing");
  const double pairs = 1.0 * n * n;
  const double merge_pairs = expected.size();
  std::vector<double> one, two, merged, ratio;
  for (int turn = 0; turn < workload.effort.repeats; ++turn) {
    one.push_back(pairs / time_matrix(molecules, 1).wall);
    two.push_back(pairs / time_matrix(molecules, 2).wall);
    merged.push_back(merge_pairs / time_of([&] { merge.run(expected); }).wall);
    ratio.push_back(one.back() / merged.back());
  }
  const Scaling scaling(molecules, 5 * workload.effort.repeats);
  fmt::print("  Quarry, 1 thread {:>10.1f} M pairs/s (goal 400, paper 3.07; on a Tesla T10 92)\n", median(one) / 1e6);
  fmt::print("  Quarry, 2 threads{:>10.1f} M pairs/s, {:.2f} times one (goal 1.9; two separate matrices {:.2f})\n",
             median(two) / 1e6, median(scaling.of_matrix), median(scaling.of_machine));
  fmt::print("  plain merge      {:>10.1f} M pairs/s; Quarry is {:.0f} times as fast (goal 100)\n",
             median(merged) / 1e6, median(ratio));
  return {{"molecules", n},
          {"values_checked", expected.size()},
          {"pairs_per_second", {{"one_thread", median(one)}, {"two_threads", median(two)}, {"merge", median(merged)}}},
          {"times_merge", median(ratio)},
          {"two_threads_times_one", median(scaling.of_matrix)},
          {"two_threads_times_one_apart", median(scaling.of_machine)}};
}

Json search_section(const SimilarWorkload& workload) {
  const Index n = workload.effort.matrix_molecules;
  const Fingerprints molecules = pack(workload, n, 1);
  const double pairs = 1.0 * n * n;
  fmt::print("\nsearch of {} molecules among themselves, one thread\n", n);
  Json section = {{"molecules", n}};
  const auto measure = [&](const char* name, const similar::SearchOptions& options) {
    std::vector<double> rates;
    Index kept = 0;
    for (int turn = 0; turn < workload.effort.repeats; ++turn) {
      rates.push_back(pairs / time_of([&] {
                                kept = similar::search(molecules, molecules, options, [](const auto&) {}).kept;
                              }).wall);
    }
    fmt::print("  {:<18}{:>10.1f} M pairs/s, {} kept\n", name, median(rates) / 1e6, kept);
    section[name] = {{"pairs_per_second", median(rates)}, {"kept", kept}};
  };
  measure("threshold 0.7", on_one_thread(0, 0.7));
  measure("threshold 0.9", on_one_thread(0, 0.9));
  measure("10 nearest", on_one_thread(10, 0));
  return section;
}

Json cluster_section(const SimilarWorkload& workload) {
  const Fingerprints molecules = pack(workload, workload.effort.cluster_molecules, 0);
  similar::Clusters clusters;
  std::vector<double> seconds;
  for (int turn = 0; turn < (workload.effort.repeats + 1) / 2; ++turn) {
    seconds.push_back(time_of([&] { clusters = similar::cluster(molecules, 0.7); }).wall);
  }
  fmt::print("\nclusters of {} molecules at 0.7, all cores: {:.2f} s (goal 60), {} clusters\n", molecules.size(),
             median(seconds), clusters.centroids.size());
  return {{"molecules", molecules.size()}, {"seconds", median(seconds)}, {"clusters", clusters.centroids.size()}};
}

Json single_query_section(const SimilarWorkload& workload, const WorkFolder& folder) {
  const std::string rows = folder.file("large.smi"), path = folder.file("large.qlib");
  {
    std::ofstream file(rows);
    Index count = 0;
    const auto write = [&](const std::string& smiles) { file << smiles << ' ' << ++count << '\n'; };
    if (workload.large_path.empty()) {
      while (count < workload.effort.searched_molecules) write(workload.smiles[count % std::ssize(workload.smiles)]);
    } else {
      const SmilesTable large = read_smiles(workload.large_path, {}, Normalize::as_is);
      for (Index i = 0; i < std::min(workload.effort.searched_molecules, large.report.ok); ++i) {
        write(large.smiles[i]);
      }
    }
  }
  index_file(rows, path, 0);
  std::optional<Library> library;
  std::optional<Fingerprints> columns;
  const auto query = [&](std::size_t i) { return Fingerprints::of_smiles({&workload.smiles[i], 1}); };
  const similar::SearchOptions options = on_one_thread(10, 0);
  const double first = time_of([&] {
                         library = Library::open(path);
                         columns = Fingerprints::of_library(*library);
                         (void)similar::search(query(0), *columns, options);
                       }).wall;
  std::vector<double> seconds;
  for (std::size_t i = 0; i < 101; ++i) {
    const auto row = query(i * 100);
    seconds.push_back(time_of([&] { (void)similar::search(row, *columns, options); }).wall);
  }
  const auto [fastest, slowest] = std::minmax_element(seconds.begin(), seconds.end());
  fmt::print(
      "\n10 nearest of one query among {} molecules of a mapped library, one thread: {:.2f} ms (goal 5), {:.2f} to "
      "{:.2f};\n  the first, with opening and checking the library, {:.0f} ms\n",
      columns->size(), 1e3 * median(seconds), 1e3 * *fastest, 1e3 * *slowest, 1e3 * first);
  return {{"molecules", columns->size()}, {"seconds", median(seconds)}, {"slowest", *slowest}, {"first", first}};
}

namespace {

void run(const ReportOptions& options) {
  const WorkFolder folder;
  const SimilarWorkload workload = make_similar_workload(options.quick);
  Report report(options, workload.description);
  report.add("matrix", matrix_section(workload));
  report.add("search", search_section(workload));
  report.add("cluster", cluster_section(workload));
  report.add("single_query", single_query_section(workload, folder));
  report.add("ecfp4", ecfp4_section(workload, folder));
  report.finish();
}

/// What a device does, and nothing else. An emulated one is only asked for its answers.
void run_on_device(ReportOptions options, const std::string& device) {
  const DeviceId device_id = find_devices(device).at(0);
  const Platform platform = platform_of(device_id);
  options.json_path = with_platform(options.json_path, platform);
  const SimilarWorkload workload = make_similar_workload(options.quick || platform.emulated);
  Report report(options, workload.description);
  report.add("device", similar_device_section(workload, device_id));
  report.finish();
}

}  // namespace
}  // namespace quarry::bench

int main(int argc, char** argv) {
  return quarry::bench::run_bench(argc, argv, "Measures quarry similar; bench/run.sh similar builds and runs it",
                                  quarry::bench::run, quarry::bench::run_on_device);
}
