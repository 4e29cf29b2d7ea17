/// Fuzzes the small files of docking, --labels, --targets and --box: any bytes give what they say or an InputError.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "docking/labels.hpp"
#include "docking/targets.hpp"
#include "memory_file.hpp"

namespace {

using namespace quarry;

void check(const dock::Box& box) {
  for (const Point& point : {box.center, box.size})
    if (!std::isfinite(point.x + point.y + point.z)) std::abort();
  if (!(box.size.x > 0 && box.size.y > 0 && box.size.z > 0)) std::abort();
}

void read_labels(const std::string& path) {
  cli::Labels labels(path);
  for (const char* id : {"a", "b", "1", ""}) labels.add(id, -7.5);
  labels.add("c", {});
  const dock::Enrichment of = labels.enrichment();
  if (of.actives < 1 || of.decoys < 1 || !(of.auc >= 0 && of.auc <= 1)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const test::MemoryFile file(data + 1, size - 1);
  try {
    if (data[0] % 3 == 0) read_labels(file.path());
    if (data[0] % 3 == 1) check(dock::read_box(file.path()));
    if (data[0] % 3 == 2) {
      for (const cli::DockTarget& target : cli::read_targets(file.path())) check(target.box);
    }
  } catch (const InputError&) {
  }
  return 0;
}
