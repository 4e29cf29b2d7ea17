/// The program `quarry`: verbs, errors and exit status. 0 found, 1 nothing found, 2 error.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <memory>
#include <new>
#include <vector>

#include "common.hpp"
#include "quarry/error.hpp"
#include "quarry/output.hpp"
#include "quarry/version.hpp"
#include "text.hpp"

namespace quarry::cli {
namespace {

struct VerbEntry {
  const char* name;
  const char* purpose;
  std::unique_ptr<Verb> (*make)(CLI::App&);
};

constexpr VerbEntry kVerbs[] = {
    {"index", "Pack molecules into a library file that match opens in an instant", make_index},
    {"info", "Show what a library holds and verify its checksums", make_info},
    {"match", "Search many molecules for many SMARTS queries", make_match},
    {"grep", "Print the input lines of the molecules that match one SMARTS", make_grep},
    {"similar", "Find the most similar molecules of a library, or write a matrix of similarities", make_similar},
    {"cluster", "Group molecules by similarity (Butina)", make_cluster},
    {"pick", "Pick a diverse subset of molecules (MaxMin)", make_pick},
    {"mine", "Count, list or sample patterns in one large graph", make_mine},
    {"doctor", "Show CPU, SIMD, threads and versions, and run a self test of two seconds", make_doctor},
};

/// Usage errors in one sentence; --help and --version on standard output.
int finish_parsing(const CLI::App& app, const CLI::ParseError& error, const std::string& first) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const auto chosen = app.get_subcommands();
  if (!chosen.empty())
    complain(fmt::format("{} (see quarry {} --help)", error.what(), chosen.front()->get_name()));
  else if (first.empty() || first.front() == '-')
    complain(fmt::format("{} (see quarry --help)", error.what()));
  else
    complain(fmt::format("unknown verb '{}' (see quarry --help)", first));
  return kError;
}

int run(int argc, char** argv) {
  CLI::App app(
      "grep for molecules: substructures and similarity in large molecule libraries, with answers you can check");
  app.name("quarry");
  app.set_version_flag("--version", fmt::format("quarry {} (RDKit {})", kVersion, rdkit_version()));
  app.require_subcommand(1);
  app.footer("Exit status: 0 found, 1 nothing found, 2 error. `quarry VERB --help` shows options and an example.");
  std::vector<std::unique_ptr<Verb>> verbs;
  std::vector<CLI::App*> subcommands;
  for (const auto& entry : kVerbs) {
    subcommands.push_back(app.add_subcommand(entry.name, entry.purpose));
    verbs.push_back(entry.make(*subcommands.back()));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return finish_parsing(app, error, argc > 1 ? argv[1] : "");
  }
  std::size_t chosen = 0;
  while (!subcommands[chosen]->parsed()) ++chosen;  // require_subcommand: there is one
  return verbs[chosen]->run();
}

}  // namespace
}  // namespace quarry::cli

int main(int argc, char** argv) {
  using quarry::cli::complain;
  try {
    quarry::remove_partial_outputs_on_signal();
    return quarry::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const quarry::Error& error) {
    complain(error.what());
  } catch (const std::exception& error) {
    complain(fmt::format("internal error, please report it: {}", error.what()));
  }
  return quarry::cli::kError;
}
