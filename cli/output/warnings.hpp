/// Warnings, and --strict, with which a run that would only warn ends with an error and shows no output file.
///
/// A program has one run, so what was noted is kept for the whole process.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "arguments/arguments.hpp"
#include "quarry/index.hpp"

namespace quarry::cli {

/// Adds --strict.
void add_strict_option(Arguments& verb);

/// For a verb whose --strict means more.
void be_strict();

/// Says what may make an answer other than the user meant. It counts for --strict also where it is not said.
void warn(std::string_view sentence, bool quiet = false);

/// Counts for --strict what other lines tell: "rejected row", "ignored column".
void note_for_strict(Index count, std::string_view noun);

/// Says which columns of a table mean nothing here. @param origin  "'FILE'" or "set NAME"
void name_ignored(const std::string& origin, const std::vector<std::string>& columns, bool quiet = false);

/// To be called where an allocation fails, of any thread. Streams, and libraries that use them, take that for the end of a
/// text and say nothing: no output is shown after it, with --strict or without.
void note_short_memory();

/// For an output that is not held, before it is shown; and before a run reports what it has done.
/// @param consequence      of an error for the outputs
/// @throws InputError      --strict was given, and something was noted
/// @throws std::bad_alloc  memory was short
void check_run(std::string_view consequence = "no file was written");

/// To be called before a run reports what it has done: the texts are kept until `accept_outputs`.
/// @throws InputError, std::bad_alloc  as check_run
void begin_report();

/// The last step of a run: shows the outputs that are held (show_outputs) and the texts of the report.
/// @throws InputError, std::bad_alloc  as check_run
void accept_outputs();

}  // namespace quarry::cli
