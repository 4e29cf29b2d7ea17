#include "cluster/claims.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <iterator>
#include <mutex>
#include <system_error>

#include "util/json.hpp"

namespace quarry::cluster {
namespace {

constexpr Index kShardsPerFolder = 256;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

/// Tells apart what process numbers belong to: one boot of one machine, and of its containers.
std::string process_space() {
  std::string boot = text_of("/proc/sys/kernel/random/boot_id");
  std::erase(boot, '\n');
  struct stat status {};
  const ino_t container = ::stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
  return fmt::format("{} {} {}", host_name(), boot, container);
}

/// When a process began, in ticks since the machine started; 0 where it is no more, or has ended and waits for its
/// parent. Source: proc(5), /proc/[pid]/stat.
Index start_of(Index process) {
  const std::string text = text_of(fmt::format("/proc/{}/stat", process));
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::vector<std::string> fields;
  for (std::size_t begin = name_end + 2; begin < text.size();) {
    const auto end = std::min(text.find(' ', begin), text.size());
    fields.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  constexpr std::size_t kState = 0, kStart = 19;  // fields 3 and 22 of the line
  if (fields.size() <= kStart || fields[kState] == "Z" || fields[kState] == "X") return 0;
  return std::strtoll(fields[kStart].c_str(), nullptr, 10);
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

ShardClaim own_claim() {
  const Index process = ::getpid();
  return {host_name(), process, seconds_now(), 0, process_space(), start_of(process)};
}

/// Held while a claim is looked at and written. Where a file system has no locks, two processes may do the same shard.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder)
      : descriptor_(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0)
      throw SystemError(
          fmt::format("cannot write '{}': {}", (folder / "lock").string(), std::generic_category().message(errno)));
    (void)::flock(descriptor_, LOCK_EX);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() { ::close(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

std::string shard_name(Index shard) { return fmt::format("{:04}/{:07}", shard / kShardsPerFolder, shard); }

std::filesystem::path Claims::path(Index shard) const { return folder_ / (shard_name(shard) + ".claim"); }

std::optional<ShardClaim> Claims::read(Index shard) const {
  try {
    const Json json = parse_json(text_of(path(shard)));
    return ShardClaim{json.at("host"),    json.at("process"),       json.at("began"),
                      json.at("seconds"), json.at("process_space"), json.at("process_start")};
  } catch (const Json::exception&) {
    return {};
  }
}

bool Claims::is_abandoned(const ShardClaim& claim) const {
  return claim.process_space == process_space() && start_of(claim.process) != claim.process_start;
}

/// Changes with every sign of life; empty where there is no claim.
std::string Claims::state(Index shard) const {
  struct stat status {};
  if (::stat(path(shard).c_str(), &status) != 0) return {};
  return fmt::format("{} {} {} {}", status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_size);
}

bool Claims::may_take(Index shard, double claim_seconds) {
  const std::string now = state(shard);
  if (now.empty()) return true;
  const auto claim = read(shard);
  const ShardClaim own = own_claim();
  // A claim that has ended without a shard, one of this process, or of one that is dead.
  if (claim && (claim->seconds > 0 || is_abandoned(*claim) ||
                (claim->process == own.process && claim->process_space == own.process_space)))
    return true;
  Sighting& sighting = seen_[shard];
  if (sighting.state != now) sighting = {now, Clock::now()};
  return std::chrono::duration<double>(Clock::now() - sighting.since).count() >= claim_seconds;
}

bool Claims::take(Index shard, double claim_seconds) {
  std::error_code error;
  std::filesystem::create_directories(path(shard).parent_path(), error);
  const FolderLock lock(folder_);
  if (!may_take(shard, claim_seconds)) return false;
  seen_.erase(shard);
  write(shard, own_claim());
  return true;
}

void Claims::seize(Index shard) {
  std::error_code error;
  std::filesystem::create_directories(path(shard).parent_path(), error);
  const FolderLock lock(folder_);
  write(shard, own_claim());
}

void Claims::finish(Index shard, double seconds) {
  const FolderLock lock(folder_);
  ShardClaim claim = own_claim();
  claim.began -= seconds;
  claim.seconds = seconds;
  write(shard, claim);
}

void Claims::write(Index shard, const ShardClaim& claim) const {
  const Json json = {{"host", claim.host},
                     {"process", claim.process},
                     {"began", claim.began},
                     {"seconds", claim.seconds},
                     {"process_space", claim.process_space},
                     {"process_start", claim.process_start}};
  const auto hidden = folder_ / "writing.lock";
  std::ofstream file(hidden, std::ios::binary | std::ios::trunc);
  file << json_text(json) << '\n';
  file.close();
  if (!file || ::rename(hidden.c_str(), path(shard).c_str()) != 0)
    throw SystemError(
        fmt::format("cannot write '{}': {}", path(shard).string(), std::generic_category().message(errno)));
}

Heartbeat::Heartbeat(std::filesystem::path path, double claim_seconds)
    : thread_([path = std::move(path), claim_seconds](const std::stop_token& stop) {
        constexpr double kMostSeconds = 10;
        const std::chrono::duration<double> pause(std::min(kMostSeconds, claim_seconds / 4));
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        while (!never.wait_for(lock, stop, pause, [] { return false; }) && !stop.stop_requested())
          (void)::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
      }) {}

}  // namespace quarry::cluster
