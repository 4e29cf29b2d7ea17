/// What a command prints, as a file that can be read once.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

namespace quarry::cli {

class FetchedStream {
 public:
  /// Starts the command, without a shell.
  /// @param command  its words; {} in them becomes `name`
  /// @throws SystemError  there is no such program
  FetchedStream(const std::vector<std::string>& command, const std::string& name);
  FetchedStream(const FetchedStream&) = delete;
  FetchedStream& operator=(const FetchedStream&) = delete;
  ~FetchedStream();  ///< ends the command where it still runs

  /// Where its output can be read.
  std::string path() const { return "/dev/fd/" + std::to_string(output_); }
  /// Waits for its end. @throws InputError  it has failed
  void finish();
  /// To be called when what it printed cannot be used. @throws InputError  because it has failed
  void check_failed();

 private:
  std::string shown_;  // the command, for messages
  int output_ = -1;
  pid_t process_ = -1;  // -1: it has ended
};

}  // namespace quarry::cli
