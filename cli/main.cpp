/// The program `quarry`: verbs, errors and exit status. 0 found, 1 nothing found, 2 error.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "arguments/completion.hpp"
#include "arguments/manual.hpp"
#include "common.hpp"
#include "jobs/on_ranks.hpp"
#include "output/terminal.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "program.hpp"
#include "quarry/error.hpp"
#include "quarry/files/output.hpp"
#include "quarry/run.hpp"

namespace quarry::cli {
namespace {

/// Today, or the day of SOURCE_DATE_EPOCH, with which a package is built twice with the same bytes.
std::string today() {
  const char* const epoch = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t seconds = epoch != nullptr ? std::strtoll(epoch, nullptr, 10) : std::time(nullptr);
  char text[std::size("YYYY-MM-DD")];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&seconds))};
}

/// The text of `--man [VERB]` or `--completion SHELL`, which packages are built with and --help does not show.
std::optional<std::string> for_installation(const Program& program, const std::vector<std::string>& words) {
  if (words.size() == 2 && words[0] == "--completion") return completion(program, words[1]);
  if (words.empty() || words[0] != "--man") return {};
  if (words.size() == 1) return manual_page(program, today());
  for (const Arguments& verb : program.verbs)
    if (words.size() == 2 && words[1] == verb.verb()) return manual_page(program, verb, today());
  throw InputError("--man takes one verb, or none");
}

/// Opens the standard streams that are closed, so that no file is mistaken for one of them; in the contrary direction, so
/// that using one still fails. Source: stdopen of gnulib.
void open_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0) (void)::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// A write past the limit of file sizes (ulimit -f) is an error as on a full disk, and no end without a word.
void take_file_limits_as_errors() { std::signal(SIGXFSZ, SIG_IGN); }

/// As `complain`, and allocates nothing.
void complain_without_memory(const char* sentence) {
  const WithoutLine above;
  for (const char* part : {"quarry: ", sentence, "\n"}) write_to_stderr(part);
}

thread_local bool memory_was_short = false;

/// Functions of other libraries that must not throw may allocate: of CLI11 while it reads the command line, of libstdc++
/// where it copies names of files. There the program is terminated, and the exception is out of reach.
void end_where_memory_is_short() {
  std::set_new_handler([] {
    memory_was_short = true;
    note_short_memory();
    throw std::bad_alloc();
  });
  std::set_terminate([] {
    remove_partial_outputs();
    if (!memory_was_short) std::abort();
    complain_without_memory("out of memory");
    ::_exit(kError);
  });
}

bool main_has_ended = false;

/// A library may end the program where it has no memory, libarchive with the status of a run that found nothing.
void end_with_error_where_main_has_not() {
  std::atexit([] {
    if (main_has_ended) return;
    remove_partial_outputs();
    ::_exit(kError);
  });
}

int run(const std::vector<std::string>& words) {
  cluster::Ranks ranks;
  if (ranks.size() > 1) return run_on_ranks(ranks, words);
  Verbs all;
  if (const auto text = for_installation(all.program(), words)) {
    print(*text);
    return kFound;
  }
  Verb* const verb = all.parse(words);
  return verb == nullptr ? kFound : all.status(verb->run());
}

/// Runs what the words say. @return  the exit status
int run_and_report(const std::vector<std::string>& words) {
  try {
    keep_freed_memory();
    open_standard_streams();
    take_file_limits_as_errors();
    remove_partial_outputs_on_signal();
    hold_outputs();
    const int status = run(words);
    accept_outputs();
    return status;
  } catch (const OutOfMemory& error) {
    drop_texts();
    complain_without_memory(error.what());
  } catch (const std::bad_alloc&) {
    drop_texts();
    complain_without_memory("out of memory");
  } catch (const Error& error) {
    drop_texts();
    complain(sentence_of(error));
  } catch (const std::exception& error) {
    drop_texts();
    complain(fmt::format("internal error, please report it: {}", error.what()));
  }
  return kError;
}

}  // namespace
}  // namespace quarry::cli

int main(int argc, char** argv) {
  quarry::cli::end_where_memory_is_short();
  quarry::cli::end_with_error_where_main_has_not();
  const int status = quarry::cli::run_and_report({argv + 1, argv + argc});
  quarry::cli::main_has_ended = true;
  return status;
}
