/// `quarry status`: how far a job is.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "jobs/job_verb.hpp"
#include "output/json.hpp"
#include "output/text.hpp"

namespace quarry::cli {
namespace {

Guide status_guide() {
  return {
      .examples = {"quarry status hits", "sbatch --array=$(quarry status hits --missing) ..."},
      .exit_status = "0 the job was looked at, 2 error",
      .description =
          "Says how many shards of a job are done and missing, how fast they are done and which took longest. "
          "--missing "
          "prints the numbers of those that are missing on one line, as sbatch --array takes them.",
  };
}

struct Times {
  Index shard = 0;
  double began = 0, seconds = 0;
};

class StatusVerb : public Verb {
 public:
  explicit StatusVerb(Arguments& verb) {
    verb.guide(status_guide());
    add_folder(verb, folder_);
    verb.flag("--missing", missing_, "Print only the numbers of missing shards: 17,203,2290-2295");
    verb.flag("--json", json_, "Print one JSON object");
    verb.exclude("--missing", "--json");
  }

  int run() override {
    const Job job = Job::open(folder_);
    const auto missing = job.missing();
    if (missing_) {
      print(array_text(missing) + '\n');
      return kFound;
    }
    look_at_claims(job, missing);
    const Index done = job.plan().num_shards - std::ssize(missing);
    json_ ? print_json(done, missing) : print_text(done, missing);
    return kFound;
  }

 private:
  void look_at_claims(const Job& job, const std::vector<Index>& missing) {
    for (Index shard = 0; shard < job.plan().num_shards; ++shard) {
      const auto claim = job.claim(shard);
      if (!claim) continue;
      if (std::ranges::binary_search(missing, shard))
        running_ += claim->seconds == 0 && !job.is_abandoned(*claim) ? 1 : 0;
      else if (claim->seconds > 0)
        times_.push_back({shard, claim->began, claim->seconds});
    }
    std::ranges::sort(times_, std::ranges::greater(), &Times::seconds);
    double first = 0, last = 0;
    for (const Times& times : times_) {
      if (first == 0 || times.began < first) first = times.began;
      last = std::max(last, times.began + times.seconds);
    }
    if (last > first) rate_ = static_cast<double>(times_.size()) / (last - first);
  }

  void print_text(Index done, const std::vector<Index>& missing) const {
    std::string text = fmt::format("{} done, {} missing", grouped(done), grouped(std::ssize(missing)));
    if (running_ > 0) text += fmt::format(", {} of them claimed", grouped(running_));
    if (rate_ > 0) text += fmt::format("; {:.2f} shards/s", rate_);
    if (rate_ > 0 && !missing.empty())
      text += fmt::format(", about {:.0f} s left at that rate", static_cast<double>(missing.size()) / rate_);
    if (!times_.empty()) {
      text += "; slowest:";
      for (std::size_t i = 0; i < std::min(times_.size(), kSlowest); ++i)
        text += fmt::format("{} {} ({:.1f} s)", i > 0 ? "," : "", times_[i].shard, times_[i].seconds);
    }
    print(text + '\n');
  }

  void print_json(Index done, const std::vector<Index>& missing) const {
    std::vector<Json> slowest;
    for (std::size_t i = 0; i < std::min(times_.size(), kSlowest); ++i)
      slowest.push_back({{"shard", times_[i].shard}, {"seconds", times_[i].seconds}});
    const Json object = {{"shards", done + std::ssize(missing)},
                         {"done", done},
                         {"missing", missing.size()},
                         {"claimed", running_},
                         {"missing_shards", array_text(missing)},
                         {"shards_per_second", rate_},
                         {"slowest", Json::list(slowest)}};
    print(object.line());
  }

  static constexpr std::size_t kSlowest = 3;
  std::string folder_;
  bool missing_ = false, json_ = false;
  Index running_ = 0;
  double rate_ = 0;  ///< shards a second, from the first that was begun to the last that was done
  std::vector<Times> times_;
};

}  // namespace

std::unique_ptr<Verb> make_status(Arguments& verb) { return std::make_unique<StatusVerb>(verb); }

}  // namespace quarry::cli
