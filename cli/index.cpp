/// `quarry index`: molecules of a text file into a library file.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>

#include "arguments/resume.hpp"
#include "common.hpp"
#include "input/audit.hpp"
#include "input/read_notes.hpp"
#include "input/source.hpp"
#include "output/json.hpp"
#include "output/progress.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/output.hpp"
#include "quarry/similar.hpp"
#include "quarry/version.hpp"

namespace quarry::cli {
namespace {

Guide index_guide() {
  return {
      .examples = {"quarry index drugs.smi -o drugs.qlib --rejects rejects.tsv"},
      .notes = "Reads .smi, .csv, .tsv and .sdf, each also .gz, .zst, .bz2 or .xz; - is standard input.",
      .description =
          "Molecules are read with RDKit once and kept in one file, packed for searching, with their ids, "
          "their text and checksums. The other verbs open that file in an instant, instead of reading the "
          "molecules again.\n\n"
          "A row that RDKit refuses is counted and the run goes on; --rejects names each of them. The library "
          "appears under its name when it is complete: a run that is stopped leaves nothing there.",
  };
}

/// The options that shape what a library holds, for Provenance::command.
std::string command_of(const ReadOptions& options) {
  std::string command;
  const auto add = [&](const std::string& option) { command += (command.empty() ? "" : " ") + option; };
  if (options.explicit_hydrogens) add("--explicit-h");
  if (!options.format.empty()) add("--format " + options.format);
  if (!options.smiles_column.empty()) add("--smiles-column " + options.smiles_column);
  if (!options.id_column.empty()) add("--id-column " + options.id_column);
  if (options.max_atoms != kDefaultMaxAtoms) add(fmt::format("--max-atoms {}", options.max_atoms));
  if (options.whole_ids) add("--id-rest");
  if (options.conformers > 0) add("--3d");
  if (options.conformers > 1) add(fmt::format("--conformers {}", options.conformers));
  if (options.stereoisomers > 1) add(fmt::format("--stereo {}", options.stereoisomers));
  return command;
}

class IndexVerb : public Verb {
 public:
  explicit IndexVerb(Arguments& verb) {
    verb.guide(index_guide());
    verb.option("IN", &input_, "Molecules: SMILES, CSV or SDF", {.required = true, .names_file = true});
    verb.option("-o,--output", &output_, "Library file to write",
                {.required = true, .names_file = true, .names_output = true});
    add_read_options(verb, options_);
    add_audit_option(verb, options_);
    add_rejects_option(verb, rejects_);
    verb.flag("--3d", with_conformers_, "Embed molecules without 3D coordinates and store their conformers, for dock");
    verb.option("--conformers", &conformers_, "Conformers of each molecule (with --3d)", {.shown_as = "K", .least = 1});
    verb.option("--stereo", &options_.stereoisomers,
                "Most stereoisomers of a molecule with unspecified centres (with --3d)", {.shown_as = "N", .least = 1});
    verb.flag("--no-lingos", no_lingos_, "Do not store the LINGOs that similar, cluster and pick compare");
    resume_.add_to(verb);
    verb.flag("--json", json_, "Print one JSON object at the end");
    add_strict_option(verb);
    add_progress_option(verb);
    verb.flag("--quiet", quiet_, "No progress and no closing line");
  }

  int run() override {
    if (is_library_file(input_)) throw InputError(fmt::format("'{}' is a library already", input_));
    if (output_ == "-") throw InputError("a library cannot be written to standard output: name a file after -o");
    const Stopwatch total;
    if (!with_conformers_ && (conformers_ > 1 || options_.stereoisomers > 1)) {
      throw InputError("--conformers and --stereo say what --3d stores: give it too");
    }
    if (with_conformers_) options_.conformers = conformers_;
    options_.command = command_of(options_);
    if (!no_lingos_) options_.similar_section = [](auto smiles) { return similar::pack_section(smiles); };
    DistinctIds ids;
    options_.distinct_ids = &ids;
    MoleculeSource source(input_, options_);
    RejectsFile rejects(rejects_);
    std::optional<LibraryWriter> writer;
    auto ledger = resume_.open(output_, kNumTexts);
    ProgressLine progress("index", quiet_);
    if (ledger)
      append_by_ledger(source, rejects, *ledger, writer, progress);
    else
      append_all(source, rejects, writer, progress);
    rejects.finish();
    source.require_molecules();
    const Stopwatch finishing;
    writer->finish();
    source.say_notes(quiet_);
    say_equal_ids(ids, "the library keeps the ids as they are", quiet_);
    accept_outputs();
    resume_.finish(ledger);
    write_seconds_ += finishing.seconds();
    report(source, total.seconds());
    return complain_of_audit(source.audit()) ? kError : kFound;
  }

 private:
  /// 0 where the size is not known.
  Index library_bytes() const {
    std::error_code error;
    const Index bytes = std::filesystem::file_size(output_, error);
    return error ? 0 : bytes;
  }

  /// Makes the writer when the first chunk is read, because it has the provenance.
  void append_all(MoleculeSource& source, RejectsFile& rejects, std::optional<LibraryWriter>& writer,
                  ProgressLine& progress) {
    while (const Library* chunk = source.next()) {
      const Stopwatch writing;
      if (!writer) writer.emplace(output_, chunk->provenance());
      writer->append(*chunk);
      rejects.add(rejected_rows(*chunk));
      num_atoms_ += chunk->num_atoms();
      num_bonds_ += chunk->num_bonds();
      write_seconds_ += writing.seconds();
      progress.update(source.report().ok, source.bytes_read(), source.bytes_total());
    }
  }

  /// Texts of the ledger: chunks, rejected rows.
  static constexpr int kNumTexts = 2;

  /// Adds the chunks that the ledger does not have, and then makes the files of all that it has.
  void append_by_ledger(MoleculeSource& source, RejectsFile& rejects, Ledger& ledger,
                        std::optional<LibraryWriter>& writer, ProgressLine& progress) {
    const auto sum = [&](const char* name) { return static_cast<Index>(std::llround(ledger.sum(name))); };
    source.skip({{sum("rows"), sum("ok"), sum("rejected")}});
    resumed_ = sum("ok");
    while (const Library* chunk = source.next()) {
      const Stopwatch writing;
      keep(*chunk, ledger);
      write_seconds_ += writing.seconds();
      progress.update(source.report().ok, source.bytes_read(), source.bytes_total());
    }
    const Stopwatch writing;
    num_atoms_ = sum("atoms");
    num_bonds_ = sum("bonds");
    writer.emplace(output_, source.provenance());
    ledger.for_each_text(0, false, [&](const std::string& bytes) { writer->append_chunk(bytes); });
    ledger.for_each_text(1, false, [&](const std::string& rows) { rejects.add(rows); });
    write_seconds_ += writing.seconds();
  }

  static void keep(const Library& chunk, Ledger& ledger) {
    ledger.add({.row = ledger.num_rows(), .texts = {std::string(chunk.chunk_bytes(0)), rejected_rows(chunk)}});
    const auto add = [&](const char* name, Index number) { ledger.add_to_sum(name, static_cast<double>(number)); };
    add("rows", chunk.report().rows);
    add("ok", chunk.report().ok);
    add("rejected", chunk.report().rejected);
    add("atoms", chunk.num_atoms());
    add("bonds", chunk.num_bonds());
    ledger.commit();
  }

  void report(const MoleculeSource& source, double seconds) const {
    const Report rows = source.report();
    const auto bytes = library_bytes();
    if (!quiet_)
      say(
          fmt::format("rows {} = ok {} + rejected {}; {} bytes, {:.1f} per molecule; read {:.2f} s, write {:.2f} s, "
                      "{:.0f} molecules/s{}\n",
                      rows.rows, rows.ok, rows.rejected, bytes, 1.0 * bytes / rows.ok, source.read_seconds(),
                      write_seconds_, rows.ok / seconds, audit_text(source.audit())));
    if (!json_) return;
    Json::Members object = {
        {"rows", rows.rows},
        {"ok", rows.ok},
        {"rejected", rows.rejected},
        {"audit", audit_json(source.audit())},
        {"atoms", num_atoms_},
        {"bonds", num_bonds_},
        {"bytes", bytes},
        {"explicit_hydrogens", options_.explicit_hydrogens},
        {"threads", threads_in_use(options_.threads)},
        {"device", "host"},
        {"version", kVersion},
        {"seconds", {{"read", source.read_seconds()}, {"write", write_seconds_}, {"total", seconds}}}};
    if (resume_.given()) object.push_back({"resumed", resumed_});
    print(Json(object).line());
  }

  std::string input_, output_, rejects_;
  ReadOptions options_;
  ResumeOptions resume_;
  int conformers_ = 1;
  bool with_conformers_ = false;
  bool no_lingos_ = false, json_ = false, quiet_ = false;
  Index num_atoms_ = 0, num_bonds_ = 0, resumed_ = 0;
  double write_seconds_ = 0;
};

}  // namespace

std::unique_ptr<Verb> make_index(Arguments& verb) { return std::make_unique<IndexVerb>(verb); }

}  // namespace quarry::cli
