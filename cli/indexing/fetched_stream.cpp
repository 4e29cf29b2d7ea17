#include "indexing/fetched_stream.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "output/text.hpp"
#include "quarry/error.hpp"

extern char** environ;

namespace quarry::cli {
namespace {

std::string with_name(std::string word, const std::string& name) {
  for (auto place = word.find("{}"); place != std::string::npos; place = word.find("{}", place + name.size()))
    word.replace(place, 2, name);
  return word;
}

[[noreturn]] void refuse(const std::string& command, int error) {
  throw SystemError(fmt::format("cannot run '{}': {}", command, std::generic_category().message(error)));
}

}  // namespace

FetchedStream::FetchedStream(const std::vector<std::string>& command, const std::string& name) {
  std::vector<std::string> words{command.front()};
  for (std::size_t i = 1; i < command.size(); ++i) words.push_back(with_name(command[i], name));
  shown_ = joined(words, " ");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) refuse(shown_, errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  const int error = ::posix_spawnp(&process_, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  output_ = ends[0];
  if (error == 0) return;
  ::close(output_);
  refuse(shown_, error);
}

FetchedStream::~FetchedStream() {
  ::close(output_);
  if (process_ < 0) return;
  ::kill(process_, SIGTERM);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void FetchedStream::finish() {
  if (process_ < 0) return;
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (WIFSIGNALED(status)) throw InputError(fmt::format("'{}' was ended by signal {}", shown_, WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) throw InputError(fmt::format("'{}' ended with status {}", shown_, WEXITSTATUS(status)));
}

/// It may still be writing; then it has not failed.
void FetchedStream::check_failed() {
  pollfd end{output_, POLLIN, 0};
  if (::poll(&end, 1, 0) > 0 && (end.revents & POLLHUP) != 0) finish();
}

}  // namespace quarry::cli
