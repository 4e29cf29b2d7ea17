/// Of each file but the last that is to be renamed, what it replaces keeps a second, temporary name until all are renamed.
#include "util/files/finished_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include "quarry/error.hpp"
#include "util/files/temporary/temporary_list.hpp"
#include "util/files/temporary/temporary_name.hpp"

namespace quarry {
namespace {

/// Signals wait while some files are renamed and others are not.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// The file that another one replaces. All memory that `show` needs is taken here, before anything is renamed.
class Replaced {
 public:
  explicit Replaced(const std::string& target)
      : target_(target),
        folder_(std::filesystem::path(target).parent_path().string()),
        kept_(temporary_name(std::filesystem::path(folder_))) {
    if (folder_.empty()) folder_ = ".";
  }
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;
  ~Replaced() {
    if (is_kept_) ::unlink(kept_.c_str());
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  /// Gives the file a second name.
  void keep() noexcept {
    struct stat status {};
    if (::lstat(target_.c_str(), &status) != 0 || S_ISDIR(status.st_mode)) return;  // a folder is not replaced
    descriptor_ = ::open(target_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    // Another lock on it, say of the user, serves as well.
    if (descriptor_ >= 0) (void)::flock(descriptor_, LOCK_EX | LOCK_NB);
    // Some file systems have no second names: there the file is put aside.
    is_kept_ = ::link(target_.c_str(), kept_.c_str()) == 0 || ::rename(target_.c_str(), kept_.c_str()) == 0;
  }
  /// @param shown  whether the new file has got its name
  void put_back(bool shown) noexcept {
    if (is_kept_)
      (void)::rename(kept_.c_str(), target_.c_str());
    else if (shown)
      ::unlink(target_.c_str());
  }
  void sync_folder() const noexcept {
    const int descriptor = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;  // the file is complete; only the rename may be lost in a power cut
    ::fsync(descriptor);
    ::close(descriptor);
  }

 private:
  std::string target_, folder_, kept_;  // the last is its second name
  bool is_kept_ = false;
  int descriptor_ = -1;
};

// The second piece of state of a whole process, beside the list for signal handlers: a program has one run.
std::mutex mutex;
bool holding = false;
FinishedFiles held;

}  // namespace

FinishedFile::~FinishedFile() {
  if (!hidden.empty()) ::unlink(hidden.c_str());
  if (descriptor >= 0) ::close(descriptor);
  if (slot >= 0) release_temporary(slot);
}

void show(FinishedFiles files) {
  const SignalsBlocked blocked;
  std::vector<std::unique_ptr<Replaced>> replaced;
  for (const auto& file : files) replaced.push_back(std::make_unique<Replaced>(file->target));
  for (std::size_t i = 0; i < files.size(); ++i) {
    FinishedFile& file = *files[i];
    if (i + 1 < files.size()) replaced[i]->keep();
    if (::rename(file.hidden.c_str(), file.target.c_str()) != 0) {
      const int error = errno;
      for (std::size_t before = 0; before <= i; ++before) replaced[before]->put_back(before < i);
      throw SystemError("cannot write " + file.path + ": " + std::generic_category().message(error));
    }
    file.hidden.clear();
  }
  for (const auto& file : replaced) file->sync_folder();
}

void show_or_hold(std::unique_ptr<FinishedFile> file) {
  FinishedFiles now;
  {
    const std::scoped_lock lock(mutex);
    (holding ? held : now).push_back(std::move(file));
  }
  show(std::move(now));
}

void hold_finished() {
  const std::scoped_lock lock(mutex);
  holding = true;
}

void show_held() {
  FinishedFiles files;
  {
    const std::scoped_lock lock(mutex);
    files = std::exchange(held, {});
  }
  show(std::move(files));
}

}  // namespace quarry
