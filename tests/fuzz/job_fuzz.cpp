/// Fuzzes the files of a job's folder: any bytes are a description, a record or a claim, or one of the errors.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "quarry/job.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace quarry;

/// A job with one shard, in a folder that stays until the harness ends.
const test::TemporaryFolder& folder() {
  static const test::TemporaryFolder kFolder;
  static const bool kMade = [] {
    Job job = Job::make(kFolder.file("job"), {.num_shards = 2, .version = "v", .command = {"a"}, .outputs = {"o.tsv"}});
    job.work(0, [](ShardSink& sink) {
      sink.write(0, "row\n");
      sink.set("rows", "1");
    });
    return true;
  }();
  (void)kMade;
  return kFolder;
}

void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

void read_description(const std::string& text) {
  std::filesystem::create_directories(folder().file("other"));
  write(folder().file("other/job.json"), text);
  const Job job = Job::open(folder().file("other"));
  if (job.plan().num_shards < 1) std::abort();
  (void)job.is_done(0);
}

void read_record(const std::string& text) {
  const Job job = Job::open(folder().file("job"));
  const std::string path = folder().file("job/shards/0000/0000000.json"), kept = test::read_whole_file(path);
  write(path, text);
  try {
    if (job.record(0).texts.size() != 1) std::abort();
  } catch (const InputError&) {
  }
  write(path, kept);
}

void read_claim(const std::string& text) {
  const Job job = Job::open(folder().file("job"));
  write(folder().file("job/claims/0000/0000000.claim"), text);
  if (const auto claim = job.claim(0)) (void)job.is_abandoned(*claim);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  folder();
  try {
    if (data[0] % 3 == 0) read_description(text);
    if (data[0] % 3 == 1) read_record(text);
    if (data[0] % 3 == 2) read_claim(text);
  } catch (const InputError&) {
  }
  return 0;
}
