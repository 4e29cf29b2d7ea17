/// Completions of shells from the tables of options.
#pragma once
#include <string>

#include "arguments/arguments.hpp"

namespace quarry::cli {

/// A script that makes a shell complete verbs, options, their words, and names of files.
/// @param shell  bash, zsh or fish
/// @throws InputError  another shell
std::string completion(const Program& program, const std::string& shell);

}  // namespace quarry::cli
