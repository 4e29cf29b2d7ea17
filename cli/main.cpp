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
#include "text.hpp"

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
    {"grep", "Print the input lines of the molecules that match one SMARTS", make_grep},
    {"similar", "Find the most similar molecules of a library, or write a matrix of similarities", make_similar},
    {"cluster", "Group molecules by similarity (Butina)", make_cluster},
    {"pick", "Pick a diverse subset of molecules (MaxMin)", make_pick},
    {"mine", "Count, list or sample patterns in one large graph", make_mine},
    {"doctor", "Show CPU, SIMD, threads and versions, and run a self test of two seconds", make_doctor},
};

int run(int argc, char** argv) {
  Program program = {
      .name = "quarry",
      .purpose =
          "grep for molecules: substructures and similarity in large molecule libraries, with answers you can check",
      .version = fmt::format("quarry {} (RDKit {})", kVersion, rdkit_version()),
      .exit_status = "0 found, 1 nothing found, 2 error",
      .description = {},
      .verbs = {}};
  std::vector<std::unique_ptr<Verb>> verbs;
  for (const auto& entry : kVerbs) verbs.push_back(entry.make(program.verbs.emplace_back(entry.name, entry.purpose)));
  const auto chosen = parse(program, argc, argv);
  return chosen ? verbs[*chosen]->run() : kFound;
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
