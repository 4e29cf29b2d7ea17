/// `quarry plan`: a folder with a job.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "arguments/files.hpp"
#include "jobs/job_verb.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"

namespace quarry::cli {
namespace {

Guide plan_guide() {
  return {
      .examples = {"quarry plan hits --shards 64 -- match drugs.qlib alerts.smarts --mode count", "quarry work hits",
                   "quarry merge hits -o hits.tsv.zst --summary alerts.tsv"},
      .notes =
          "quarry-work(1) does shards, quarry-status(1) says how far a job is, quarry-merge(1) writes its outputs.",
      .exit_status = "0 the job is planned, 2 error",
      .description =
          "Cuts the work of a verb into shards that any number of processes do, in any order, on any machines that "
          "share the folder: an array of Slurm jobs, GNU parallel, Dask, or quarry-work(1) started several times. What "
          "decides the answer is recorded: the command, the version, and checksums of its inputs. The merged outputs "
          "have the bytes that the verb alone writes.\n\n"
          "The shards are numbered from 0. Pairs of match and similar get their format at the "
          "merge, other outputs that which the command names. Files of text are "
          "packed into a library in the folder; where they are large, index them first.",
  };
}

class PlanVerb : public Verb {
 public:
  explicit PlanVerb(Arguments& verb) {
    verb.guide(plan_guide());
    add_folder(verb, folder_);
    verb.option("COMMAND", &command_, "-- and then the verb with its arguments", {.shown_as = "-- VERB ARGUMENT ..."});
    verb.option("--shards", &shards_, "Number of shards", {.required = true, .least = 1, .most = 10'000'000});
    verb.flag("--quiet", quiet_, "No closing line");
  }

  int run() override {
    if (command_.empty()) throw InputError("plan takes a verb and its arguments after -- (see quarry plan --help)");
    Verbs verbs;
    Sharded& sharded = sharded_of(verbs, command_);
    JobPlan plan{.num_shards = shards_,
                 .version = version_text(),
                 .command = command_,
                 .directory = std::filesystem::current_path()};
    add_inputs(verbs.arguments(), plan);
    const Job job = Job::make(folder_, std::move(plan), [&](JobPlan& all) {
      sharded.plan_job(all, std::filesystem::absolute(folder_));
      check_run();
    });
    if (!quiet_) say(fmt::format("{} of quarry {} in '{}'\n", counted(shards_, "shard"), command_.front(), folder_));
    return kFound;
  }

 private:
  static void add_inputs(const Arguments& verb, JobPlan& plan) {
    for (const Argument& argument : verb.all()) {
      if (!argument.rules.names_file || argument.rules.names_output) continue;
      for (const std::string& path : argument.given) {
        check_can_be_read_again(path, "a job");
        // A pattern of `mine` stands where files do.
        if (std::error_code error; argument.is_repeated() && !std::filesystem::exists(path, error)) continue;
        for (JobInput& input : job_inputs(path)) plan.inputs.push_back(std::move(input));
      }
    }
  }

  std::string folder_;
  std::vector<std::string> command_;
  Index shards_ = 0;
  bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_plan(Arguments& verb) { return std::make_unique<PlanVerb>(verb); }

}  // namespace quarry::cli
