#include "jobs/molecule_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "input/audit.hpp"
#include "jobs/sharded.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"

namespace quarry::cli {
namespace {

/// What one rank of many does at a time: half a chunk, so that the last units end at about the same time.
constexpr Index kUnitMolecules = kChunkMolecules / 2;
constexpr char kSeparator = '\x1f';  // of the units of a list: ASCII says so

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(kSeparator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// The list with a separator after each, so that an empty one is not lost.
std::string list_text(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part + kSeparator;
  return text;
}

/// Names of molecules, with their numbers among all: number and length as 8 bytes each, then the name.
class NamesFile {
 public:
  explicit NamesFile(const std::string& path) : path_(path) {}
  void add(Index molecule, const std::string& name) {
    if (!output_) output_.emplace(path_);
    const Index head[2] = {molecule, std::ssize(name)};
    output_->write({reinterpret_cast<const char*>(head), sizeof head});
    output_->write(name);
  }
  void finish() {
    if (output_) output_->finish_at_once();
  }

 private:
  std::string path_;
  std::optional<Output> output_;
};

std::string names_path(const std::string& folder) { return folder + "/names"; }

}  // namespace

void MoleculeRows::prepare(MoleculeSource& source, const std::vector<std::string>& paths, JobPlan& plan,
                           const std::string& folder, int threads) {
  NamesFile names(names_path(folder));
  std::optional<LibraryWriter> writer;
  std::vector<Index> cuts, ends(paths.size());
  Index before = 0;
  std::size_t written = paths.size();  // the file that `writer` packs
  while (const Library* library = source.next()) {
    const std::size_t file = source.file();
    if (writer && file != written) {
      writer->finish();
      writer.reset();
    }
    for (Index chunk = 0; chunk < library->num_chunks(); ++chunk)
      cuts.push_back(before + library->first_molecule(chunk));
    const auto add_names = [&](const std::vector<NamedMolecule>& named) {
      for (const auto& [molecule, name] : named) names.add(before + molecule, name);
    };
    if (source.is_library()) {
      if (DistinctIds* const ids = source.distinct_ids()) add_names(distinct_names(*library, *ids, threads));
    } else {
      Provenance provenance = library->provenance();
      provenance.created.clear();  // what a job holds does not depend on when it was planned
      if (!writer) writer.emplace(fmt::format("{}/input-{}.qlib", folder, file), provenance);
      written = file;
      writer->append(*library);
      plan.notes[fmt::format("input {} columns", file)] = list_text(source.columns());
      add_names(source.named());
    }
    before += library->num_molecules();
    ends[file] = before;
    plan.notes[fmt::format("input {} path", file)] =
        source.is_library() ? paths[file] : fmt::format("input-{}.qlib", file);
    plan.notes[fmt::format("input {} is packed", file)] = source.is_library() ? "no" : "yes";
    plan.notes[fmt::format("input {} name", file)] = source.name_among_several();
  }
  if (writer) writer->finish();
  source.require_rows();
  source.require_molecules();
  if (complain_of_audit(source.audit())) throw InputError("the molecules were not read as RDKit reads them");
  check_run();
  show_outputs();
  names.finish();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    ends[i] = std::max(ends[i], i > 0 ? ends[i - 1] : 0);
    plan.notes[fmt::format("input {} end", i)] = std::to_string(ends[i]);
  }
  if (plan.num_shards == 0) plan.num_shards = std::max(Index{1}, (before + kUnitMolecules - 1) / kUnitMolecules);
  std::vector<Index> begins;
  for (Index shard = 0; shard <= plan.num_shards; ++shard)
    begins.push_back(shard_begin(shard, plan.num_shards, before, cuts));
  plan.notes["shards begin"] = text_of(begins);
}

MoleculeRows::MoleculeRows(const Job& job) : names_path_(names_path(job.folder())) {
  const auto& notes = job.plan().notes;
  const auto note = [&](const std::string& name) {
    const auto found = notes.find(name);
    return found == notes.end() ? std::string() : found->second;
  };
  for (Index i = 0; notes.contains(fmt::format("input {} end", i)); ++i) {
    const std::string path = note(fmt::format("input {} path", i));
    if (path.empty()) continue;  // a file of text without rows
    Part part{note(fmt::format("input {} is packed", i)) == "yes" ? job.folder() + "/" + path : path,
              note(fmt::format("input {} name", i)), split(note(fmt::format("input {} columns", i)))};
    part.begin = parts_.empty() ? 0 : parts_.back().end;
    part.end = std::strtoll(note(fmt::format("input {} end", i)).c_str(), nullptr, 10);
    parts_.push_back(std::move(part));
  }
  begins_ = numbers_of(note("shards begin"));
  if (parts_.empty() || std::ssize(begins_) != job.plan().num_shards + 1 || begins_.front() != 0 ||
      begins_.back() != parts_.back().end || !std::ranges::is_sorted(begins_))
    throw InputError(fmt::format("the description of the job in '{}' is damaged", job.folder()));
}

std::vector<std::string> MoleculeRows::paths() const {
  std::vector<std::string> paths;
  for (const Part& part : parts_) paths.push_back(part.path);
  return paths;
}

const Library& MoleculeRows::open(Part& part) {
  if (part.library) return *part.library;
  part.library = Library::open(part.path);
  if (part.library->num_molecules() != part.end - part.begin)
    throw InputError(fmt::format("'{}' is not the library that the job was planned with", part.path));
  return *part.library;
}

std::vector<NamedMolecule> MoleculeRows::named(Index first, Index last) const {
  std::vector<NamedMolecule> named;
  std::ifstream file(names_path_, std::ios::binary);
  for (Index head[2]; file.read(reinterpret_cast<char*>(head), sizeof head) && head[0] < last;) {
    if (head[0] < first) {
      file.ignore(head[1]);
      continue;
    }
    std::string name(std::min<Index>(head[1], Index{1} << 20), '\0');
    file.read(name.data(), std::ssize(name));
    named.push_back({head[0], std::move(name)});
  }
  return named;
}

void MoleculeRows::for_each_range(Index shard, const std::function<void(const MoleculeRange&)>& visit) {
  const Index first = begins_[shard], last = begins_[shard + 1];
  const auto all_named = named(first, last);
  for (Part& part : parts_) {
    if (part.end <= first || part.begin >= last) {
      part.library.reset();  // memory does not grow with the parts
      continue;
    }
    MoleculeRange range{
        &open(part), std::max(first, part.begin) - part.begin, std::min(last, part.end) - part.begin, part.columns, {}};
    for (const auto& [molecule, name] : all_named)
      if (molecule >= part.begin && molecule < part.end) range.named.push_back({molecule - part.begin, name});
    visit(range);
  }
}

Report MoleculeRows::report() {
  Report all;
  for (Part& part : parts_) all += open(part).report();
  return all;
}

std::string MoleculeRows::rejected_rows() {
  std::string rows;
  for (Part& part : parts_) rows += cli::rejected_rows(open(part), part.name);
  return rows;
}

}  // namespace quarry::cli
