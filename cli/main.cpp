/// The program `quarry`: verbs, errors and exit status. 0 found, 1 nothing found, 2 error.
#include <fmt/format.h>

#include <exception>
#include <memory>
#include <new>
#include <vector>

#include "common.hpp"
#include "quarry/error.hpp"
#include "quarry/output.hpp"
#include "quarry/version.hpp"

namespace quarry::cli {
namespace {

int run_verb(const std::vector<std::unique_ptr<Verb>>& verbs) {
  for (const auto& verb : verbs)
    if (verb->chosen()) return verb->run();
  return kError;  // unreachable: CLI11 asks for a verb
}

/// Usage errors in one sentence; --help and --version on standard output.
int finish_parsing(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const auto chosen = app.get_subcommands();
  const std::string verb = chosen.empty() ? "" : " " + chosen.front()->get_name();
  complain(fmt::format("{} (see quarry{} --help)", error.what(), verb));
  return kError;
}

int run(int argc, char** argv) {
  CLI::App app("grep for molecules: many SMARTS queries against large molecule libraries, with answers you can check");
  app.name("quarry");
  app.set_version_flag("--version", fmt::format("quarry {} (RDKit {})", kVersion, rdkit_version()));
  app.require_subcommand(1);
  app.footer("Exit status: 0 found, 1 nothing found, 2 error. `quarry VERB --help` shows options and an example.");
  std::vector<std::unique_ptr<Verb>> verbs;
  for (auto* make : {&make_index, &make_info, &make_match, &make_grep, &make_doctor}) verbs.push_back(make(app));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return finish_parsing(app, error);
  }
  return run_verb(verbs);
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
