#include "jobs/on_ranks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include "jobs/job_verb.hpp"
#include "output/tables/table_output.hpp"

namespace quarry::cli {
namespace {

constexpr std::array kShared = {"match", "similar", "cluster", "mine", "dock"};

/// A job of this process alone, removed with this object. Units of rank 0 are kept on its disk, so its memory does not
/// grow with what is found.
class OwnFolder {
 public:
  OwnFolder() {
    const char* const folder = std::getenv("TMPDIR");
    path_ = std::string(folder != nullptr ? folder : "/tmp") + "/quarry-ranks-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) throw SystemError("cannot make the folder '" + path_ + "'");
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  ~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string job() const { return path_ + "/job"; }

 private:
  std::string path_;
};

void be_silent() {
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) (void)::dup2(nothing, descriptor);
}

int run_alone(Verbs& verbs, const std::vector<std::string>& words) {
  Verb* const verb = verbs.parse(words);
  return verb == nullptr ? kFound : verbs.status(verb->run());
}

int share(cluster::Ranks& ranks, Verbs& verbs, const std::vector<std::string>& words) {
  const OwnFolder folder;
  std::optional<Job> job;
  Sharded* sharded = nullptr;
  const bool ready = ranks.together([&] {
    sharded = &sharded_of(verbs, words);
    JobPlan plan{.version = version_text(), .command = words, .directory = std::filesystem::current_path()};
    job = Job::make(folder.job(), std::move(plan), [&](JobPlan& all) { sharded->plan_job(all, folder.job()); });
    sharded->open_job(*job);
  });
  if (!ready || !ranks.run(*job, [&](Index unit, ShardSink& sink) { sharded->run_shard(unit, sink); })) return kFound;
  return ranks.rank() == 0 ? verbs.status(sharded->merge_job(*job, job->records())) : kFound;
}

}  // namespace

int run_on_ranks(cluster::Ranks& ranks, const std::vector<std::string>& words) {
  if (ranks.rank() > 0) be_silent();
  show_all_rows();
  Verbs verbs;
  const bool help = std::ranges::count(words, "--help") > 0;
  if (!words.empty() && !help && std::ranges::count(kShared, std::string_view(words.front())) > 0)
    return share(ranks, verbs, words);
  // Processes of `work` share a job by themselves. Everything else is done once.
  if (!words.empty() && !help && words.front() == "work") {
    ranks.together([&] { run_alone(verbs, words); });
    return kFound;
  }
  return ranks.rank() == 0 ? run_alone(verbs, words) : kFound;
}

}  // namespace quarry::cli
