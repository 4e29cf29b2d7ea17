/// `quarry info`: what a library holds, and whether it is undamaged.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common.hpp"
#include "output/json.hpp"
#include "output/text.hpp"
#include "quarry/collection.hpp"

namespace quarry::cli {
namespace {

Guide info_guide() {
  return {
      .examples = {"quarry info drugs.qlib", "quarry info real.qlibs --json"},
      .description =
          "Shows how many molecules, atoms and bonds a library holds, from which file and with which options "
          "it was made, and the size of each section. Every checksum and every value is verified; a damaged "
          "library is an error that names the section.",
  };
}

const char* name_of(RecordFormat format) { return format == RecordFormat::sdf ? "sdf" : "smiles"; }

double per_molecule(Index bytes, const Library& library) {
  const Index molecules = library.num_molecules();
  return molecules > 0 ? 1.0 * bytes / molecules : 0;
}

/// Where the stereo marks of the molecules are.
const char* name_of_stereo(const Provenance& origin) { return origin.stereo ? "resolved" : "in the records"; }

/// Of the sections that `match` reads, and of all.
std::pair<Index, Index> bytes_of(const std::vector<Library::Section>& sections) {
  Index matching = 0, all = 0;
  for (const auto& section : sections) {
    all += section.bytes;
    if (section.matching) matching += section.bytes;
  }
  return {matching, all};
}

Json inputs_of(const Collection& collection) {
  std::vector<Json> inputs;
  for (const CollectionSource& source : collection.sources)
    inputs.push_back({{"name", source.name},
                      {"identity", source.identity},
                      {"rows", source.report.rows},
                      {"ok", source.report.ok},
                      {"rejected", source.report.rejected}});
  return Json::list(inputs);
}

Json::Members describe(const std::string& path, const Library& library, const std::optional<Collection>& collection) {
  const Report rows = library.report();
  const Provenance& origin = library.provenance();
  const auto sections = library.sections();
  const auto [matching, all] = bytes_of(sections);
  std::vector<Json> list;
  for (const auto& section : sections)
    list.push_back({{"name", section.name},
                    {"bytes", section.bytes},
                    {"bytes_per_molecule", per_molecule(section.bytes, library)},
                    {"matching", section.matching}});
  Json::Members members = {{"library", path},
                           {"molecules", library.num_molecules()},
                           {"atoms", library.num_atoms()},
                           {"bonds", library.num_bonds()},
                           {"chunks", library.num_chunks()},
                           {"rows", rows.rows},
                           {"ok", rows.ok},
                           {"rejected", rows.rejected},
                           {"source", origin.source},
                           {"options", origin.command},
                           {"created", origin.created},
                           {"version", origin.version},
                           {"hydrogens", origin.explicit_hydrogens ? "explicit" : "implicit"},
                           {"records", name_of(origin.format)},
                           {"stereo", name_of_stereo(origin)},
                           {"sections", Json::list(list)},
                           {"matching_bytes_per_molecule", per_molecule(matching, library)},
                           {"bytes_per_molecule", per_molecule(all, library)},
                           {"checksums", "ok"}};
  if (collection) members.push_back({"parts", std::ssize(collection->parts)});
  if (collection) members.push_back({"inputs", inputs_of(*collection)});
  return members;
}

std::string section_table(const Library& library) {
  const auto sections = library.sections();
  const auto [matching, all] = bytes_of(sections);
  std::string text = fmt::format("\n{:<18}{:>16}{:>18}\n", "section", "bytes", "bytes/molecule");
  const auto row = [&](const std::string& name, Index bytes, const char* note) {
    text += fmt::format("{:<18}{:>16}{:>18.2f}{}\n", name, grouped(bytes), per_molecule(bytes, library), note);
  };
  for (const auto& section : sections) row(section.name, section.bytes, section.matching ? "  read by match" : "");
  row("read by match", matching, "");
  row("all", all, "");
  return text;
}

std::string summary(const std::string& path, const Library& library, const std::optional<Collection>& collection) {
  const Report rows = library.report();
  const Provenance& origin = library.provenance();
  std::string text = path + "\n";
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("  {:<12}{}\n", name, value);
  };
  line("molecules", grouped(library.num_molecules()));
  line("atoms", grouped(library.num_atoms()));
  line("bonds", grouped(library.num_bonds()));
  line("rows", fmt::format("{} = ok {} + rejected {}", rows.rows, rows.ok, rows.rejected));
  line("hydrogens", origin.explicit_hydrogens ? "explicit" : "implicit");
  line("records", name_of(origin.format));
  line("stereo", name_of_stereo(origin));
  if (collection) line("parts", grouped(std::ssize(collection->parts)));
  line("source", origin.source);
  if (!origin.command.empty()) line("options", origin.command);
  if (!origin.created.empty()) line("created", origin.created);
  line("version", origin.version);
  return text + section_table(library);
}

class InfoVerb : public Verb {
 public:
  explicit InfoVerb(Arguments& verb) {
    verb.guide(info_guide());
    verb.option("LIB", &paths_, "Library files (.qlib) and collections (.qlibs)",
                {.shown_as = "LIB ...", .required = true, .names_file = true});
    verb.flag("--json", json_, "Print one JSON object instead");
  }

  int run() override {
    for (const std::string& path : paths_) show(path);
    return kFound;
  }

 private:
  void show(const std::string& path) const {
    const Library library = Library::open(path);
    std::optional<Collection> collection;
    if (is_collection(path)) collection = read_collection(path);
    if (!json_)
      print(summary(path, library, collection));  // before the check: it helps to see what a damaged one holds
    library.verify();
    print(json_ ? Json(describe(path, library, collection)).line() : "checksums ok\n");
  }

  std::vector<std::string> paths_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_info(Arguments& verb) { return std::make_unique<InfoVerb>(verb); }

}  // namespace quarry::cli
