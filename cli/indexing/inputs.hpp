/// What `quarry index` reads: files, patterns of names, lists of names, and what a command fetches.
#pragma once
#include <string>
#include <vector>

#include "arguments/arguments.hpp"

namespace quarry::cli {

class IndexInputs {
 public:
  /// Adds IN, --files-from and --fetch.
  void add_to(Arguments& verb);
  /// All names in order, each once. @throws InputError  there is none, or one twice; a pattern or a list has no names
  std::vector<std::string> names() const;
  /// The command that writes the bytes of a name to its standard output; none where names are files.
  /// @throws InputError  it has no place for the name
  std::vector<std::string> fetch_command() const;

 private:
  std::vector<std::string> given_, lists_;
  std::string fetch_;
};

}  // namespace quarry::cli
