#include "program.hpp"

#include <fmt/format.h>

#include <iterator>

#include "arguments/files.hpp"
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
    {"grep", "Print the input lines of the molecules that match one SMARTS", make_grep},
    {"sets", "List sets of alerts, print one, or compare them with RDKit", make_sets},
    {"similar", "Find the most similar molecules of a library, or write a matrix of similarities", make_similar},
    {"cluster", "Group molecules by similarity (Butina)", make_cluster},
    {"pick", "Pick a diverse subset of molecules (MaxMin)", make_pick},
    {"mine", "Count, list or sample patterns in one large graph", make_mine},
    {"watch", "Report the matches that each update of a graph creates or destroys", make_watch},
    {"dock", "Find how ligands fit in a pocket of a protein, score them and rank them", make_dock},
    {"plan", "Cut the work of a verb into shards, for many machines or many runs", make_plan},
    {"work", "Do shards of a job: one, or whatever is missing", make_work},
    {"status", "Show how far a job is", make_status},
    {"merge", "Write the outputs of a job whose shards are done", make_merge},
    {"doctor", "Show CPU, SIMD, threads and versions, and run a self test of two seconds", make_doctor},
};

constexpr const char* kDescription =
    "Quarry searches libraries of molecules and large graphs, exactly. Each verb has its own page.\n\n"
    "Molecules are read from SMILES, CSV and SDF files, also compressed with gzip or zstd, or from a library that "
    "quarry-index(1) has made. A row that cannot be read is counted and named, and the run goes on.\n\n"
    "An answer does not depend on the number of threads, nor on the device that computes it. The output files of "
    "a run appear under their names together, when all are complete; an output that is an input, or another output, is "
    "refused. - and /dev/stdout are standard output.";

}  // namespace

Verbs::Verbs()
    : program_{.name = "quarry",
               .purpose =
                   "grep for molecules: substructures and similarity in large molecule libraries, with answers "
                   "you can check",
               .version = fmt::format("quarry {} (RDKit {})", kVersion, rdkit_version()),
               .exit_status = "0 found, 1 nothing found, 2 error",
               .description = kDescription,
               .verbs = {}} {
  program_.verbs.reserve(std::size(kVerbs));  // verbs refer to their arguments
  for (const auto& entry : kVerbs) {
    Arguments& arguments = program_.verbs.emplace_back(entry.name, entry.purpose);
    verbs_.push_back(entry.make(arguments));
    arguments.flag("--exit-zero", exit_zero_, "End with 0 also where nothing is found, for schedulers");
  }
}

Verb* Verbs::parse(const std::vector<std::string>& words) {
  const auto chosen = cli::parse(program_, words);
  if (!chosen) return nullptr;
  chosen_ = *chosen;
  check_files(arguments());
  return verbs_[chosen_].get();
}

}  // namespace quarry::cli
