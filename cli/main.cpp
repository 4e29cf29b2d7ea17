/// The program `quarry`: verbs, errors and exit status. 0 found, 1 nothing found, 2 error.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <exception>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "arguments/completion.hpp"
#include "arguments/files.hpp"
#include "arguments/manual.hpp"
#include "common.hpp"
#include "output/terminal.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/error.hpp"
#include "quarry/output.hpp"
#include "quarry/version.hpp"

namespace quarry::cli {
namespace {

struct VerbEntry {
  const char* name;
  const char* purpose;
  std::unique_ptr<Verb> (*make)(Arguments&);
};

constexpr VerbEntry kVerbs[] = {
    {"index", "Pack molecules into a library file that match opens in an instant", make_index},
    {"info", "Show what a library holds and verify its checksums", make_info},
    {"match", "Search many molecules for many SMARTS queries", make_match},
    {"cat", "Turn a file of hits that match has written into rows of text", make_cat},
    {"grep", "Print the input lines of the molecules that match one SMARTS", make_grep},
    {"sets", "List sets of alerts, print one, or compare them with RDKit", make_sets},
    {"similar", "Find the most similar molecules of a library, or write a matrix of similarities", make_similar},
    {"cluster", "Group molecules by similarity (Butina)", make_cluster},
    {"pick", "Pick a diverse subset of molecules (MaxMin)", make_pick},
    {"mine", "Count, list or sample patterns in one large graph", make_mine},
    {"watch", "Report the matches that each update of a graph creates or destroys", make_watch},
    {"dock", "Find how ligands fit in a pocket of a protein, score them and rank them", make_dock},
    {"doctor", "Show CPU, SIMD, threads and versions, and run a self test of two seconds", make_doctor},
};

/// The program's own words for an option of the library that an error names.
std::string advice_for(const std::string& option) {
  if (option == "device_bytes") return " (--device-memory)";
  if (option == "memory_bytes") return " (--memory)";
  if (option == "format") return " (--format)";
  if (option == "normalize") return " (--normalize canonical)";
  return "";
}

constexpr const char* kDescription =
    "Quarry searches libraries of molecules and large graphs, exactly. Each verb has its own page.\n\n"
    "Molecules are read from SMILES, CSV and SDF files, also compressed with gzip, zstd, bzip2 or xz, or from a "
    "library that "
    "quarry-index(1) has made. A row that cannot be read is counted and named, and the run goes on.\n\n"
    "An answer does not depend on the number of threads, nor on the device that computes it. The output files of "
    "a run appear under their names together, when all are complete; an output that is an input, or another output, is "
    "refused. - and /dev/stdout are standard output.";

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
    throw std::bad_alloc();
  });
  std::set_terminate([] {
    remove_partial_outputs();
    if (!memory_was_short) std::abort();
    complain_without_memory("out of memory");
    ::_exit(kError);
  });
}

int run(int argc, char** argv) {
  Program program = {
      .name = "quarry",
      .purpose =
          "grep for molecules: substructures and similarity in large molecule libraries, with answers you can check",
      .version = fmt::format("quarry {} (RDKit {})", kVersion, rdkit_version()),
      .exit_status = "0 found, 1 nothing found, 2 error",
      .description = kDescription,
      .verbs = {}};
  program.verbs.reserve(std::size(kVerbs));  // verbs refer to their arguments
  std::vector<std::unique_ptr<Verb>> verbs;
  for (const auto& entry : kVerbs) verbs.push_back(entry.make(program.verbs.emplace_back(entry.name, entry.purpose)));
  if (const auto text = for_installation(program, {argv + 1, argv + argc})) {
    print(*text);
    return kFound;
  }
  const auto chosen = parse(program, argc, argv);
  if (!chosen) return kFound;
  check_files(program.verbs[*chosen]);
  return verbs[*chosen]->run();
}

}  // namespace
}  // namespace quarry::cli

int main(int argc, char** argv) {
  using quarry::cli::complain, quarry::cli::complain_without_memory;
  quarry::cli::end_where_memory_is_short();
  try {
    quarry::cli::open_standard_streams();
    quarry::remove_partial_outputs_on_signal();
    quarry::hold_outputs();
    const int status = quarry::cli::run(argc, argv);
    quarry::cli::accept_outputs();
    return status;
  } catch (const quarry::OutOfMemory& error) {
    complain_without_memory(error.what());
  } catch (const std::bad_alloc&) {
    complain_without_memory("out of memory");
  } catch (const quarry::Error& error) {
    complain(error.what() + quarry::cli::advice_for(error.option()));
  } catch (const std::exception& error) {
    complain(fmt::format("internal error, please report it: {}", error.what()));
  }
  return quarry::cli::kError;
}
