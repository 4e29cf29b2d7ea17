/// `quarry merge`: the outputs of a job.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "arguments/files.hpp"
#include "jobs/job_verb.hpp"
#include "output/text.hpp"

namespace quarry::cli {
namespace {

Guide merge_guide() {
  return {
      .examples = {"quarry merge hits -o hits.tsv.zst --summary alerts.tsv"},
      .notes = "Outputs that are not named here go where the command of the job sends them.",
      .exit_status = "as the verb of the job: 0 found, 1 nothing found, 2 error",
      .description =
          "Writes the outputs of a job, byte for byte what its verb alone would have written. A job with missing, "
          "damaged or foreign shards is refused. Rows of pairs are written in whatever format the name of the output "
          "asks for; "
          "other formats are those of the plan. Compression is chosen here.",
  };
}

class MergeVerb : public Verb {
 public:
  explicit MergeVerb(Arguments& verb) {
    verb.guide(merge_guide());
    add_folder(verb, folder_);
    for (Target& target : outputs_)
      verb.option(target.names, &target.path, target.help, {.names_file = true, .names_output = true});
    verb.flag("--quiet", quiet_, "No closing line");
  }

  int run() override {
    for (Target& target : outputs_)  // before the folder of the plan is entered
      if (!target.path.empty() && target.path != "-") target.path = std::filesystem::absolute(target.path);
    JobVerb merge(folder_);
    const auto shards = merge.job().records();
    for (const Target& target : outputs_)
      if (!target.path.empty()) send(target, merge);
    if (quiet_) set_quiet(merge.verbs().arguments());
    check_files(merge.verbs().arguments(), files_of(merge.job()));
    check_outside(merge.verbs().arguments(), merge.job().folder());
    merge.sharded().open_job(merge.job());
    return merge.sharded().merge_job(merge.job(), shards);
  }

 private:
  struct Target {
    const char *names, *help;
    std::string path = {};
    std::string option() const { return std::string(names).substr(std::string(names).rfind("--")); }
  };

  /// What a job reads, also where its command does not name it.
  static std::vector<std::string> files_of(const Job& job) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(job.folder())) {
      const std::string name = entry.path().filename();
      if (name == "job.json" || name.starts_with("input-")) files.push_back(entry.path());
    }
    for (const JobInput& input : job.plan().inputs) files.push_back(input.path);
    return files;
  }

  static void check_outside(const Arguments& verb, const std::string& folder) {
    std::error_code no_place;  // of a pipe that /dev/stdout is
    const auto inside = std::filesystem::weakly_canonical(folder);
    for (const Argument& argument : verb.all()) {
      if (!argument.rules.names_output) continue;
      const auto* const path = std::get_if<std::string*>(&argument.target);
      if (path == nullptr || (*path)->empty() || **path == "-") continue;
      if (std::ranges::mismatch(inside, std::filesystem::weakly_canonical(**path, no_place)).in1 == inside.end())
        throw InputError(fmt::format("'{}', the output for {}, is in the folder of the job: name another place", **path,
                                     argument.names.back()));
    }
  }
  static Argument* named(Arguments& verb, const std::string& name) {
    const auto found =
        std::ranges::find_if(verb.all(), [&](const Argument& argument) { return argument.names.back() == name; });
    return found == verb.all().end() ? nullptr : &*found;
  }

  static void set_quiet(Arguments& verb) {
    if (Argument* const quiet = named(verb, "--quiet")) *std::get<bool*>(quiet->target) = true;
  }

  /// Has the verb of the job write an output to the file of `target`.
  void send(const Target& target, JobVerb& merge) const {
    const std::string option = target.option(), name = option.substr(2);
    Argument* const argument = named(merge.verbs().arguments(), option);
    const auto& outputs = merge.job().plan().outputs;
    const auto planned =
        std::ranges::find_if(outputs, [&](const std::string& output) { return output.starts_with(name + "."); });
    const bool is_late = std::ranges::count(merge.sharded().late_outputs(), option) > 0;
    if (argument == nullptr || (planned == outputs.end() && !is_late))
      throw InputError(
          fmt::format("the job in '{}' has no output for {}: plan it with {} FILE", folder_, option, option));
    if (planned != outputs.end() && *planned != name + format_of_output(target.path))
      throw InputError(fmt::format("the shards in '{}' hold {} for {}, not {}: plan the job with {} NAME{}", folder_,
                                   planned->substr(name.size()), option, format_of_output(target.path), option,
                                   format_of_output(target.path)));
    *std::get<std::string*>(argument->target) = target.path;
  }

  std::string folder_;
  std::array<Target, 6> outputs_ = {{{"-o,--output", "File for the output that the verb has under this option"},
                                     {"--summary", "File for totals per query"},
                                     {"--matched", "File for the molecules that some query matches"},
                                     {"--unmatched", "File for the molecules that no query matches"},
                                     {"--table", "File for the table of dock"},
                                     {"--rejects", "File for the rows that could not be used"}}};
  bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_merge(Arguments& verb) { return std::make_unique<MergeVerb>(verb); }

}  // namespace quarry::cli
