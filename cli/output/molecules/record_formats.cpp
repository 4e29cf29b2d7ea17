/// SMILES with columns, and SDF with data items: what the input has of a molecule, and what matches it.
#include "output/molecules/record_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "output/json.hpp"
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
/// one that names further columns. A column of the input whose name is one of these is that of an earlier run, or that of
/// the ids, and is left out.
class SmilesFormat : public RecordFormatBase {
 public:
  explicit SmilesFormat(const HitFormatOptions& options) : RecordFormatBase(options), kept_(options.columns) {
    for (const std::string& name : tag_names()) std::erase(kept_, name);
    const auto is_id = [](const std::string& name) { return lower_case(name) == "id"; };
    if (const auto id = std::ranges::find_if(kept_, is_id);
        id != kept_.end() && (options.id_column.empty() || is_id(options.id_column)))
      kept_.erase(id);
  }

  bool has_fixed_columns() const override { return !options_.columns.empty(); }
  std::string header() const override { return options_.columns.empty() ? "" : names_of_columns(); }

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

 protected:
  std::string names_of_columns() const {
    std::string line = "smiles\tid";
    for (const std::string& name : tag_names()) line += '\t' + name;
    for (const std::string& name : kept_) line += '\t' + tab_safe(free_name(name));
    return line + '\n';
  }
  /// A column of the input that is not the SMILES or the id, though it is called that, is `smiles_2`, `id_2`.
  std::string free_name(const std::string& name) const {
    if (name != "smiles" && name != "id") return name;
    int number = 2;
    while (std::ranges::count(kept_, fmt::format("{}_{}", name, number)) > 0) ++number;
    return fmt::format("{}_{}", name, number);
  }
  /// Values without a name have no column there.
  virtual bool has_names_only() const { return false; }

 private:
  /// Values go to the columns of the header by name, because the files of a run may differ.
  void append_columns(const MoleculeHits& molecule, std::string& text) const {
    if (!has_names_only() && (options_.columns.empty() || std::ranges::equal(kept_, molecule.columns))) {
      text += molecule.values;
      return;
    }
    const auto values = values_of(molecule.values);
    for (const std::string& name : kept_) {
      const std::size_t column = std::ranges::find(molecule.columns, name) - molecule.columns.begin();
      text += '\t';
      if (column < std::min(values.size(), molecule.columns.size())) text += values[column];
    }
  }

  std::vector<std::string> kept_;  // columns of the input
};

/// The same as a table: .tsv, .csv, or .jsonl with an object a molecule.
class MoleculeTable : public SmilesFormat {
 public:
  MoleculeTable(const std::string& path, const HitFormatOptions& options)
      : SmilesFormat(options), path_(path), is_objects_(extension_of(path) == ".jsonl") {
    if (!is_objects_) return;
    std::string names = names_of_columns();
    names.back() = '\t';
    for (std::size_t end = 0; !names.empty(); names.erase(0, end + 1)) {
      end = names.find('\t');
      names_.push_back(json_text(names.substr(0, end)));
    }
  }
  bool has_fixed_columns() const override { return true; }
  std::string header() const override { return is_objects_ ? "" : rows_for_file(names_of_columns(), path_); }
  void append(const MoleculeHits& molecule, std::string& text) const override {
    std::string row = "\t";
    SmilesFormat::append(molecule, row);
    if (!is_objects_) {
      text += rows_for_file(row.substr(1), path_);
      return;
    }
    row.pop_back();
    const auto values = values_of(row);
    for (std::size_t i = 0; i < names_.size(); ++i)
      text.append(i == 0 ? "{" : ",").append(names_[i]).append(":").append(json_text(values[i]));
    text += "}\n";
  }

 protected:
  bool has_names_only() const override { return true; }

 private:
  std::string path_;
  bool is_objects_;
  std::vector<std::string> names_;  // as JSON
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

std::unique_ptr<HitFormat> make_molecule_table(const std::string& path, const HitFormatOptions& options) {
  const std::string extension = extension_of(path);
  if (!extension.empty() && extension != ".tsv" && extension != ".csv" && extension != ".jsonl") return nullptr;
  return std::make_unique<MoleculeTable>(path, options);
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
