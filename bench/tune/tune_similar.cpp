/// The two forms in which a device counts the frequent features of `similar`: counters in registers, and a product of
/// bit matrices (Options::multiply); and the run that measures both and goes on with the faster. All must give the
/// host's answer; the faster form is named.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "bench/platform.hpp"
#include "bench/report.hpp"
#include "bench/similar/similar_workload.hpp"
#include "bench/tune/tune.hpp"
#include "quarry/similar.hpp"

namespace quarry::bench {
namespace {

using similar::Fingerprints;

constexpr double kThreshold = 0.7;
constexpr Index kCheckedRows = 256;

similar::SearchOptions options_of(const DeviceId& device_id, std::optional<bool> multiply) {
  similar::SearchOptions options{{}, 0, kThreshold};
  options.device = name_of({device_id});
  options.multiply = multiply;
  return options;
}

Fingerprints first_molecules(const SimilarWorkload& workload, Index count) {
  const Index size = std::min(count, std::ssize(workload.smiles));
  return Fingerprints::of_smiles(std::span(workload.smiles).first(size));
}

void require_same(const SimilarWorkload& workload, const Fingerprints& columns, const similar::SearchOptions& there) {
  const Fingerprints rows = first_molecules(workload, kCheckedRows);
  const auto expected = similar::search(rows, columns, {{}, 0, kThreshold});
  const auto found = similar::search(rows, columns, there);
  if (found.offsets != expected.offsets || found.items != expected.items) {
    throw SystemError(there.device + " finds other neighbours than the host, so its time means nothing");
  }
}

/// A form, and medians of its times.
struct Form {
  const char* name;
  std::optional<bool> multiply;
  double kernel_seconds = 0, seconds = 0;
};

}  // namespace

void tune_similar(ReportOptions options, const std::string& device) {
  const DeviceId device_id = find_devices(device).at(0);
  if (device_id.api == Api::host) throw InputError("similar has one form on the host: name a device, such as cuda:0");
  const Platform platform = platform_of(device_id);
  options.json_path = with_platform(options.json_path, platform);
  const SimilarWorkload workload = make_similar_workload(options.quick || platform.emulated);
  const Fingerprints molecules =
      first_molecules(workload, platform.emulated ? kCheckedRows : workload.effort.device_molecules);
  std::array<Form, 3> forms{{{"counters", false}, {"product", true}, {"measured", {}}}};
  Index pairs = 0;
  for (Form& form : forms) {
    const similar::SearchOptions there = options_of(device_id, form.multiply);
    require_same(workload, molecules, there);
    std::vector<double> kernels, whole;
    for (int turn = 0; turn < workload.effort.repeats; ++turn) {
      similar::Statistics statistics;
      whole.push_back(
          time_of([&] { statistics = similar::search(molecules, molecules, there, [](const auto&) {}); }).wall);
      kernels.push_back(statistics.kernel_seconds);
      pairs = statistics.pairs;
    }
    form.kernel_seconds = median(kernels);
    form.seconds = median(whole);
  }
  const Form& best = *std::min_element(forms.begin(), forms.begin() + 2, [](const Form& one, const Form& other) {
    return one.kernel_seconds < other.kernel_seconds;
  });
  Report report(options, workload.description);
  fmt::print("\n{} ({}), {} molecules among themselves at {}{}\n", platform.name, name_of({device_id}),
             molecules.size(), kThreshold,
             platform.emulated ? "\nEMULATED: the answers are checked, the times mean nothing" : "");
  Json trials = Json::array();
  for (const Form& form : forms) {
    const auto rate = [&](double seconds) { return pairs / seconds; };
    fmt::print("  {:<9} launches {:>9.3f} G pairs/s, end to end {:>9.3f} G pairs/s{}{}\n", form.name,
               rate(form.kernel_seconds) / 1e9, rate(form.seconds) / 1e9,
               form.multiply == similar::Options{}.multiply ? "  in use" : "", &form == &best ? "  fastest" : "");
    trials.push_back({{"form", form.name},
                      {"default", form.multiply == similar::Options{}.multiply},
                      {"kernel_seconds", form.kernel_seconds},
                      {"seconds", form.seconds},
                      {"pairs_per_second", rate(form.kernel_seconds)}});
  }
  report.add("tune_similar", {{"platform", platform.name},
                              {"api", platform.api},
                              {"emulated", platform.emulated},
                              {"molecules", molecules.size()},
                              {"fastest", best.name},
                              {"trials", trials}});
  report.finish();
}

}  // namespace quarry::bench
