#include "indexing/job_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "arguments/files.hpp"
#include "input/source.hpp"
#include "quarry/collection.hpp"
#include "quarry/files/ledger.hpp"

namespace quarry::cli {
namespace {

constexpr const char* kCollections = "/collections";

std::string note_of(std::size_t input) { return fmt::format("input {}", input); }

}  // namespace

void JobInputs::prepare(const std::vector<std::string>& names, bool fetched, JobPlan& plan, const std::string& folder) {
  std::set<std::string> known;
  for (const JobInput& input : plan.inputs) known.insert(input.path);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    plan.notes[note_of(i)] = name;
    if (fetched) continue;
    check_can_be_read_again(name, "a job");
    if (is_library_file(name)) throw InputError(fmt::format("'{}' is a library already", name));
    if (known.contains(name)) continue;
    for (JobInput& input : job_inputs(name)) plan.inputs.push_back(std::move(input));
  }
  if (plan.num_shards == 0) plan.num_shards = std::ssize(names);
  std::error_code error;
  std::filesystem::create_directory(folder + kCollections, error);
  if (error) throw SystemError(fmt::format("cannot make the folder '{}{}': {}", folder, kCollections, error.message()));
}

void JobInputs::open(const Job& job) {
  folder_ = job.folder();
  const JobPlan& plan = job.plan();
  std::map<std::string, Index> bytes;
  for (const JobInput& input : plan.inputs) bytes[input.path] = input.bytes;
  std::vector<std::string> names;
  std::vector<Index> ends{0};
  for (auto note = plan.notes.find(note_of(0)); note != plan.notes.end();
       note = plan.notes.find(note_of(names.size()))) {
    names.push_back(note->second);
    ends.push_back(ends.back() + bytes[note->second] + 1);  // inputs of unknown size count alike
  }
  if (names.empty()) throw InputError(fmt::format("the description of the job in '{}' is damaged", folder_));
  names_.assign(plan.num_shards, {});
  // An input is for the shard in whose share of the bytes its middle is.
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double middle = 0.5 * static_cast<double>(ends[i] + ends[i + 1]) / static_cast<double>(ends.back());
    const Index shard = static_cast<Index>(middle * static_cast<double>(plan.num_shards));
    names_[std::min(shard, plan.num_shards - 1)].push_back(std::move(names[i]));
  }
}

std::vector<std::string> JobInputs::of(Index shard) const { return names_.at(shard); }

std::string JobInputs::folder(Index shard) const {
  return fmt::format("{}{}/{:07}.qlibs", folder_, kCollections, shard);
}

std::string JobInputs::identity(Index shard) const {
  const std::string manifest = folder(shard) + "/" + kManifestName;
  std::error_code error;
  return std::filesystem::exists(manifest, error) ? identity_of_file(manifest) : "";
}

}  // namespace quarry::cli
