#include "output/warnings.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "output/text.hpp"
#include "quarry/error.hpp"
#include "quarry/files/output.hpp"

namespace quarry::cli {
namespace {

bool strict = false;
std::atomic<bool> memory_was_short = false;
std::map<std::string, Index, std::less<>> noted;

}  // namespace

void add_strict_option(Arguments& verb) {
  verb.flag("--strict", strict, "Rejected rows, ignored columns and warnings are errors, and no file is written");
}

void be_strict() { strict = true; }

void warn(std::string_view sentence, bool quiet) {
  note_for_strict(1, "warning");
  if (!quiet) complain(sentence);
}

void note_for_strict(Index count, std::string_view noun) {
  if (count > 0) noted[std::string(noun)] += count;
}

void note_short_memory() { memory_was_short = true; }

void check_run(std::string_view consequence) {
  if (memory_was_short) throw std::bad_alloc();
  if (!strict || noted.empty()) return;
  std::vector<std::string> counts;
  for (const auto& [noun, count] : noted) counts.push_back(counted(count, noun));
  throw InputError(fmt::format("--strict: {}; {}", joined(counts, ", "), consequence));
}

void begin_report() {
  check_run();
  hold_texts();
}

void accept_outputs() {
  check_run();
  // Who reads a pipe may open the files at once. Elsewhere a text that cannot be written leaves the files as they were.
  struct stat status {};
  const bool is_read_now =
      ::fstat(STDOUT_FILENO, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
  if (!is_read_now) show_texts();
  show_outputs();
  if (is_read_now) show_texts();
}

void name_ignored(const std::string& origin, const std::vector<std::string>& columns, bool quiet) {
  if (columns.empty()) return;
  note_for_strict(std::ssize(columns), "ignored column");
  if (quiet) return;
  complain(fmt::format("{} of {} {} ignored: {}", columns.size() == 1 ? "a column" : "columns", origin,
                       columns.size() == 1 ? "is" : "are", joined(columns, ", ")));
}

}  // namespace quarry::cli
