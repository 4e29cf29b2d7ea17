#include "cluster/inputs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "quarry/collection.hpp"
#include "quarry/files/ledger.hpp"

namespace quarry {
namespace {

namespace fs = std::filesystem;

JobInput input_of(const std::string& name, const fs::path& path, bool with_checksum) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    throw InputError(fmt::format("'{}': {}", name, std::generic_category().message(errno)));
  if (!S_ISREG(status.st_mode))
    throw InputError(fmt::format("a job needs inputs that can be read again, and '{}' is no file", name));
  constexpr Index kNanoseconds = 1'000'000'000;
  JobInput input{name, status.st_size, status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec};
  if (with_checksum) input.checksum = identity_of_file(path);
  return input;
}

}  // namespace

std::vector<JobInput> job_inputs(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {input_of(path, path, true)};
  if (is_collection(path)) {  // which lists its parts with their sizes and checksums
    const fs::path manifest = fs::path(path) / kManifestName;
    return {input_of(manifest, manifest, true)};
  }
  std::vector<JobInput> inputs;
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file(error)) inputs.push_back(input_of(entry->path(), entry->path(), true));
  if (error) throw InputError(fmt::format("'{}': {}", path, error.message()));
  std::ranges::sort(inputs, {}, &JobInput::path);
  return inputs;
}

namespace cluster {

std::string difference(const JobInput& input, const std::string& directory) {
  constexpr Index kSmallBytes = Index{64} << 20;
  const fs::path path = fs::path(directory) / input.path;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return "is not there any more";
  JobInput now = input_of(input.path, path, false);
  if (now.bytes != input.bytes) return "has changed";
  if (now.bytes > kSmallBytes && now.modified == input.modified) return "";
  return input_of(input.path, path, true).checksum == input.checksum ? "" : "has changed";
}

/// FNV-1a, 64 bits: Fowler, Noll, Vo. Nobody forges a job.
std::string checksum_of_text(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return fmt::format("{:016x}", hash);
}

}  // namespace cluster
}  // namespace quarry
