/// `quarry doctor`: the machine it runs on, and a self test of two seconds on molecules with known answers.
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "common.hpp"
#include "output/json.hpp"
#include "output/text.hpp"
#include "quarry/device.hpp"
#include "quarry/match.hpp"
#include "quarry/version.hpp"
#include "stopwatch.hpp"

namespace quarry::cli {
namespace {

Guide doctor_guide() {
  return {
      .examples = {"quarry doctor"},
      .description =
          "Says what the program runs on: the processor and the vector instructions that are used, the number "
          "of threads, the devices that this build can use here, and the versions of Quarry and RDKit.\n\n"
          "Then molecules of known answers are searched on the host and on each device, every answer is "
          "checked, and the rate is measured.",
  };
}

constexpr std::size_t kNumQueries = 8;

/// Embeddings counted by RDKit 2022.09, not uniquified.
struct KnownMolecule {
  const char* smiles;
  const char* name;
  std::array<Index, kNumQueries> embeddings;
};

constexpr std::array<const char*, kNumQueries> kQueries = {"a1aaaaa1",         "[OX2H]", "C(=O)[O;H1,-]",
                                                           "[$([NX3](C)C=O)]", "[#7;R]", "[!#6;!#1]~*~[!#6;!#1]",
                                                           "[CX4;!R]",         "[+].[-]"};

constexpr KnownMolecule kMolecules[] = {
    {"CC(=O)Oc1ccccc1C(=O)O", "aspirin", {12, 1, 1, 0, 0, 4, 1, 0}},
    {"CN1C=NC2=C1C(=O)N(C)C(=O)N2C", "caffeine", {12, 0, 0, 0, 4, 12, 3, 0}},
    {"CC(C)Cc1ccc(cc1)C(C)C(=O)O", "ibuprofen", {12, 1, 1, 0, 0, 2, 6, 0}},
    {"CC(=O)Nc1ccc(O)cc1", "paracetamol", {12, 1, 0, 0, 0, 2, 1, 0}},
    {"CC1(C)SC2C(NC(=O)Cc3ccccc3)C(=O)N2C1C(=O)O", "penicillin_G", {12, 1, 1, 2, 1, 8, 3, 0}},
    {"COc1ccc2[nH]c(S(=O)Cc3ncc(C)c(OC)c3C)nc2c1", "omeprazole", {24, 0, 0, 0, 3, 6, 5, 0}},
    {"CN1CCC23C4C1CC5=C2C(=C(C=C5)O)OC3C(C=C4)O", "morphine", {12, 2, 0, 0, 1, 0, 1, 0}},
    {"[O-][N+](=O)c1ccccc1", "nitrobenzene", {12, 0, 0, 0, 0, 2, 0, 1}},
    {"C[N+](C)(C)CCO.[Cl-]", "choline_chloride", {0, 1, 0, 0, 0, 0, 5, 1}},
    {"C1CC1", "cyclopropane", {0, 0, 0, 0, 0, 0, 0, 0}},
    {"C", "methane", {0, 0, 0, 0, 0, 0, 1, 0}},
    {"OCC1OC(O)C(O)C(O)C1O", "glucose", {0, 5, 0, 0, 0, 2, 1, 0}},
};

constexpr Index kCopies = 400;  // of each molecule, for the rate
constexpr double kTimedSeconds = 1.5;

/// A file that is gone at the end.
class ScratchFile {
 public:
  ScratchFile() {
    std::error_code error;
    const auto folder = std::filesystem::temp_directory_path(error);
    if (error) throw SystemError("there is no folder for temporary files: set TMPDIR to one");
    name_ = (folder / "quarry-doctor-XXXXXX.smi").string();
    const int descriptor = mkstemps(name_.data(), 4);
    if (descriptor < 0) throw SystemError("cannot write " + name_ + ": " + std::generic_category().message(errno));
    ::close(descriptor);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(name_, ignored);
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

Library self_test_library() {
  const ScratchFile file;
  std::ofstream text(file.name());
  for (Index copy = 0; copy < kCopies; ++copy)
    for (const auto& molecule : kMolecules) text << molecule.smiles << '\t' << molecule.name << '\n';
  text.close();
  if (!text) throw SystemError("cannot write " + file.name());
  auto library = MoleculeReader(file.name()).next();
  if (!library) throw InputError("the molecules of the self test cannot be read");
  return std::move(*library);
}

/// Compares every pair of the result with the known answer. @return  one sentence per wrong answer
std::vector<std::string> wrong_answers(const match::Result& result) {
  std::vector<std::string> wrong;
  for (Index row = 0; row < result.num_molecules(); ++row) {
    const KnownMolecule& molecule = kMolecules[row % std::ssize(kMolecules)];
    std::array<Index, kNumQueries> found{};
    const auto begin = result.hit_offsets[row];
    const auto end = result.hit_offsets[static_cast<std::size_t>(row) + 1];
    for (auto i = begin; i < end; ++i) {
      const auto& hit = result.hits[i];
      found[hit.query] = hit.embeddings;
    }
    for (std::size_t query = 0; query < kNumQueries; ++query)
      if (found[query] != molecule.embeddings[query])
        wrong.push_back(fmt::format("{} in {}: {} embeddings found, {} expected", kQueries[query], molecule.name,
                                    found[query], molecule.embeddings[query]));
  }
  return wrong;
}

/// Pairs per second of the whole host or of one device in mode `first`.
double pair_rate(const Library& library, const QuerySet& queries, const std::string& device) {
  match::Options options;
  options.device = device;
  match::Matcher matcher(queries, options);
  Index pairs = 0;
  const Stopwatch stopwatch;
  while (stopwatch.seconds() < kTimedSeconds) pairs += matcher.run(library, [](const match::Result&) {}).pairs;
  return pairs / stopwatch.seconds();
}

class DoctorVerb : public Verb {
 public:
  explicit DoctorVerb(Arguments& verb) {
    verb.guide(doctor_guide());
    verb.flag("--json", json_, "Print one JSON object instead");
  }

  int run() override {
    const HostInfo host = host_info();
    if (!json_)
      print(fmt::format("quarry    {} (RDKit {})\ncpu       {}\nsimd      {}\nthreads   {}\n", kVersion,
                        rdkit_version(), host.cpu, host.simd, host.threads));
    const Library library = self_test_library();
    const QuerySet queries = compile_queries({kQueries.begin(), kQueries.end()});
    if (!queries.rejected.empty())
      throw InputError("a query of the self test was refused: " + queries.rejected[0].reason);
    const auto found = devices();
    if (!json_) show(found);
    std::vector<SelfTest> tests = {self_test(library, queries, "host")};
    for (const DeviceInfo& device : found) tests.push_back(self_test(library, queries, device.name));
    if (json_) print_json(host, found, tests);
    return kFound;
  }

 private:
  struct SelfTest {
    std::string device;
    Index checked = 0;
    double rate = 0;
  };

  SelfTest self_test(const Library& library, const QuerySet& queries, const std::string& device) const {
    match::Options options;
    options.mode = match::Mode::count;
    options.device = device;
    const auto wrong = wrong_answers(match::run(library, queries, options));
    if (!wrong.empty())
      throw SystemError(fmt::format("self test failed on {}, {}; first: {}", device,
                                    counted(std::ssize(wrong), "wrong answer"), wrong[0]));
    const SelfTest test = {device, library.num_molecules() * std::ssize(kQueries), pair_rate(library, queries, device)};
    if (!json_)
      print(fmt::format("self test ok: {} pairs checked on {}, all right; {:.1f} M pairs/s\n", grouped(test.checked),
                        device, test.rate / 1e6));
    return test;
  }

  static void show(const std::vector<DeviceInfo>& found) {
    if (found.empty()) print(fmt::format("devices   none: {}\n", why_no_devices()));
    for (const DeviceInfo& device : found)
      print(fmt::format("{:<9} {}, {} MiB, {} MiB free\n", device.name, device.model, device.memory_bytes >> 20,
                        device.free_bytes >> 20));
  }

  static Json to_json(const SelfTest& test) {
    return {{"status", "ok"}, {"pairs_checked", test.checked}, {"pairs_per_second", test.rate}};
  }
  static void print_json(const HostInfo& host, const std::vector<DeviceInfo>& found,
                         const std::vector<SelfTest>& tests) {
    std::vector<Json> list;
    for (std::size_t i = 0; i < found.size(); ++i)
      list.push_back({{"name", found[i].name},
                      {"model", found[i].model},
                      {"memory_bytes", found[i].memory_bytes},
                      {"free_bytes", found[i].free_bytes},
                      {"self_test", to_json(tests[i + 1])}});
    const Json object = {
        {"version", kVersion},         {"rdkit", rdkit_version()},      {"cpu", host.cpu},
        {"simd", host.simd},           {"threads", host.threads},       {"device", resolve_device("auto")},
        {"devices", Json::list(list)}, {"self_test", to_json(tests[0])}};
    print(object.line());
  }

  bool json_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_doctor(Arguments& verb) { return std::make_unique<DoctorVerb>(verb); }

}  // namespace quarry::cli
