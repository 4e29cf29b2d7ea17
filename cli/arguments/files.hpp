/// What the files that a command line names are, and whether they can be read and written without one replacing another.
#pragma once
#include "arguments/arguments.hpp"

namespace quarry::cli {

/// To be called before any file is opened for writing.
/// @param listed  inputs that a list or a table names and not the command line
/// @throws InputError  an output would replace an input, or two outputs are one file: names both
void check_files(const Arguments& verb, const std::vector<std::string>& listed = {});

/// Can it be read only once? So it is with standard input, pipes and terminals.
bool is_pipe(const std::string& path);
/// @param reader  such as "a job"
/// @throws InputError  the input can be read only once
void check_can_be_read_again(const std::string& path, const std::string& reader);

}  // namespace quarry::cli
