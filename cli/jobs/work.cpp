/// `quarry work`: shards of a job.
#include <fmt/format.h>

#include <optional>

#include "jobs/job_verb.hpp"
#include "output/progress.hpp"
#include "output/text.hpp"
#include "stopwatch.hpp"

namespace quarry::cli {
namespace {

Guide work_guide() {
  return {
      .examples = {"quarry work hits", "quarry work hits --shard $SLURM_ARRAY_TASK_ID"},
      .exit_status = "0 the shards are done, also where nothing is found; 2 error",
      .description =
          "Does one shard of a job, or, without --shard, whatever is missing and nobody else does, until every shard "
          "is "
          "done. It may run any number of times side by side, on one machine and on many that share the folder, and "
          "may "
          "be killed at any moment: what is done stays done, and a shard appears whole or not at all.\n\n"
          "A process claims a shard by a file. The claim of a process of the same host that is dead is taken over at "
          "once, others when they have shown no sign of life for --claim-seconds. --shard asks no claim.",
  };
}

class WorkVerb : public Verb {
 public:
  explicit WorkVerb(Arguments& verb) {
    verb.guide(work_guide());
    add_folder(verb, folder_);
    verb.option("--shard", &shard_, "Do this shard, counted from 0, and no other", {.shown_as = "I", .least = 0});
    verb.option("--claim-seconds", &claim_seconds_,
                "Take over claims of other hosts that show no sign of life for this long",
                {.show_default = true, .least = 1, .most = 1'000'000});
    add_progress_option(verb);
    verb.flag("--quiet", quiet_, "No progress and no closing line");
  }

  int run() override {
    const Stopwatch stopwatch;
    Job job = Job::open(folder_);
    Index num_done = 0;
    if (shard_ && *shard_ < job.plan().num_shards && job.is_done(*shard_)) return finish(0, stopwatch);
    JobVerb work(folder_);
    ProgressLine progress("work", quiet_, "shard");
    work.sharded().open_job(work.job());
    const auto search = [&](Index shard, ShardSink& sink) {
      work.sharded().run_shard(shard, sink);
      ++num_done;
      progress.update(num_done, num_done, 0);
    };
    if (shard_)
      work.job().work(*shard_, [&](ShardSink& sink) { search(*shard_, sink); });
    else
      work.job().work_all(search, static_cast<double>(claim_seconds_));
    return finish(num_done, stopwatch);
  }

 private:
  int finish(Index num_done, const Stopwatch& stopwatch) const {
    if (!quiet_) say(fmt::format("{} done in {:.2f} s\n", counted(num_done, "shard"), stopwatch.seconds()));
    return kFound;
  }

  std::string folder_;
  std::optional<Index> shard_;
  Index claim_seconds_ = static_cast<Index>(kClaimSeconds);
  bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_work(Arguments& verb) { return std::make_unique<WorkVerb>(verb); }

}  // namespace quarry::cli
