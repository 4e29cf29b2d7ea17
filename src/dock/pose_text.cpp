/// SDF: the lines of the ligand's mol block, with the columns of the coordinates replaced. PDBQT: the tree of fragments.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "quarry/dock.hpp"

namespace quarry::dock {
namespace {

/// Lines of a mol block before its atoms, and the columns of the coordinates and of the symbol in their lines.
constexpr int kHeaderLines = 4;
constexpr std::size_t kCoordinateColumns = 30, kSymbolColumn = 31, kSymbolColumns = 3;
constexpr std::size_t kShownPdbqtName = 4;
constexpr std::string_view kEndOfRecord = "$$$$";

void check_positions(const Ligand& ligand, std::span<const Point> positions) {
  if (std::ssize(positions) != ligand.num_atoms())
    throw InputError(fmt::format("the ligand '{}' has {} atoms, and {} positions were given", ligand.id,
                                 ligand.num_atoms(), positions.size()));
}

/// The next line without its end; `text` becomes what follows.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// Rounded to parts of 1/scale, and never "-0.0000".
double rounded(double number, double scale) { return std::round(number * scale) / scale + 0.0; }

/// The name in the header of a data item, between the first angle brackets.
std::string_view name_of_item(std::string_view header) {
  const std::size_t begin = header.find('<'), end = header.find('>', std::min(begin, header.size()));
  return end == header.npos ? std::string_view() : header.substr(begin + 1, end - begin - 1);
}

/// Data items as written, without those that are replaced. An item begins with ">" and its <name>, and a blank line ends it.
void append_kept_items(std::string_view properties, const std::vector<std::pair<std::string, std::string>>& replaced,
                       std::string& text) {
  bool kept = true, between = true;
  while (!properties.empty()) {
    const std::string_view line = next_line(properties);
    if (between && line.starts_with('>')) {
      const auto is_named = [&](const auto& item) { return name_of_item(line) == item.first; };
      kept = std::ranges::none_of(replaced, is_named);
    }
    if (kept) text.append(line) += '\n';
    between = line.find_first_not_of(" \t\r") == line.npos;
  }
}

/// [num_atoms] element symbols, of the atom lines.
std::vector<std::string> symbols_of(const Ligand& ligand) {
  std::vector<std::string> symbols;
  std::string_view lines = ligand.mol_block;
  for (int i = 0; i < kHeaderLines; ++i) next_line(lines);
  for (int i = 0; i < ligand.num_atoms(); ++i) {
    const std::string_view line = next_line(lines);
    const std::string_view columns =
        line.size() > kSymbolColumn ? line.substr(kSymbolColumn, kSymbolColumns) : std::string_view();
    symbols.emplace_back(columns.substr(0, columns.find(' ')));
  }
  return symbols;
}

/// Writes the fragments of a ligand from the root outwards, and numbers the atoms on the way.
class PdbqtWriter {
 public:
  PdbqtWriter(const Ligand& ligand, std::span<const Point> positions)
      : ligand_(ligand), positions_(positions), symbols_(symbols_of(ligand)), numbers_(positions.size()) {}

  std::string text() {
    text_ = fmt::format("REMARK  Name = {}\n", ligand_.id);
    text_ += "ROOT\n";
    append_atoms(0);
    text_ += "ENDROOT\n";
    append_branches(0);
    text_ += fmt::format("TORSDOF {}\n", ligand_.num_torsions());
    return text_;
  }

 private:
  void append_atoms(int fragment) {
    for (int atom = 0; atom < ligand_.num_atoms(); ++atom)
      if (ligand_.fragment_of[atom] == fragment && ligand_.autodock_types[atom] != "H") append_atom(atom);
  }

  void append_atom(int atom) {
    numbers_[atom] = ++last_number_;
    const std::string name = fmt::format("{}{}", symbols_[atom], last_number_).substr(0, kShownPdbqtName);
    const Point& at = positions_[atom];
    text_ += fmt::format("ATOM  {:5} {:<4} LIG A   1    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00    {:+6.3f} {:<2}\n",
                         last_number_, name, rounded(at.x, 1e3), rounded(at.y, 1e3), rounded(at.z, 1e3), 0.0,
                         ligand_.autodock_types[atom]);
  }

  void append_branches(int parent) {
    for (int i = parent + 1; i < std::ssize(ligand_.fragments); ++i) {
      const Fragment& fragment = ligand_.fragments[i];
      if (fragment.parent != parent) continue;
      // The number that the first of its atoms up to `atom` get.
      int end = last_number_;
      for (int atom = 0; atom <= fragment.atom; ++atom)
        end += ligand_.fragment_of[atom] == i && ligand_.autodock_types[atom] != "H" ? 1 : 0;
      const std::string ends = fmt::format("BRANCH {:3} {:3}\n", numbers_[fragment.parent_atom], end);
      text_ += ends;
      append_atoms(i);
      append_branches(i);
      text_ += "END" + ends;
    }
  }

  const Ligand& ligand_;
  std::span<const Point> positions_;
  std::vector<std::string> symbols_;
  std::vector<int> numbers_;
  int last_number_ = 0;
  std::string text_ = {};
};

}  // namespace

std::string to_sdf(const Ligand& ligand, std::span<const Point> positions,
                   const std::vector<std::pair<std::string, std::string>>& items) {
  check_positions(ligand, positions);
  std::string text;
  std::string_view lines = ligand.mol_block;
  for (int i = 0; i < kHeaderLines; ++i) text.append(next_line(lines)) += '\n';
  if (text.starts_with(kEndOfRecord)) text.insert(0, 1, ' ');  // a title that would end the record
  for (const Point& at : positions) {
    const std::string_view line = next_line(lines);
    text += fmt::format("{:10.4f}{:10.4f}{:10.4f}", rounded(at.x, 1e4), rounded(at.y, 1e4), rounded(at.z, 1e4));
    text.append(line.substr(std::min(kCoordinateColumns, line.size()))) += '\n';
  }
  text.append(lines);
  if (!text.ends_with('\n')) text += '\n';
  append_kept_items(ligand.properties, items, text);
  for (const auto& [name, value] : items) text += fmt::format(">  <{}>\n{}\n\n", name, value);
  return text.append(kEndOfRecord) + '\n';
}

std::string to_pdbqt(const Ligand& ligand, std::span<const Point> positions) {
  check_positions(ligand, positions);
  return PdbqtWriter(ligand, positions).text();
}

}  // namespace quarry::dock
