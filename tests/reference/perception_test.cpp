/// Perception against tables made by RDKit's Python module: atoms with ten properties each, and bonds.
/// Where the tables come from: `reference/molecules` of the optional test data.
#include <GraphMol/RWMol.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <unordered_map>
#include <vector>

#include "chemistry/perceive.hpp"
#include "readers/row_reader.hpp"
#include "support/shared_data.hpp"
#include "util/files/line_reader.hpp"

namespace quarry {
namespace {

using test::shared_data;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// The columns of the tables, in order; "6a" is an aromatic carbon.
constexpr AtomProperty kColumns[] = {
    AtomProperty::charge,     AtomProperty::isotope,      AtomProperty::hydrogens,  AtomProperty::implicit_hydrogens,
    AtomProperty::degree,     AtomProperty::total_degree, AtomProperty::ring_count, AtomProperty::ring_size,
    AtomProperty::ring_bonds, AtomProperty::valence};

std::string atom_text(const AtomKind& kind) {
  std::string text = std::to_string(value_of(kind, AtomProperty::element));
  if (value_of(kind, AtomProperty::aromatic)) text += 'a';
  for (const AtomProperty property : kColumns) text += ',' + std::to_string(value_of(kind, property));
  return text;
}

std::string kind_text(const std::string& bond) {
  static const std::unordered_map<char, int> types{{'-', 1}, {'=', 2}, {'#', 3}, {':', 12}};
  const auto type = types.at(bond[bond.find_first_not_of("0123456789")]);
  return std::to_string(bond_kind(type, bond.back() == 'r'));
}

/// "begin end kind" with begin < end, whatever the order in the table.
std::string bond_text(const std::string& bond) {
  const auto begin = std::stoul(bond), end = std::stoul(bond.substr(bond.find_first_not_of("0123456789") + 1));
  return std::to_string(std::min(begin, end)) + ' ' + std::to_string(std::max(begin, end)) + ' ' + kind_text(bond);
}

/// Number of molecules compared.
Index compare(const std::string& molecules, const std::string& table) {
  std::unordered_map<std::string, std::string> expected;
  LineReader lines(shared_data("reference/molecules/" + table));
  for (std::string line; lines.next(line);) expected[line.substr(0, line.find('\t'))] = line;
  const auto rows = open_rows(shared_data("molecules/" + molecules), {});
  Index compared = 0;
  for (Row row; compared < std::ssize(expected) && rows->next(row);) {
    const auto found = expected.find(row.id);
    if (found == expected.end()) continue;
    ++compared;
    const auto columns = split(found->second, '\t');
    const auto parsed = parse_record(row.record, RecordFormat::smiles, false, row.reason);
    // RDKit takes what stands before such a byte for the molecule.
    const bool has_other_bytes = std::ranges::any_of(row.record, [](char c) { return (c & 0x80) != 0; });
    EXPECT_EQ(parsed == nullptr, has_other_bytes) << row.id << ": " << row.reason;
    if (!parsed) continue;
    const Molecule molecule = perceive(*parsed);
    std::string atoms;
    for (const AtomKind& kind : molecule.atoms) atoms += (atoms.empty() ? "" : " ") + atom_text(kind);
    EXPECT_EQ(atoms, columns.at(2)) << row.id;
    std::multiset<std::string> bonds, expected_bonds;
    for (const Bond& bond : molecule.bonds) {
      bonds.insert(std::to_string(bond.begin) + ' ' + std::to_string(bond.end) + ' ' + std::to_string(bond.kind));
    }
    if (columns.size() > 3) {
      for (const std::string& bond : split(columns[3], ' ')) expected_bonds.insert(bond_text(bond));
    }
    EXPECT_EQ(bonds, expected_bonds) << row.id;
  }
  EXPECT_EQ(compared, std::ssize(expected)) << table;
  return compared;
}

TEST(Perception, EqualsTheTables) {
  if (shared_data("reference/molecules").empty()) GTEST_SKIP() << "the optional test data is not there";
  EXPECT_EQ(compare("awkward.smi.gz", "perception_awkward.tsv.gz"), 3481);
  EXPECT_EQ(compare("drugs.smi.gz", "perception_drugs.tsv.gz"), 1710);
  EXPECT_EQ(compare("zinc-115k.smi.gz", "perception_zinc2k.tsv.gz"), 2000);
  EXPECT_EQ(compare("mixed-1m.smi.gz", "perception_mixed.tsv.gz"), 3400);
}

TEST(Perception, RefusesWhatRdkitRefuses) {
  const std::string path = shared_data("molecules/rejects-rdkit.smi.gz");
  if (path.empty()) GTEST_SKIP() << "the optional test data is not there";
  const auto rows = open_rows(path, {});
  for (Row row; rows->next(row);) {
    EXPECT_FALSE(parse_record(row.record, RecordFormat::smiles, false, row.reason)) << row.record;
    EXPECT_NE(row.reason, "") << row.record;
    EXPECT_NE(row.reason, "RDKit gives no reason") << row.record;
  }
}

}  // namespace
}  // namespace quarry
