/// The verbs of the program, ready for a command line.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "common.hpp"

namespace quarry::cli {

/// A command line is parsed once.
class Verbs {
 public:
  Verbs();
  Verbs(const Verbs&) = delete;
  Verbs& operator=(const Verbs&) = delete;

  const Program& program() const { return program_; }
  /// @param words  a verb and its arguments
  /// @return  that verb; nullptr where help or the version was asked for, and printed
  /// @throws InputError  as `parse` and `check_files`
  Verb* parse(const std::vector<std::string>& words);
  /// The command line of the verb that was parsed.
  Arguments& arguments() { return program_.verbs[chosen_]; }
  /// The exit status of a run that ends with `status`: --exit-zero makes nothing found a success.
  int status(int status) const { return status == kNothingFound && exit_zero_ ? kFound : status; }

 private:
  Program program_;
  std::vector<std::unique_ptr<Verb>> verbs_;
  std::size_t chosen_ = 0;
  bool exit_zero_ = false;
};

}  // namespace quarry::cli
