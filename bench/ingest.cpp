/// How fast SMILES become a library, and are searched as text, beside RDKit's own parser on the same rows in the same run.
///
/// Before anything is timed, RDKit reads every row as well: the molecules are equal, and so are the stereo marks of a raw
/// library and of a resolved one. Times are processor time, because others may use the machine; one thread, but for the last.
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "bench/report.hpp"
#include "bench/work_folder.hpp"
#include "chemistry/smiles/native_reader.hpp"
#include "quarry/match.hpp"
#include "quarry/run.hpp"
#include "quarry/similar.hpp"

namespace quarry::bench {
namespace {

constexpr int kRepeats = 5;

/// The rows of a file of ../shared/data/molecules.
struct Case {
  const char *name, *file;
  Index rows;                      ///< at most so many of them, evenly spread
  double index_goal, search_goal;  ///< times RDKit's rate
};
constexpr Case kCases[] = {{"zinc", "molecules/zinc-115k.smi.gz", 114'901, 20, 15},
                           {"mixed", "molecules/mixed-1m.smi.gz", 10'000, 10, 10}};
constexpr Index kQuickRows = 2'000;
/// For two threads: while one chunk is parsed, the next one is read and the one before it packed, so there must be several.
/// What comes before the first chunk and after the last, which no second thread can share, should not weigh.
constexpr Index kManyRows = 400'000;
constexpr const char* kQuery = "[NX3][CX3](=[OX1])[#6]";

/// Text of a file, at most `rows` lines of it: every k-th.
std::vector<std::string> lines_of(const std::string& path, Index rows) {
  ReadOptions options;
  options.stereo = false;
  options.whole_rows = true;
  std::vector<std::string> all;
  MoleculeReader reader(path, options);
  while (const auto library = reader.next()) {
    for (const std::string_view record : library->text(0, true).records) all.emplace_back(record);
  }
  const Index step = std::max<Index>(1, std::ssize(all) / rows);
  std::vector<std::string> kept;
  for (Index i = 0; i < std::ssize(all) && std::ssize(kept) < rows; i += step) kept.push_back(std::move(all[i]));
  return kept;
}

std::vector<std::string> smiles_of(const std::vector<std::string>& lines) {
  std::vector<std::string> smiles;
  for (const std::string& line : lines) smiles.push_back(line.substr(0, line.find_first_of(" \t")));
  return smiles;
}

void parse_by_rdkit(const std::vector<std::string>& smiles) {
  for (const std::string& text : smiles)
    const std::unique_ptr<RDKit::RWMol> molecule(RDKit::SmilesToMol(text, RDKit::SmilesParserParams{}));
}

ReadOptions read_options(int threads, double audit = 0) {
  ReadOptions options;
  options.stereo = false;
  options.threads = threads;
  options.audit = audit;
  return options;
}

/// As `quarry index`.
Audit index(const std::string& path, const std::string& packed, ReadOptions options) {
  options.similar_section = [](auto records) { return similar::pack_section(records); };
  options.read_on = true;
  MoleculeReader reader(path, options);
  LibraryWriter writer(packed, reader.provenance());
  while (const auto chunk = reader.next()) writer.append(*chunk);
  writer.finish();
  return reader.audit();
}

/// As `quarry grep -c`.
Index count_matches(const std::string& path, match::Matcher& matcher, int threads) {
  Index count = 0;
  MoleculeReader reader(path, read_options(threads));
  while (const auto chunk = reader.next()) {
    matcher.run(*chunk, [&](const match::Result& result) { count += std::ssize(result.hits); });
  }
  return count;
}

/// @throws SystemError  RDKit reads another molecule, or marks that are resolved later are others
void check(const std::string& path, const WorkFolder& folder, Index rows) {
  const std::string raw_path = folder.file("raw.qlib");
  const Audit audit = index(path, raw_path, read_options(0, 1));
  if (audit.differences > 0) throw SystemError("RDKit reads another molecule: " + audit.first_difference);
  const Library raw = Library::open(raw_path);
  ReadOptions resolved = read_options(0);
  resolved.stereo = true;
  MoleculeReader reader(path, resolved);
  Index checked = 0;
  for (Index chunk = 0; chunk < raw.num_chunks(); ++chunk) {
    const Library later = resolved_chunk(raw, chunk);
    const auto at_once = reader.next();
    for (Index i = 0; i < later.num_molecules(); ++i, ++checked) {
      if (later.molecule(i) != at_once->molecule(i)) throw SystemError("marks that are resolved later are others");
    }
  }
  fmt::print("  {} of {} rows are molecules, all of them RDKit's\n", checked, rows);
}

Json coverage(const std::vector<std::string>& smiles, double goal) {
  smiles::NativeReader reader;
  const auto native = std::ranges::count_if(smiles, [&](const auto& text) { return reader.read(text) != nullptr; });
  const double share = 1.0 * native / std::ssize(smiles);
  fmt::print("  {:<28}{:>9.3f} %        goal {} %\n", "read without RDKit", 100 * share, 100 * goal);
  return {{"rows", native}, {"share", share}};
}

/// Medians of several turns, in each of which every way is timed once.
/// @param warm  each runs untimed just before: a virtual machine may take away memory that was not used for some seconds, the
///              cached file too, and give it back at 30 us a page
std::vector<Seconds> medians(const std::vector<std::function<void()>>& ways, bool warm) {
  std::vector<std::vector<Seconds>> runs(ways.size());
  for (int turn = 0; turn < kRepeats; ++turn) {
    for (std::size_t way = 0; way < ways.size(); ++way) {
      if (warm) ways[way]();
      runs[way].push_back(time_of(ways[way]));
    }
  }
  std::vector<Seconds> all;
  for (const auto& of_way : runs) all.push_back(median(of_way));
  return all;
}

/// Wall time of one thread over that of two, and over half that of two runs side by side, which is what the machine allows.
/// @param path  of SMILES
Json two_threads_section(const std::string& path, const WorkFolder& folder) {
  const std::string packed = folder.file("rows.qlib"), beside = folder.file("beside.qlib");
  match::Options options;
  options.threads = 1;
  match::Matcher one_thread(compile_queries({kQuery}), options);
  options.threads = 2;
  match::Matcher two_threads(compile_queries({kQuery}), options);
  const std::vector<std::function<void()>> ways = {
      [&] { index(path, packed, read_options(1)); },
      [&] { index(path, packed, read_options(2)); },
      [&] { count_matches(path, one_thread, 1); },
      [&] { count_matches(path, two_threads, 2); },
      [&] {
        const std::jthread other([&] { index(path, beside, read_options(1)); });
        index(path, packed, read_options(1));
      },
  };
  const std::vector<Seconds> seconds = medians(ways, /*warm=*/false);
  const double speedup[] = {seconds[0].wall / seconds[1].wall, seconds[2].wall / seconds[3].wall};
  const double side_by_side = 2 * seconds[0].wall / seconds[4].wall;
  fmt::print("  {:<28}{:>9.2f} x index, {:.2f} x grep (wall time), goal 1.9; two of index side by side: {:.2f}\n",
             "two threads", speedup[0], speedup[1], side_by_side);
  return {{"index", speedup[0]}, {"grep", speedup[1]}, {"side_by_side", side_by_side}};
}

/// @param rows  of the file: the lines again and again, so that rings which were seen come back
void write_lines(const std::string& path, const std::vector<std::string>& lines, Index rows) {
  std::ofstream file(path);
  for (Index i = 0; i < rows; ++i) file << lines[i % std::ssize(lines)] << '\n';
}

Json case_section(const Case& one, const std::string& path, bool quick, const WorkFolder& folder) {
  const std::vector<std::string> lines = lines_of(path, quick ? kQuickRows : one.rows);
  const std::vector<std::string> smiles = smiles_of(lines);
  const Index rows = std::ssize(lines);
  const std::string text = folder.file("rows.smi"), packed = folder.file("rows.qlib");
  write_lines(text, lines, rows);
  fmt::print("\n{}: {} rows\n", one.name, rows);
  check(text, folder, rows);
  Json section = {{"rows", rows}, {"coverage", coverage(smiles, one.index_goal > 10 ? 0.997 : 0.98)}};

  match::Options options;
  options.threads = 1;
  match::Matcher matcher(compile_queries({kQuery}), options);
  const std::vector<std::function<void()>> ways = {
      [&] { parse_by_rdkit(smiles); },
      [&] {
        smiles::NativeReader reader;  // one that knows no rings yet
        for (const std::string& row : smiles) (void)reader.read(row);
      },
      [&] { index(text, packed, read_options(1)); },
      [&] { count_matches(text, matcher, 1); },
  };
  const std::vector<Seconds> seconds = medians(ways, /*warm=*/true);
  const auto add = [&](const char* key, const char* name, const Seconds& time, const std::string& goal) {
    const double ratio = seconds[0].cpu / time.cpu;
    fmt::print("  {:<28}{:>9.2f} us a row{:>9.0f} rows/s{:>8.1f} x RDKit  {}\n", name, 1e6 * time.cpu / rows,
               rows / time.cpu, ratio, goal);
    section[key] = {{"cpu_us_per_row", 1e6 * time.cpu / rows}, {"times_rdkit", ratio}};
  };
  add("rdkit", "RDKit's SmilesToMol", seconds[0], "");
  add("reader", "the native reader", seconds[1], "");
  add("index", "index", seconds[2], fmt::format("goal {}", one.index_goal));
  add("grep", "grep -c of one SMARTS", seconds[3], fmt::format("goal {}", one.search_goal));
  const std::string many = folder.file("many.smi");
  if (!quick) {
    write_lines(many, lines_of(path, kManyRows), kManyRows);
    section["two_threads"] = two_threads_section(many, folder);
  }
  return section;
}

void run(const ReportOptions& options) {
  const WorkFolder folder;
  Report report(options, "rows of SMILES, in processor time of one thread beside RDKit's SmilesToMol");
  for (const Case& one : kCases) {
    const std::string path = data_folder() + "/" + one.file;
    if (std::filesystem::exists(path))
      report.add(one.name, case_section(one, path, options.quick, folder));
    else
      fmt::print("\n{} is not there\n", path);
  }
  // A few rows that are always there, so that the answers are checked wherever the bench runs.
  const Case example{"examples", "", kQuickRows, 10, 10};
  report.add(example.name, case_section(example, QUARRY_SOURCE_DIR "/examples/drugs.smi", options.quick, folder));
  report.finish();
}

}  // namespace
}  // namespace quarry::bench

int main(int argc, char** argv) {
  quarry::keep_freed_memory();  // as the program does
  quarry::bench::ReportOptions options;
  quarry::bench::CommandLine command_line("Measures reading of SMILES; bench/run.sh ingest builds and runs it",
                                          options);
  return command_line.run(argc, argv, [&] { quarry::bench::run(options); });
}
