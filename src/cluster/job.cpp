/// Planning, working and merging; claims and the files of a shard have their own pages.
#include "quarry/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <optional>
#include <set>
#include <system_error>
#include <thread>

#include "cluster/claims.hpp"
#include "cluster/inputs.hpp"
#include "cluster/shard_files.hpp"
#include "quarry/files/input.hpp"
#include "quarry/files/output.hpp"
#include "util/json.hpp"

namespace quarry {
namespace {

namespace fs = std::filesystem;
using cluster::Claims, cluster::Heartbeat, cluster::ShardFiles, cluster::ShardFolder;

constexpr int kFormat = 1;

std::string text_of(const JobPlan& plan) {
  Json inputs = Json::array();
  for (const JobInput& input : plan.inputs)
    inputs.push_back(
        {{"path", input.path}, {"bytes", input.bytes}, {"modified", input.modified}, {"checksum", input.checksum}});
  const Json json = {{"quarry_job", kFormat},   {"version", plan.version},     {"shards", plan.num_shards},
                     {"command", plan.command}, {"directory", plan.directory}, {"inputs", inputs},
                     {"outputs", plan.outputs}, {"notes", plan.notes}};
  try {
    return json_text(json, 1) + '\n';
  } catch (const Json::type_error&) {
    throw InputError("the command of a job, its inputs and their columns must be UTF-8, as job.json is");
  }
}

/// @throws Json::exception
JobPlan plan_of(const std::string& text) {
  const auto json = parse_json(text);
  JobPlan plan{json.at("shards"),  json.at("version"), json.at("command"), json.at("directory"), {},
               json.at("outputs"), json.at("notes")};
  for (const auto& input : json.at("inputs"))
    plan.inputs.push_back({input.at("path"), input.at("bytes"), input.at("modified"), input.at("checksum")});
  return plan;
}

}  // namespace

struct Job::Impl {
  Impl(const fs::path& the_folder, JobPlan the_plan)
      : folder(the_folder.string()),
        plan(std::move(the_plan)),
        shards{the_folder / "shards", cluster::checksum_of_text(text_of(plan)), plan.outputs},
        claims(the_folder / "claims") {}

  /// A claimed shard that is being done.
  struct Work {
    Work(Impl& the_job, Index the_shard, double claim_seconds)
        : job(the_job),
          shard(the_shard),
          heartbeat(std::in_place, job.claims.path(shard), claim_seconds),
          files(job.shards, shard) {}
    void finish() {
      files.finish();
      heartbeat.reset();
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
      job.claims.finish(shard, std::max(seconds.count(), 1e-9));
    }

    Impl& job;
    Index shard;
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    std::optional<Heartbeat> heartbeat;
    ShardFiles files;
  };

  bool is_done(Index shard) const {
    std::error_code error;
    return fs::exists(shards.record_path(shard), error);
  }

  std::string folder;
  JobPlan plan;
  ShardFolder shards;
  Claims claims;
};

Job::Job(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Job::Job(Job&&) noexcept = default;
Job& Job::operator=(Job&&) noexcept = default;
Job::~Job() = default;

Job Job::make(const std::string& folder, JobPlan plan, const std::function<void(JobPlan&)>& prepare) {
  const fs::path place = fs::absolute(folder);
  (void)text_of(plan);
  std::error_code error;
  if (fs::exists(place / "job.json", error))
    throw InputError(fmt::format("'{}' holds a job already: name another folder", folder));
  const bool is_new = fs::create_directories(place, error);
  if (error) throw SystemError(fmt::format("cannot make the folder '{}': {}", folder, error.message()));
  try {
    if (prepare) prepare(plan);
  } catch (...) {
    if (is_new) fs::remove_all(place, error);
    throw;
  }
  if (plan.num_shards < 1) throw InputError("a job has at least one shard");
  Output description(place / "job.json");
  description.write(text_of(plan));
  description.finish_at_once();
  return open(folder);
}

Job Job::open(const std::string& folder) {
  const fs::path place = fs::absolute(folder);
  std::ifstream file(place / "job.json", std::ios::binary);
  if (!file) throw InputError(fmt::format("'{}' holds no job: there is no file job.json in it", folder));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    auto impl = std::make_unique<Impl>(place, plan_of(text));
    if (text_of(impl->plan) == text && impl->plan.num_shards > 0) return Job(std::move(impl));
  } catch (const Json::exception&) {  // said below
  }
  throw InputError(fmt::format("'{}' is no description of a job, or is damaged", (place / "job.json").string()));
}

const JobPlan& Job::plan() const { return impl_->plan; }
const std::string& Job::folder() const { return impl_->folder; }

void Job::check_unchanged(const std::string& version) const {
  if (version != impl_->plan.version)
    throw InputError(
        fmt::format("the job in '{}' was planned with {}, and this is {}: do it with that version, or plan it again",
                    impl_->folder, impl_->plan.version, version));
  for (const JobInput& input : impl_->plan.inputs)
    if (const std::string why = cluster::difference(input, impl_->plan.directory); !why.empty())
      throw InputError(fmt::format("'{}' {} since the job in '{}' was planned: plan the job again, in another folder",
                                   input.path, why, impl_->folder));
}

bool Job::is_done(Index shard) const { return impl_->is_done(shard); }

std::vector<Index> Job::missing() const {
  std::vector<Index> all;
  for (Index shard = 0; shard < impl_->plan.num_shards; ++shard)
    if (!is_done(shard)) all.push_back(shard);
  return all;
}

std::optional<ShardClaim> Job::claim(Index shard) const { return impl_->claims.read(shard); }
bool Job::is_abandoned(const ShardClaim& claim) const { return impl_->claims.is_abandoned(claim); }

bool Job::work(Index shard, const std::function<void(ShardSink&)>& search) {
  if (shard < 0 || shard >= impl_->plan.num_shards)
    throw InputError(fmt::format("there is no shard {}: the job in '{}' has {}, numbered from 0", shard, impl_->folder,
                                 impl_->plan.num_shards));
  if (is_done(shard)) return false;
  impl_->claims.seize(shard);
  Impl::Work work(*impl_, shard, kClaimSeconds);
  search(work.files);
  work.finish();
  return true;
}

Index Job::work_all(const std::function<void(Index, ShardSink&)>& search, double claim_seconds) {
  constexpr std::chrono::milliseconds kFirstPause(50), kMostPause(1000);
  auto pause = kFirstPause;
  Index num_done = 0;
  // PERF: 64 shards of 100 ms each take 2 % less where the files of one are flushed to disk while the next is searched
  std::future<void> finishing;
  const auto finish_last = [&] {
    if (finishing.valid()) finishing.get();
  };
  std::set<Index> failed;
  std::string first_failure;
  const auto is_left_out = [&](Index shard) { return is_done(shard) || failed.contains(shard); };
  for (auto left = missing(); !left.empty(); std::erase_if(left, is_left_out)) {
    const Index done_before = num_done;
    for (const Index shard : left) {
      if (is_done(shard) || !impl_->claims.take(shard, claim_seconds) || is_done(shard)) continue;
      auto work = std::make_unique<Impl::Work>(*impl_, shard, claim_seconds);
      try {
        search(shard, work->files);
      } catch (const InputError& error) {  // the others may be in order
        if (failed.empty()) first_failure = error.what();
        failed.insert(shard);
        continue;
      }
      finish_last();
      finishing = std::async(std::launch::async, [work = std::move(work)] { work->finish(); });
      ++num_done;
    }
    finish_last();
    // All that is left is done by others. They may die.
    pause = num_done > done_before ? kFirstPause : std::min(2 * pause, kMostPause);
    if (num_done == done_before) std::this_thread::sleep_for(pause);
  }
  if (!failed.empty())
    throw InputError(fmt::format("of the {} shards of '{}' these cannot be done: {}; the first because: {}",
                                 impl_->plan.num_shards, impl_->folder, array_text({failed.begin(), failed.end()}),
                                 first_failure));
  return num_done;
}

ShardRecord Job::record(Index shard) const { return impl_->shards.read(shard); }

std::string Job::record_path(Index shard) const { return impl_->shards.record_path(shard).string(); }

std::string Job::text_path(Index shard, int output) const { return impl_->shards.text_path(shard, output).string(); }

std::vector<ShardRecord> Job::records() const {
  if (const auto missing = this->missing(); !missing.empty())
    throw InputError(fmt::format("{} of the {} shards of '{}' are missing: {}", missing.size(), impl_->plan.num_shards,
                                 impl_->folder, array_text(missing)));
  std::error_code error;
  for (fs::recursive_directory_iterator entry(impl_->shards.folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() != ".json") continue;
    const std::string name = entry->path().stem();
    const Index shard = std::strtoll(name.c_str(), nullptr, 10);
    if (shard >= impl_->plan.num_shards || entry->path() != impl_->shards.record_path(shard))
      throw InputError(
          fmt::format("'{}' is no shard of the job in '{}': remove it", entry->path().string(), impl_->folder));
  }
  std::vector<ShardRecord> records;
  for (Index shard = 0; shard < impl_->plan.num_shards; ++shard) records.push_back(record(shard));
  return records;
}

void Job::read(int output, const std::function<void(std::string_view)>& sink) const {
  for (Index shard = 0; shard < impl_->plan.num_shards; ++shard) {
    std::error_code error;
    const std::string path = text_path(shard, output);
    if (fs::exists(path, error)) read_pieces(path, sink);
  }
}

}  // namespace quarry
