/// `quarry index`: molecules of a text file into a library file.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>
#include <vector>

#include "arguments/files.hpp"
#include "arguments/resume.hpp"
#include "common.hpp"
#include "indexing/collection_run.hpp"
#include "indexing/inputs.hpp"
#include "indexing/job_inputs.hpp"
#include "input/audit.hpp"
#include "input/read_notes.hpp"
#include "input/source.hpp"
#include "jobs/sharded.hpp"
#include "output/json.hpp"
#include "output/progress.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/files/output.hpp"
#include "quarry/similar.hpp"
#include "quarry/version.hpp"

namespace quarry::cli {
namespace {

Guide index_guide() {
  return {
      .examples = {"quarry index drugs.smi -o drugs.qlib --rejects rejects.tsv",
                   "quarry index *.smi.gz -o drugs.qlibs"},
      .notes = "Reads .smi, .csv, .tsv and .sdf, each also .gz, .zst, .bz2 or .xz; - is standard input.",
      .description =
          "Molecules are read once, as RDKit reads them, and kept in one file, packed for searching, with their ids, "
          "their text and checksums. The other verbs open that file in an instant, instead of reading the "
          "molecules again.\n\n"
          "Stereo marks of SMILES stay in the text, and `match --chirality` has RDKit resolve those that it needs, in "
          "every run. With --stereo they are resolved at once; for a library that has none, `quarry index old.qlib "
          "--stereo -o new.qlib` does so.\n\n"
          "A row that RDKit refuses is counted and the run goes on; --rejects names each of them. The library "
          "appears under its name when it is complete: a run that is stopped leaves nothing there.\n\n"
          "Where the output is named .qlibs it becomes a collection: a folder of libraries of a million rows each. "
          "The same command goes on after a stop, and adds inputs that are new. The other verbs take the folder as one "
          "library.",
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
  if (options.stereo) add(options.stereoisomers > 1 ? fmt::format("--stereo {}", options.stereoisomers) : "--stereo");
  return command;
}

class IndexVerb : public Verb, public Sharded {
 public:
  explicit IndexVerb(Arguments& verb) : arguments_(verb) {
    verb.guide(index_guide());
    inputs_.add_to(verb);
    verb.option("-o,--output", &output_, "Library file to write, or NAME.qlibs, a collection: a folder of libraries",
                {.required = true, .names_file = true, .names_output = true});
    verb.option("--part-rows", &part_rows_,
                "End a part of a collection with the chunk that brings it to this number of rows",
                {.show_default = true, .least = 1});
    add_read_options(verb, options_);
    add_audit_option(verb, options_);
    add_rejects_option(verb, rejects_);
    verb.flag("--3d", with_conformers_, "Embed molecules without 3D coordinates and store their conformers, for dock");
    verb.option("--conformers", &conformers_, "Conformers of each molecule (with --3d)", {.shown_as = "K", .least = 1});
    verb.option("--stereo", &stereoisomers_,
                "Resolve stereo marks at once, not when match --chirality asks for them. A number is the most "
                "stereoisomers of a molecule with unspecified centres (with --3d)",
                {.shown_as = "[N]", .least = 1, .most = 1'000'000, .alone = "1"});
    verb.flag("--no-lingos", no_lingos_, "Do not store the LINGOs that similar, cluster and pick compare");
    verb.flag("--ecfp4", ecfp4_, "Store the fingerprints that similar, cluster and pick compare with --metric ecfp4");
    resume_.add_to(verb);
    verb.flag("--json", json_, "Print one JSON object at the end");
    add_strict_option(verb);
    add_progress_option(verb);
    verb.flag("--quiet", quiet_, "No progress and no closing line");
  }

  int run() override {
    if (output_ == "-") throw InputError("a library cannot be written to standard output: name a file after -o");
    const Stopwatch total;
    const std::vector<std::string> inputs = inputs_.names();
    check_files(arguments_, inputs);
    set_stereo();
    if (inputs.size() == 1 && is_library_file(inputs.front())) return resolve_library(inputs.front(), total);
    complete_options();
    return is_collection(output_) ? run_collection(inputs, total) : run_library(inputs, total);
  }

  Sharded& sharded() override { return *this; }
  void plan_job(JobPlan& plan, const std::string& folder) override;
  void open_job(const Job& job) override;
  void run_shard(Index shard, ShardSink& sink) override;
  int merge_job(const Job& job, const std::vector<ShardRecord>& shards) override;
  std::vector<std::string> late_outputs() const override { return {"--output", "--rejects"}; }

 private:
  void set_stereo() {
    options_.stereo = stereoisomers_.has_value();
    if (options_.stereo) options_.stereoisomers = static_cast<int>(*stereoisomers_);
  }

  void complete_options() {
    if (!with_conformers_ && (conformers_ > 1 || options_.stereoisomers > 1)) {
      throw InputError("--conformers and the number of --stereo say what --3d stores: give it too");
    }
    if (with_conformers_) options_.conformers = conformers_;
    options_.command = command_of(options_);
    options_.read_on = true;  // the caller writes
    std::vector<similar::Definition> stored;
    if (!no_lingos_) stored.push_back({});
    if (ecfp4_) stored.push_back({similar::Metric::ecfp4});
    if (!stored.empty())
      options_.similar_section = [stored](auto smiles) { return similar::pack_section(smiles, stored); };
    if (!is_collection(output_)) return;
    // The parts of a collection say how they were made.
    const auto add = [&](const std::string& option) {
      options_.command += (options_.command.empty() ? "" : " ") + option;
    };
    if (no_lingos_) add("--no-lingos");
    if (ecfp4_) add("--ecfp4");
    if (part_rows_ != kPartRows) add(fmt::format("--part-rows {}", part_rows_));
    while (output_.size() > 1 && output_.ends_with('/')) output_.pop_back();
  }

  int run_library(const std::vector<std::string>& inputs, const Stopwatch& total) {
    check_library(inputs);
    DistinctIds ids;
    options_.distinct_ids = &ids;
    MoleculeSource source(inputs, options_);
    if (ecfp4_ && source.provenance().format != RecordFormat::smiles)
      throw InputError(fmt::format("--ecfp4 is for SMILES: '{}' holds SDF records", inputs.front()));
    RejectsFile rejects(rejects_);
    std::optional<LibraryWriter> writer;
    auto ledger = resume_.open(output_, kNumTexts);
    ProgressLine progress("index", quiet_);
    if (ledger)
      append_by_ledger(source, rejects, *ledger, writer, progress);
    else
      append_all(source, rejects, writer, progress);
    rejects.finish();
    source.require_rows();
    source.require_molecules();
    const Stopwatch finishing;
    if (ids.all_differ()) writer->set_distinct_ids();
    writer->finish();
    source.say_notes(quiet_);
    say_columns(source);
    say_equal_ids(ids, "the library keeps the ids as they are", quiet_);
    begin_report();
    write_seconds_ += finishing.seconds();
    report(source, writer->bytes(), total.seconds());
    const int status = complain_of_audit(source.audit()) ? kError : kFound;
    accept_outputs();
    resume_.finish(ledger);
    return status;
  }

  void check_library(const std::vector<std::string>& inputs) const {
    for (const std::string& input : inputs)
      if (is_library_file(input)) throw InputError(fmt::format("'{}' is a library already", input));
    if (!inputs_.fetch_command().empty() || part_rows_ != kPartRows)
      throw InputError(
          fmt::format("--fetch and --part-rows are for collections, and '{}' is not named .qlibs", output_));
    if (inputs.size() > 1 && resume_.given())
      throw InputError("--resume is for one input; a collection of several, named .qlibs, goes on without it");
  }

  /// A library has the id and the SMILES of a row.
  void say_columns(const MoleculeSource& source) const {
    const std::vector<std::string> columns = source.columns();
    if (quiet_ || columns.size() < 2) return;
    complain(
        fmt::format("of the columns {} a library keeps the ids alone: to have them in hits, search the file itself",
                    joined(columns, ", ")));
  }

  int run_collection(const std::vector<std::string>& inputs, const Stopwatch& total) {
    RejectsFile rejects(rejects_);
    std::optional<ProgressLine> progress(std::in_place, "index", quiet_);
    const CollectionTotals totals = make_collection(collection(inputs), *progress);
    progress.reset();
    return finish(totals, rejects, total);
  }

  CollectionOptions collection(const std::vector<std::string>& inputs) const {
    return {output_, inputs, inputs_.fetch_command(), options_, part_rows_, resume_.restarts(), quiet_};
  }

  int finish(const CollectionTotals& totals, RejectsFile& rejects, const Stopwatch& total) {
    if (rejects.is_wanted()) rejects.add(rejected_rows(Library::open(output_)));
    rejects.finish();
    begin_report();
    report(totals, total.seconds());
    return complain_of_audit(totals.audit) ? kError : kFound;
  }

  /// Makes the writer when the first chunk is read, because it has the provenance.
  void append_all(MoleculeSource& source, RejectsFile& rejects, std::optional<LibraryWriter>& writer,
                  ProgressLine& progress) {
    while (const Library* chunk = source.next()) {
      const Stopwatch writing;
      if (!writer) writer.emplace(output_, chunk->provenance());
      writer->append(*chunk);
      rejects.add(rejected_rows(*chunk, source.name_among_several()));
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

  void report(const MoleculeSource& source, Index bytes, double seconds) const {
    const Report rows = source.report();
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

  void report(const CollectionTotals& totals, double seconds) const {
    const Collection& all = totals.collection;
    const Report rows = all.report();
    Index bytes = 0, atoms = 0, bonds = 0;
    for (const CollectionPart& part : all.parts) {
      bytes += part.bytes;
      atoms += part.atoms;
      bonds += part.bonds;
    }
    const Index num_parts = std::ssize(all.parts), made = num_parts - totals.parts_kept;
    if (!quiet_)
      say(fmt::format(
          "rows {} = ok {} + rejected {}; {} of {}, {} made now; {} bytes, {:.1f} per molecule; "
          "read {:.2f} s, write {:.2f} s{}\n",
          rows.rows, rows.ok, rows.rejected, counted(num_parts, "part"), counted(std::ssize(all.sources), "input"),
          made, bytes, 1.0 * bytes / rows.ok, totals.read_seconds, totals.write_seconds, audit_text(totals.audit)));
    if (!json_) return;
    print(Json({{"rows", rows.rows},
                {"ok", rows.ok},
                {"rejected", rows.rejected},
                {"audit", audit_json(totals.audit)},
                {"atoms", atoms},
                {"bonds", bonds},
                {"bytes", bytes},
                {"inputs", std::ssize(all.sources)},
                {"parts", num_parts},
                {"parts_made", made},
                {"equal_ids", totals.equal_ids},
                {"explicit_hydrogens", options_.explicit_hydrogens},
                {"threads", threads_in_use(options_.threads)},
                {"device", "host"},
                {"version", kVersion},
                {"seconds", {{"read", totals.read_seconds}, {"write", totals.write_seconds}, {"total", seconds}}}})
              .line());
  }

  /// `quarry index old.qlib --stereo -o new.qlib`
  int resolve_library(const std::string& input, const Stopwatch& total);

  IndexInputs inputs_;
  std::string output_, rejects_;
  Index part_rows_ = kPartRows;
  ReadOptions options_;
  ResumeOptions resume_;
  std::optional<Index> stereoisomers_;
  int conformers_ = 1;
  bool with_conformers_ = false;
  const Arguments& arguments_;
  bool no_lingos_ = false, ecfp4_ = false, json_ = false, quiet_ = false;
  Index num_atoms_ = 0, num_bonds_ = 0, resumed_ = 0;
  double write_seconds_ = 0;
  JobInputs job_inputs_;
};

void IndexVerb::plan_job(JobPlan& plan, const std::string& folder) {
  if (!is_collection(output_))
    throw InputError(fmt::format("shards of index are joined to a collection, and '{}' is not named .qlibs", output_));
  if (resume_.given()) throw InputError("--resume and --restart are not for jobs, whose shards stay done");
  const std::vector<std::string> inputs = inputs_.names();
  check_files(arguments_, inputs);
  set_stereo();
  complete_options();
  JobInputs::prepare(inputs, !inputs_.fetch_command().empty(), plan, folder);
  plan.outputs = {"collection.txt"};  // what the collection of a shard is known by
}

void IndexVerb::open_job(const Job& job) {
  set_stereo();
  complete_options();
  job_inputs_.open(job);
}

/// A shard is a collection in the folder of the job, so that it goes on after a stop.
void IndexVerb::run_shard(Index shard, ShardSink& sink) {
  const std::vector<std::string> inputs = job_inputs_.of(shard);
  if (inputs.empty()) return;
  CollectionOptions options = collection(inputs);
  options.path = job_inputs_.folder(shard);
  options.is_shard = true;
  ProgressLine none("index", /*quiet=*/true);
  const CollectionTotals totals = make_collection(options, none);
  if (complain_of_audit(totals.audit)) throw InputError("the molecules were not read as RDKit reads them");
  sink.write(0, job_inputs_.identity(shard) + '\n');
}

int IndexVerb::merge_job(const Job& job, const std::vector<ShardRecord>&) {
  const Stopwatch total;
  if (!is_collection(output_))
    throw InputError(fmt::format("a job of index makes a collection, and '{}' is not named .qlibs", output_));
  std::string text;
  job.read(0, [&](std::string_view piece) { text += piece; });
  std::istringstream identities(text);
  std::vector<std::string> inputs, collections;
  for (Index shard = 0; shard < job.plan().num_shards; ++shard) {
    const auto of_shard = job_inputs_.of(shard);
    if (of_shard.empty()) continue;
    collections.push_back(job_inputs_.folder(shard));
    std::string identity;
    std::getline(identities, identity);
    if (job_inputs_.identity(shard) != identity)
      throw InputError(
          fmt::format("'{}' is missing, or is not what shard {} made: remove it and '{}', and do the shard again",
                      collections.back(), shard, job.record_path(shard)));
    inputs.insert(inputs.end(), of_shard.begin(), of_shard.end());
  }
  RejectsFile rejects(rejects_);
  const CollectionTotals totals = join_collections(collection(inputs), collections);
  return finish(totals, rejects, total);
}

int IndexVerb::resolve_library(const std::string& input, const Stopwatch& total) {
  const bool has_others = with_conformers_ || no_lingos_ || ecfp4_ || resume_.given() || !rejects_.empty() ||
                          conformers_ > 1 || options_.stereoisomers > 1;
  if (!options_.stereo || has_others || is_collection(output_))
    throw InputError(fmt::format("'{}' is a library already; --stereo alone makes another one of it", input));
  MoleculeSource source(std::vector{input}, options_);
  const Library& library = *source.next();
  if (library.provenance().stereo) throw InputError(fmt::format("'{}' has its stereo marks resolved", input));
  Provenance provenance = library.provenance();
  provenance.stereo = true;
  provenance.command += provenance.command.empty() ? "--stereo" : " --stereo";
  LibraryWriter writer(output_, provenance);
  ProgressLine progress("index", quiet_);
  Index done = 0;
  for (Index chunk = 0; chunk < library.num_chunks(); ++chunk) {
    writer.append(resolved_chunk(library, chunk, options_.threads));
    library.release(chunk);
    done += library.num_molecules(chunk);
    progress.update(done, done, library.num_molecules());
  }
  if (library.provenance().distinct_ids) writer.set_distinct_ids();
  writer.finish();
  begin_report();
  num_atoms_ = library.num_atoms();
  num_bonds_ = library.num_bonds();
  report(source, writer.bytes(), total.seconds());
  return kFound;
}

}  // namespace

std::unique_ptr<Verb> make_index(Arguments& verb) { return std::make_unique<IndexVerb>(verb); }

}  // namespace quarry::cli
