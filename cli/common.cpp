/// The small things that every verb shares.
#include "common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "quarry/device.hpp"
#include "quarry/output.hpp"

namespace quarry::cli {

void add_read_options(CLI::App& app, ReadOptions& options) {
  app.add_flag("--explicit-h", options.explicit_hydrogens, "Make every hydrogen an atom of the molecule");
  app.add_option("--smiles-column", options.smiles_column, "CSV: name of the SMILES column (default: smiles)");
  app.add_option("--id-column", options.id_column, "CSV: name of the id column (default: id or name)");
  app.add_option("--format", options.format, "Format of the input, whatever its name")
      ->check(CLI::IsMember({"smi", "csv", "sdf"}));
  app.add_option("--threads", options.threads, "Threads; 0 is all cores")->check(CLI::Range(0, 4096));
}

int threads_in_use(int threads) { return threads > 0 ? threads : host_info().threads; }

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
    throw InputError("--verify wants a percentage from 0 to 100, not '" + text + "'");
  return percent;
}

std::string grouped(Index number) {
  std::string digits = std::to_string(number);
  for (auto place = static_cast<Index>(digits.size()) - 3; place > (number < 0 ? 1 : 0); place -= 3)
    digits.insert(static_cast<std::size_t>(place), 1, ',');
  return digits;
}

std::string counted(Index number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

bool ends_with(std::string_view text, std::string_view end) { return text.ends_with(end); }

std::string name_without_compression(const std::string& path) {
  std::string name = path;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  for (const std::string_view end : {".gz", ".zst"})
    if (name.ends_with(end)) return name.substr(0, name.size() - end.size());
  return name;
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

void print(std::string_view text) {
  Output output("-");
  output.write(text);
  output.finish();
}

void complain(std::string_view sentence) { fmt::print(stderr, "quarry: {}\n", sentence); }

}  // namespace quarry::cli
