/// Options and checks that several verbs share.
#include "common.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "input/read_notes.hpp"
#include "quarry/device.hpp"

namespace quarry::cli {

void add_molecule_input(Arguments& verb, std::string& path) {
  verb.option("INPUT", &path, "Library (.qlib), or molecules: SMILES, CSV or SDF; - is standard input",
              {.required = true, .names_file = true});
}

void add_read_options(Arguments& verb, ReadOptions& options) {
  verb.flag("--explicit-h", options.explicit_hydrogens, "Make every hydrogen an atom of the molecule");
  verb.option("--smiles-column", &options.smiles_column, "CSV: name of the SMILES column (default: smiles)");
  add_id_options(verb, options.id_column, options.whole_ids);
  verb.option("--format", &options.format, "Format of the input; default: by the name of the file",
              {.words = {"smi", "csv", "tsv", "sdf"}});
  verb.option("--max-atoms", &options.max_atoms,
              "Reject molecules with more atoms, hydrogens of --explicit-h not counted; 0 is no limit",
              {.show_default = true, .least = 0});
  add_threads_option(verb, options.threads);
}

void add_threads_option(Arguments& verb, int& threads) {
  verb.option("--threads", &threads, "Threads; 0 is all cores", {.least = 0, .most = 4096});
}

void add_rejects_option(Arguments& verb, std::string& path) {
  verb.option("--rejects", &path, "Write the rows that could not be used: line, id, reason",
              {.names_file = true, .names_output = true});
}

void DeviceOptions::add_to(Arguments& verb) {
  verb.option("--device", &name_, "Where to compute: auto, host, cuda:0, cuda:0,1; does not change any answer",
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

double parse_percent(const std::string& text) {
  std::string number = text;
  if (!number.empty() && number.back() == '%') number.pop_back();
  double percent = -1;
  std::size_t used = 0;
  try {
    percent = std::stod(number, &used);
  } catch (const std::exception&) {  // not a number: `used` stays 0
  }
  if (used == 0 || used != number.size() || !(percent >= 0 && percent <= 100))
    throw InputError("--verify takes a percentage from 0 to 100, not '" + text + "'");
  return percent;
}

}  // namespace quarry::cli
