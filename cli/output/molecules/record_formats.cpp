/// SMILES with columns, and SDF with data items: what the input has of a molecule, and what matches it.
#include "output/molecules/record_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "output/molecules/hit_tags.hpp"
#include "output/molecules/sdf_items.hpp"
#include "output/text.hpp"
#include "quarry/convert.hpp"

namespace quarry::cli {
namespace {

/// The values of a row, which have a tab before each.
std::vector<std::string_view> values_of(std::string_view text) {
  std::vector<std::string_view> values;
  while (!text.empty()) {
    text.remove_prefix(1);
    values.push_back(text.substr(0, text.find('\t')));
    text.remove_prefix(values.back().size());
  }
  return values;
}

/// As many as the record has: a molecule may have been searched with hydrogens behind them.
std::vector<Index> numbers_of_atoms(const std::string& record) {
  constexpr std::string_view kCounts = "M  V30 COUNTS ";
  std::size_t at = record.find(kCounts);
  if (at != std::string::npos) {
    at += kCounts.size();
  } else {
    at = 0;
    for (int line = 0; line < 3; ++line) at = record.find('\n', at) + 1;
  }
  std::vector<Index> numbers(
      std::strtol(record.substr(at, at > 0 && record[at - 1] == ' ' ? 12 : 3).c_str(), nullptr, 10));
  std::iota(numbers.begin(), numbers.end(), Index{0});
  return numbers;
}

class RecordFormatBase : public HitFormat {
 public:
  explicit RecordFormatBase(const HitFormatOptions& options) : options_(options) {}
  bool needs_records() const override { return true; }

 protected:
  std::vector<std::string> tag_names() const {
    return options_.matched ? hit_tag_names(options_.mode) : std::vector<std::string>{};
  }
  std::vector<std::string> tags(const MoleculeHits& molecule, const std::vector<Index>& numbers) const {
    if (!options_.matched) return {};
    return hit_tags(molecule, options_.queries, options_.mode, numbers);
  }
  bool needs_numbers() const {
    return options_.matched && (options_.mode == match::Mode::all || options_.mode == match::Mode::unique);
  }

  HitFormatOptions options_;
};

/// The SMILES of the molecules, as they were read, each with its id, and further columns. Has a header where the input has
/// one that names further columns.
class SmilesFormat : public RecordFormatBase {
 public:
  using RecordFormatBase::RecordFormatBase;

  bool has_fixed_columns() const override { return !options_.columns.empty(); }
  std::string header() const override {
    if (options_.columns.empty()) return {};
    std::string line = "smiles\tid";
    for (const std::string& name : tag_names()) line += '\t' + name;
    for (const std::string& name : options_.columns) line += '\t' + tab_safe(name);
    return line + '\n';
  }

  void append(const MoleculeHits& molecule, std::string& text) const override {
    const std::string id(molecule.id);
    WrittenSmiles written;
    if (molecule.format == RecordFormat::sdf)
      written = write_smiles(std::string(molecule.record), id);
    else
      written.smiles = molecule.record;
    text.append(written.smiles).append(1, '\t').append(tab_safe(id));
    for (const std::string& value : tags(molecule, written.positions)) text.append(1, '\t').append(value);
    append_columns(molecule, text);
    text += '\n';
  }

 private:
  /// Values go to the columns of the header by name, because the files of a run may differ.
  void append_columns(const MoleculeHits& molecule, std::string& text) const {
    if (options_.columns.empty() || std::ranges::equal(options_.columns, molecule.columns)) {
      text += molecule.values;
      return;
    }
    const auto values = values_of(molecule.values);
    for (const std::string& name : options_.columns) {
      const std::size_t column = std::ranges::find(molecule.columns, name) - molecule.columns.begin();
      text += '\t';
      if (column < std::min(values.size(), molecule.columns.size())) text += values[column];
    }
  }
};

/// The molecules: SDF records as they were read, others with 2D coordinates and their columns.
class SdfFormat : public RecordFormatBase {
 public:
  using RecordFormatBase::RecordFormatBase;

  void append(const MoleculeHits& molecule, std::string& text) const override {
    const std::string id(molecule.id);
    std::string record(molecule.record);
    std::vector<Index> numbers;
    if (molecule.format == RecordFormat::sdf) {
      if (needs_numbers()) numbers = atoms_of_record(record, id);
      record = without_items(record, hit_tag_names(match::Mode::all));  // of a run before this one
    } else {
      record = smiles_to_sdf(record, id);
      if (needs_numbers()) numbers = numbers_of_atoms(record);
      append_columns(molecule, record);
    }
    const auto names = tag_names(), values = tags(molecule, numbers);
    for (std::size_t i = 0; i < names.size(); ++i) append_item(names[i], values[i], record);
    text += record;
    text += "$$$$\n";
  }

 private:
  static void append_columns(const MoleculeHits& molecule, std::string& record) {
    const auto values = values_of(molecule.values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i < molecule.columns.size())
        append_item(molecule.columns[i], values[i], record);
      else if (!values[i].empty())
        append_item(fmt::format("column {}", i + 3), values[i], record);  // SMILES and id are the first two
    }
  }
};

bool is_smiles(const std::string& extension) { return extension == ".smi" || extension == ".smiles"; }
bool is_sdf(const std::string& extension) { return extension == ".sdf" || extension == ".sd"; }

}  // namespace

bool is_record_format(const std::string& path) {
  const std::string extension = extension_of(path);
  return is_smiles(extension) || is_sdf(extension);
}

std::unique_ptr<HitFormat> make_record_format(const std::string& path, const HitFormatOptions& options) {
  const std::string extension = extension_of(path);
  if (is_smiles(extension)) return std::make_unique<SmilesFormat>(options);
  if (is_sdf(extension)) return std::make_unique<SdfFormat>(options);
  throw InputError(
      fmt::format("'{}' names no output format: use .tsv, .csv, .jsonl, .smi or .sdf, each also with .gz, .zst, .bz2 "
                  "or .xz; for pairs also .qhits or .npz",
                  path));
}

}  // namespace quarry::cli
