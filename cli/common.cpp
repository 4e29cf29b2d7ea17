/// Options and checks that several verbs share.
#include "common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

#include "input/read_notes.hpp"
#include "quarry/device.hpp"
#include "quarry/version.hpp"

namespace quarry::cli {

Sharded& Verb::sharded() { throw InputError("its work is not cut into shards: run it on one machine"); }

std::string sentence_of(const Error& error) {
  constexpr std::pair<std::string_view, std::string_view> kAdvice[] = {{"device_bytes", " (--device-memory)"},
                                                                       {"memory_bytes", " (--memory)"},
                                                                       {"format", " (--format)"},
                                                                       {"normalize", " (--normalize canonical)"},
                                                                       {"restart", "; --restart begins again"},
                                                                       {"smiles_column", " (--smiles-column NAME)"},
                                                                       {"id_column", " (--id-column NAME)"}};
  const auto advice = std::ranges::find(kAdvice, error.option(), &std::pair<std::string_view, std::string_view>::first);
  return advice == std::end(kAdvice) ? error.what() : fmt::format("{}{}", error.what(), advice->second);
}

std::string version_text() { return fmt::format("Quarry {}, RDKit {}", kVersion, rdkit_version()); }

void add_molecule_inputs(Arguments& verb, std::vector<std::string>& paths) {
  verb.option("INPUT", &paths,
              "Libraries (.qlib), collections (.qlibs), or molecules: SMILES, CSV or SDF; - is standard input",
              {.shown_as = "INPUT ...", .required = true, .names_file = true});
}

void add_read_options(Arguments& verb, ReadOptions& options) {
  verb.flag("--explicit-h", options.explicit_hydrogens, "Make every hydrogen an atom of the molecule");
  add_row_options(verb, options,
                  "Reject molecules with more atoms, hydrogens of --explicit-h not counted; 0 is no limit");
}

void add_row_options(Arguments& verb, ReadOptions& options, const char* max_atoms_help) {
  verb.option("--smiles-column", &options.smiles_column,
              "CSV: name of the SMILES column (default: smiles, canonical or isomeric smiles)");
  add_id_options(verb, options.id_column, options.whole_ids);
  verb.option("--format", &options.format, "Format of the input; default: by the name of the file",
              {.words = {"smi", "csv", "tsv", "sdf"}});
  add_max_atoms_option(verb, options.max_atoms, max_atoms_help);
  add_threads_option(verb, options.threads);
}

void add_max_atoms_option(Arguments& verb, Index& max_atoms, const char* help) {
  verb.option("--max-atoms", &max_atoms, help, {.show_default = true, .least = 0});
}

void add_threads_option(Arguments& verb, int& threads) {
  verb.option("--threads", &threads, "Threads; 0 is all cores", {.least = 0, .most = 4096});
}

void add_rejects_option(Arguments& verb, std::string& path) {
  verb.option("--rejects", &path, "Write the rows that could not be used: line, id, reason",
              {.names_file = true, .names_output = true});
}

void DeviceOptions::add_to(Arguments& verb) {
  verb.option("--device", &name_,
              "Where to compute: auto, host, cuda:0, cuda:0,1; answers stay the same (dock: within rounding)",
              {.show_default = true});
  verb.option("--device-memory", &mebibytes_,
              "MiB of memory to use on each device; 0 is three quarters of what is free",
              {.show_default = true, .least = 0, .most = Index{1} << 40});
}

std::string DeviceOptions::name() const { return resolve_device(name_); }

int threads_in_use(int threads) {
  const int available = host_info().threads;
  return threads > 0 ? std::min(threads, available) : available;
}

std::pair<Index, Index> parse_shard(const std::string& text) {
  const char* const end = text.data() + text.size();
  Index shard = 0, num_shards = 0;
  const auto [slash, error] = std::from_chars(text.data(), end, shard);
  bool good = error == std::errc() && slash != end && *slash == '/';
  if (good) {
    const auto [last, bad] = std::from_chars(slash + 1, end, num_shards);
    good = bad == std::errc() && last == end && shard >= 1 && shard <= num_shards;
  }
  if (!good) throw InputError(fmt::format("--shard takes I/N with I from 1 to N, such as 2/8, not '{}'", text));
  return {shard - 1, num_shards};
}

double parse_percent(const std::string& option, const std::string& text, bool zero) {
  std::string number = text;
  if (!number.empty() && number.back() == '%') number.pop_back();
  double percent = -1;
  const char* const end = number.data() + number.size();
  const auto [stopped, error] = std::from_chars(number.data(), end, percent);
  const bool enough = zero ? percent >= 0 : percent > 0;
  if (error != std::errc() || stopped != end || !enough || !(percent <= 100))
    throw InputError(fmt::format("{} takes a percentage {} 100, not '{}'", option,
                                 zero ? "from 0 to" : "above 0 and at most", text));
  return percent;
}

}  // namespace quarry::cli
