/// Receptors of small made-up files: what is kept and dropped, types by residue templates and by geometry, and errors
/// that name file, line and atom.
#include "quarry/receptor.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

#include "support/temporary_folder.hpp"
#include "util/files/output_file.hpp"

namespace quarry {
namespace {

using test::message_of;
using test::TemporaryFolder;

struct Line {
  const char* record;
  const char* atom;
  const char* residue;
  int number;
  Point position;
  const char* element;
  char location = ' ';
};

std::string pdb_line(const Line& line, int serial, const std::string& end) {
  const std::string atom = std::string(line.atom).size() == 4 ? line.atom : " " + std::string(line.atom);
  return fmt::format("{:<6}{:>5} {:<4}{}{:>3} A{:>4}    {:8.3f}{:8.3f}{:8.3f}  1.00 20.00{}\n", line.record, serial,
                     atom, line.location, line.residue, line.number, line.position.x, line.position.y, line.position.z,
                     end);
}

std::string pdb(const std::vector<Line>& lines) {
  std::string text;
  int serial = 0;
  for (const Line& line : lines) text += pdb_line(line, ++serial, fmt::format("          {:>2}", line.element));
  return text + "END\n";
}

/// A glycine and a serine in a chain, far from all else.
std::vector<Line> peptide() {
  return {{"ATOM", "N", "GLY", 1, {0.00, 0.00, 0.00}, "N"},  {"ATOM", "CA", "GLY", 1, {1.46, 0.00, 0.00}, "C"},
          {"ATOM", "C", "GLY", 1, {2.00, 1.42, 0.00}, "C"},  {"ATOM", "O", "GLY", 1, {1.24, 2.38, 0.00}, "O"},
          {"ATOM", "N", "SER", 2, {3.32, 1.54, 0.00}, "N"},  {"ATOM", "CA", "SER", 2, {3.98, 2.84, 0.00}, "C"},
          {"ATOM", "C", "SER", 2, {5.49, 2.70, 0.00}, "C"},  {"ATOM", "O", "SER", 2, {6.02, 1.59, 0.00}, "O"},
          {"ATOM", "CB", "SER", 2, {3.54, 3.65, 1.22}, "C"}, {"ATOM", "OG", "SER", 2, {4.24, 4.88, 1.25}, "O"},
          {"ATOM", "OXT", "SER", 2, {6.15, 3.75, 0.00}, "O"}};
}

/// Without a column of elements, the name may begin where that of a carbon begins.
TEST(Receptor, AnIonIsWhatItsResidueIsNamed) {
  const TemporaryFolder folder;
  for (const auto& [atom, residue, element] :
       {std::tuple("CA", "CA", 20), std::tuple("CU", "CU1", 29), std::tuple("FE", "FE2", 26),
        std::tuple("NA", "NA", 11), std::tuple("CO", "3CO", 27), std::tuple("ZN", "ZN", 30), std::tuple("K", "K", 19),
        std::tuple("CL", "CL", 17), std::tuple("CA", "GLY", 6), std::tuple("SOD", "SOD", 11),
        std::tuple("POT", "POT", 19), std::tuple("CLA", "CLA", 17), std::tuple("CAL", "CAL", 20)}) {
    std::vector<Line> lines = peptide();
    std::string text;
    lines.push_back({"HETATM", atom, residue, 9, {20, 0, 0}, ""});
    for (std::size_t i = 0; i < lines.size(); ++i) text += pdb_line(lines[i], static_cast<int>(i) + 1, "");
    const Receptor receptor = read_receptor(folder.write("a.pdb", text));
    EXPECT_EQ(receptor.atoms.back().element, element) << atom << " of " << residue;
  }
}

/// Lines without elements, with names that begin a column too early.
std::string early_pdb(const std::vector<Line>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Line line = lines[i];
    const std::string padded = fmt::format("{:<4}", line.atom);
    line.atom = padded.c_str();
    text += pdb_line(line, static_cast<int>(i) + 1, "");
  }
  return text;
}

TEST(Receptor, NamesThatBeginTooEarlyTellElements) {
  const TemporaryFolder folder;
  std::vector<Line> lines = peptide();
  for (const auto& [atom, element] :
       {std::pair("FE", "FE"), std::pair("NA", "N"), std::pair("CHA", "C"), std::pair("CL1", "CL"),
        std::pair("PB", "P"), std::pair("OS1A", "O"), std::pair("CO2R", "C"), std::pair("BR", "BR")})
    lines.push_back({"HETATM", atom, "LIG", 9, {20 + 1.5 * static_cast<double>(lines.size()), 0, 0}, element});
  const Receptor expected = read_receptor(folder.write("a.pdb", pdb(lines)));
  for (const char* hydrogen : {"HG", "HA", "HE", "HB", "1HB", "DG"})
    lines.push_back({"ATOM", hydrogen, "SER", 2, {4.0, 5.3, 2.1}, ""});
  for (const char* hydrogen : {"HO2", "HS1", "HAA"})
    lines.push_back({"HETATM", hydrogen, "LIG", 9, {4.0, 9.3, 2.1}, ""});
  const Receptor receptor = read_receptor(folder.write("b.pdb", early_pdb(lines)));
  ASSERT_EQ(receptor.atoms.size(), expected.atoms.size());
  for (std::size_t i = 0; i < receptor.atoms.size(); ++i) {
    EXPECT_EQ(receptor.atoms[i].element, expected.atoms[i].element) << expected.atoms[i].name;
    EXPECT_EQ(receptor.atoms[i].type, expected.atoms[i].type) << expected.atoms[i].name;
  }
}

/// Many programs begin every name where that of a carbon begins.
TEST(Receptor, MetalsAndHalogensOfCofactorsAreSoWhereverTheirNamesBegin) {
  const std::pair<const char*, int> cofactor[] = {{"FE", 26}, {"ZN1", 30},  {"MG", 12}, {"BR2", 35}, {"CL1", 17},
                                                  {"CLA", 6}, {"FE1A", 26}, {"F1", 9},  {"CO", 6}};
  std::vector<Line> lines = peptide();
  for (const auto& [atom, element] : cofactor)
    lines.push_back({"HETATM", atom, "LIG", 9, {20 + 2.5 * static_cast<double>(lines.size()), 0, 0}, ""});
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) text += pdb_line(lines[i], static_cast<int>(i) + 1, "");
  const TemporaryFolder folder;
  const Receptor receptor = read_receptor(folder.write("a.pdb", text));
  std::map<std::string, int> elements;
  for (const ReceptorAtom& atom : receptor.atoms) elements[atom.name] = atom.element;
  for (const auto& [atom, element] : cofactor) EXPECT_EQ(elements[std::string("A:LIG 9:") + atom], element) << atom;
}

/// As where a cofactor was added by another program than that of the protein.
TEST(Receptor, ALineWithoutAnElementIsGuessedAmongOthersThatStateTheirs) {
  std::vector<Line> lines = peptide();
  lines.push_back({"HETATM", "CL1", "OEX", 8, {40, 0, 0}, "C"});
  lines.push_back({"HETATM", "C2", "OEX", 8, {41.5, 0, 0}, "C"});
  const std::pair<const char*, int> cofactor[] = {{"FE", 26}, {"ZN1", 30}, {"CL1", 17}, {"CA1", 6}, {"F1", 9}};
  for (const auto& [atom, element] : cofactor)
    lines.push_back({"HETATM", atom, "LIG", 9, {50 + 2.5 * static_cast<double>(lines.size()), 0, 0}, ""});
  const TemporaryFolder folder;
  const Receptor receptor = read_receptor(folder.write("a.pdb", pdb(lines)));
  std::map<std::string, int> elements;
  for (const ReceptorAtom& atom : receptor.atoms) elements[atom.name] = atom.element;
  for (const auto& [atom, element] : cofactor) EXPECT_EQ(elements[std::string("A:LIG 9:") + atom], element) << atom;
  EXPECT_EQ(elements["A:OEX 8:CL1"], 6);
  EXPECT_EQ(elements["A:GLY 1:CA"], 6);
}

TEST(Receptor, ALineThatEndsBeforeItsPositionIsAnError) {
  const TemporaryFolder folder;
  const std::string line = pdb_line(peptide()[0], 1, "");
  for (const std::size_t columns : {30, 38, 46, 53}) {
    const std::string path = folder.write("a.pdb", pdb(peptide()) + line.substr(0, columns) + "\n");
    EXPECT_THROW((void)read_receptor(path), InputError) << columns;
  }
}

TEST(Receptor, ElementsThatAreStatedStay) {
  const TemporaryFolder folder;
  std::vector<Line> lines = peptide();
  lines.push_back({"HETATM", "CD", "SER", 2, {6, 6, 6}, "CD"});
  for (const char* calcium : {"CA1", "CA2"})
    lines.push_back({"HETATM", calcium, "OEX", 9, {20 + static_cast<double>(lines.size()), 0, 0}, "CA"});
  lines.push_back({"HETATM", "FE", "OEX", 9, {50, 0, 0}, "F"});
  const Receptor receptor = read_receptor(folder.write("a.pdb", pdb(lines)));
  ASSERT_EQ(receptor.atoms.size(), 15u);
  EXPECT_EQ(receptor.atoms[11].element, 48);
  EXPECT_EQ(receptor.atoms[14].element, 9);
  EXPECT_EQ(receptor.atoms[12].element, 20);
  EXPECT_EQ(receptor.atoms[13].element, 20);
}

TEST(Receptor, PointsOfWaterThatAreNoAtomsAreLeftOut) {
  const TemporaryFolder folder;
  std::vector<Line> lines = peptide();
  for (const auto& [atom, residue] : {std::pair("OH2", "TIP"), std::pair("EPW", "WAT"), std::pair("MW", "SOL"),
                                      std::pair("OW", "SOL"), std::pair("HW1", "SOL")})
    lines.push_back({"HETATM", atom, residue, static_cast<int>(lines.size()), {0, 0, 20}, ""});
  const std::string path = folder.write("a.pdb", early_pdb(lines));
  EXPECT_EQ(read_receptor(path).atoms.size(), 11u);
  EXPECT_EQ(read_receptor(path, {.keep_waters = true}).atoms.size(), 13u);
}

TEST(Receptor, AtomsThatAreThereTwiceAreCounted) {
  const TemporaryFolder folder;
  const std::string once = pdb(peptide());
  EXPECT_EQ(read_receptor(folder.write("a.pdb", once)).num_doubled, 0);
  std::vector<Line> lines = peptide();
  for (Line line : peptide()) {
    line.number += 10;
    lines.push_back(line);
  }
  EXPECT_EQ(read_receptor(folder.write("b.pdb", pdb(lines))).num_doubled, std::ssize(peptide()));
}

std::map<std::string, AtomType> types_of(const Receptor& receptor) {
  std::map<std::string, AtomType> types;
  for (const ReceptorAtom& atom : receptor.atoms) types[atom.name] = atom.type;
  return types;
}

Receptor read(const std::string& name, const std::string& text, const ReceptorOptions& options = {}) {
  const TemporaryFolder folder;
  return read_receptor(folder.write(name, text), options);
}

std::string complaint(const std::string& name, const std::string& text) {
  return message_of<InputError>([&] { static_cast<void>(read(name, text)); });
}

TEST(Receptor, TypesComeFromResidueTemplates) {
  const Receptor receptor = read("protein.pdb", pdb(peptide()));
  EXPECT_EQ(receptor.id, "protein");
  EXPECT_EQ(receptor.atoms.size(), 11u);
  auto types = types_of(receptor);
  EXPECT_EQ(types["A:GLY 1:N"], AtomType::nitrogen_donor);
  EXPECT_EQ(types["A:GLY 1:CA"], AtomType::carbon_polar);
  EXPECT_EQ(types["A:GLY 1:O"], AtomType::oxygen_acceptor);
  EXPECT_EQ(types["A:SER 2:CB"], AtomType::carbon_polar);
  EXPECT_EQ(types["A:SER 2:OG"], AtomType::oxygen_donor_acceptor);
  EXPECT_EQ(types["A:SER 2:OXT"], AtomType::oxygen_acceptor);
  EXPECT_TRUE(receptor.missing_atoms.empty());
  EXPECT_TRUE(receptor.unknown_residues.empty());
}

TEST(Receptor, FirstLocationsAndMetalsStayAndWatersGo) {
  auto lines = peptide();
  lines[9].location = 'A';
  lines.insert(lines.begin() + 10, {"ATOM", "OG", "SER", 2, {4.0, 4.9, 1.9}, "O", 'B'});
  lines.push_back({"HETATM", "ZN", "ZN", 101, {20, 0, 0}, "ZN"});
  lines.push_back({"HETATM", "O", "HOH", 201, {30, 0, 0}, "O"});
  const std::string text = pdb(lines);
  const Receptor receptor = read("a.pdb", text);
  EXPECT_EQ(receptor.atoms.size(), 12u);
  EXPECT_EQ(receptor.num_waters, 1);
  EXPECT_EQ(receptor.atoms[9].position, (Point{4.24, 4.88, 1.25}));
  EXPECT_EQ(receptor.atoms.back().type, AtomType::metal);
  const Receptor wet = read("a.pdb", text, {.keep_waters = true});
  EXPECT_EQ(wet.num_waters, 0);
  EXPECT_EQ(wet.atoms.back().type, AtomType::oxygen_donor_acceptor);
}

TEST(Receptor, OnlyTheFirstModelCounts) {
  const std::string model = pdb(peptide());
  const std::string body = model.substr(0, model.size() - 4);
  const Receptor receptor =
      read("a.pdb", "MODEL        1\n" + body + "ENDMDL\nMODEL        2\n" + body + "ENDMDL\nEND\n");
  EXPECT_EQ(receptor.atoms.size(), 11u);
}

TEST(Receptor, CoordinatesOfPdbMustBeNumbers) {
  const std::string good = pdb(peptide());
  for (const char* damaged : {"garbage ", "        ", "  12.3x5", "********", "     nan"}) {
    std::string text = good;
    const std::size_t line = text.find("ATOM", text.find('\n'));
    text.replace(line + 30, 8, damaged);
    const std::string message = complaint("a.pdb", text);
    EXPECT_NE(message.find("a.pdb, line 2: '"), std::string::npos) << damaged << message;
    EXPECT_NE(message.find("is not a coordinate"), std::string::npos) << damaged << message;
  }
}

TEST(Receptor, ListsMissingAtomsAndUnknownResidues) {
  auto lines = peptide();
  lines.erase(lines.begin() + 8, lines.begin() + 10);  // CB and OG
  lines.push_back({"HETATM", "C1", "LIG", 7, {20, 0, 0}, "C"});
  lines.push_back({"HETATM", "O1", "LIG", 7, {21.43, 0, 0}, "O"});
  lines.push_back({"HETATM", "C2", "LIG", 8, {30, 0, 0}, "C"});
  lines.push_back({"HETATM", "O2", "LIG", 8, {31.22, 0, 0}, "O"});
  const Receptor receptor = read("a.pdb", pdb(lines));
  EXPECT_EQ(receptor.missing_atoms, (std::vector<std::string>{"A:SER 2:CB", "A:SER 2:OG"}));
  EXPECT_EQ(receptor.unknown_residues, (std::vector<std::string>{"A:LIG 7", "A:LIG 8"}));
  auto types = types_of(receptor);
  EXPECT_EQ(types["A:LIG 7:O1"], AtomType::oxygen_donor_acceptor) << "as long as an alcohol's";
  EXPECT_EQ(types["A:LIG 8:O2"], AtomType::oxygen_acceptor) << "as short as a carbonyl's";
}

/// A flat ring of five with the lengths of imidazole.
std::vector<Line> histidine(const char* name) {
  auto lines = peptide();
  for (Line& line : lines) {
    if (line.number == 2) line.residue = name;
  }
  lines.resize(8);
  const Point ring[] = {{3.54, 3.65, 1.25}, {3.10, 4.90, 1.80}, {3.60, 5.10, 3.07},
                        {2.30, 5.86, 1.30}, {3.10, 6.15, 3.33}, {2.31, 6.63, 2.26}};
  const char* const atoms[] = {"CB", "CG", "ND1", "CD2", "CE1", "NE2"};
  const char* const elements[] = {"C", "C", "N", "C", "C", "N"};
  for (int i = 0; i < 6; ++i) lines.push_back({"ATOM", atoms[i], name, 2, ring[i], elements[i]});
  return lines;
}

TEST(Receptor, HistidineHasTheStateOfItsName) {
  const auto state = [](const char* name) {
    auto types = types_of(read("a.pdb", pdb(histidine(name))));
    return std::pair(types[fmt::format("A:{} 2:ND1", name)], types[fmt::format("A:{} 2:NE2", name)]);
  };
  EXPECT_EQ(state("HIS"), std::pair(AtomType::nitrogen_donor, AtomType::nitrogen_acceptor));
  EXPECT_EQ(state("HID"), std::pair(AtomType::nitrogen_donor, AtomType::nitrogen_acceptor));
  EXPECT_EQ(state("HIE"), std::pair(AtomType::nitrogen_acceptor, AtomType::nitrogen_donor));
  EXPECT_EQ(state("HIP"), std::pair(AtomType::nitrogen_donor, AtomType::nitrogen_donor));
  auto lines = histidine("HIS");  // a hydrogen in the file decides
  lines.push_back({"ATOM", "HE2", "HIS", 2, {1.75, 7.45, 2.26}, "H"});
  auto types = types_of(read("a.pdb", pdb(lines)));
  EXPECT_EQ(types["A:HIS 2:ND1"], AtomType::nitrogen_acceptor);
  EXPECT_EQ(types["A:HIS 2:NE2"], AtomType::nitrogen_donor);
  EXPECT_EQ(types.size(), 14u) << "hydrogens are not kept";
}

TEST(Receptor, SeleniumCountsAsSulfurAndBoronIsRefused) {
  auto lines = peptide();
  lines.push_back({"HETATM", "SE", "MSE", 3, {20, 0, 0}, "SE"});
  EXPECT_EQ(read("a.pdb", pdb(lines)).atoms.back().type, AtomType::sulfur);
  lines.push_back({"HETATM", "B1", "BOR", 9, {30, 0, 0}, "B"});
  const std::string message = complaint("a.pdb", pdb(lines));
  EXPECT_NE(message.find("a.pdb, line 13, atom A:BOR 9:B1: there are no parameters for the element B"),
            std::string::npos)
      << message;
}

std::string pdbqt(const std::vector<std::pair<Line, const char*>>& lines) {
  std::string text;
  int serial = 0;
  for (const auto& [line, type] : lines) text += pdb_line(line, ++serial, fmt::format("    +0.000 {:<2}", type));
  return text;
}

TEST(Receptor, PdbqtNamesItsTypes) {
  const auto types = types_of(read("a.pdbqt", pdbqt({{{"ATOM", "N", "UNK", 1, {0, 0, 0}, ""}, "NA"},
                                                     {{"ATOM", "H", "UNK", 1, {1.0, 0, 0}, ""}, "HD"},
                                                     {{"ATOM", "C", "UNK", 1, {0, 1.5, 0}, ""}, "A"},
                                                     {{"ATOM", "C2", "UNK", 1, {0, 3.0, 0}, ""}, "C"},
                                                     {{"ATOM", "O", "UNK", 2, {9, 0, 0}, ""}, "OA"},
                                                     {{"ATOM", "ZN", "ZN", 3, {19, 0, 0}, ""}, "Zn"},
                                                     {{"ATOM", "S", "UNK", 4, {29, 0, 0}, ""}, "SA"}})));
  EXPECT_EQ(types.size(), 6u);
  EXPECT_EQ(types.at("A:UNK 1:N"), AtomType::nitrogen_donor_acceptor);
  EXPECT_EQ(types.at("A:UNK 1:C"), AtomType::carbon_polar);
  EXPECT_EQ(types.at("A:UNK 1:C2"), AtomType::carbon_hydrophobic);
  EXPECT_EQ(types.at("A:UNK 2:O"), AtomType::oxygen_acceptor);
  EXPECT_EQ(types.at("A:ZN 3:ZN"), AtomType::metal);
  EXPECT_EQ(types.at("A:UNK 4:S"), AtomType::sulfur);
}

/// The same peptide as mmCIF. @param without  columns that are left out
std::string cif(const std::vector<std::string>& without = {}) {
  std::string text = "data_x\nloop_\n";
  std::vector<bool> shown;
  for (const char* tag : {"group_PDB", "id", "type_symbol", "label_atom_id", "label_alt_id", "label_comp_id",
                          "label_asym_id", "label_entity_id", "label_seq_id", "Cartn_x", "Cartn_y", "Cartn_z",
                          "occupancy", "B_iso_or_equiv", "auth_seq_id", "auth_asym_id"}) {
    shown.push_back(std::ranges::find(without, tag) == without.end());
    if (shown.back()) text += std::string("_atom_site.") + tag + "\n";
  }
  int serial = 0;
  for (const Line& line : peptide()) {
    std::istringstream words(fmt::format("{} {} {} {} . {} A 1 {} {} {} {} 1 20 {} A", line.record, ++serial,
                                         line.element, line.atom, line.residue, line.number, line.position.x,
                                         line.position.y, line.position.z, line.number));
    std::string word;
    for (std::size_t i = 0; words >> word; ++i) text += shown[i] ? word + ' ' : "";
    text += '\n';
  }
  return text;
}

std::string mol2() {
  std::string text = "@<TRIPOS>MOLECULE\nprotein\n11 0\n@<TRIPOS>ATOM\n";
  int serial = 0;
  for (const Line& line : peptide()) {
    text += fmt::format("{} {} {} {} {} {}.3 {} {}{}\n", ++serial, line.atom, line.position.x, line.position.y,
                        line.position.z, line.element, line.number, line.residue, line.number);
  }
  return text + "@<TRIPOS>BOND\n";
}

TEST(Receptor, EveryFormatGivesTheSame) {
  const Receptor expected = read("a.pdb", pdb(peptide()));
  const TemporaryFolder folder;
  OutputFile compressed(folder.file("b.ent.gz"));
  compressed.write(pdb(peptide()));
  compressed.finish();
  for (const Receptor& receptor : {read("a.cif", cif()), read("a.mol2", mol2()), read_receptor(folder.file("b.ent.gz")),
                                   read("a.txt", mol2(), {.format = "mol2"})}) {
    ASSERT_EQ(receptor.atoms.size(), expected.atoms.size());
    for (std::size_t i = 0; i < expected.atoms.size(); ++i) {
      EXPECT_EQ(receptor.atoms[i].type, expected.atoms[i].type) << i;
      EXPECT_EQ(receptor.atoms[i].position, expected.atoms[i].position) << i;
    }
  }
}

TEST(Receptor, AtomsOfOneNameAreKeptUnlessTheyAreLocations) {
  auto lines = peptide();
  for (int i = 0; i < 3; ++i) lines.push_back({"HETATM", "C", "LIG", 7, {20 + 1.5 * i, 0, 0}, "C"});
  EXPECT_EQ(read("a.pdb", pdb(lines)).atoms.size(), 14u);
}

TEST(Receptor, DeuteriumIsHydrogen) {
  auto lines = peptide();
  lines.push_back({"ATOM", "DG", "SER", 2, {4.0, 5.3, 2.1}, "D"});
  EXPECT_EQ(read("a.pdb", pdb(lines)).atoms.size(), 11u);
}

TEST(Receptor, Mol2HasInsertionCodes) {
  std::string text = mol2();
  for (std::size_t at = 0; (at = text.find("SER2", at)) != std::string::npos;) text.insert(at += 4, "A");
  const Receptor receptor = read("a.mol2", text);
  EXPECT_TRUE(receptor.unknown_residues.empty());
  auto types = types_of(receptor);
  EXPECT_EQ(types["SER 2A:OG"], AtomType::oxygen_donor_acceptor);
  EXPECT_EQ(types["SER 2A:N"], AtomType::nitrogen_donor);
}

TEST(Receptor, MmcifNeedsFewColumns) {
  const Receptor expected = read("a.pdb", pdb(peptide()));
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"label_alt_id", "occupancy", "B_iso_or_equiv", "label_entity_id", "group_PDB"}, ""},
      {{"auth_seq_id", "auth_asym_id"}, ""},
      {{"label_asym_id", "label_seq_id"}, ""},
      {{"type_symbol"}, "there is no _atom_site.type_symbol"},
      {{"Cartn_y"}, "there is no _atom_site.Cartn_y"},
      {{"label_seq_id", "auth_seq_id"}, "there is no _atom_site.auth_seq_id or label_seq_id"},
      {{"label_atom_id"}, "label_atom_id"}};
  for (const auto& [missing, message] : cases) {
    SCOPED_TRACE(missing.front());
    const std::string text = cif(missing);
    if (*message != '\0') {
      EXPECT_NE(complaint("a.cif", text).find(message), std::string::npos) << complaint("a.cif", text);
      continue;
    }
    const Receptor receptor = read("a.cif", text);
    ASSERT_EQ(receptor.atoms.size(), expected.atoms.size());
    for (std::size_t i = 0; i < expected.atoms.size(); ++i) {
      EXPECT_EQ(receptor.atoms[i].type, expected.atoms[i].type);
      EXPECT_EQ(receptor.atoms[i].name, expected.atoms[i].name);
    }
  }
}

TEST(Receptor, RefusesWhatIsNoReceptor) {
  EXPECT_NE(complaint("a.pdb", "").find("is empty"), std::string::npos);
  EXPECT_NE(complaint("a.pdb", "nothing of the kind\n").find("has no protein atoms"), std::string::npos);
  EXPECT_NE(complaint("a.pdb", pdb({{"HETATM", "C1", "LIG", 7, {0, 0, 0}, "C"}})).find("has no protein atoms"),
            std::string::npos);
  EXPECT_NE(complaint("a.cif", "this is no CIF").find("cannot be read"), std::string::npos);
  EXPECT_NE(complaint("a.cif", "# a comment\n").find("there is no data block"), std::string::npos);
  EXPECT_NE(complaint("a.xyz", "x").find("cannot recognise the format"), std::string::npos);
  EXPECT_NE(complaint("a.mol2", "@<TRIPOS>ATOM\n1 N 0 x 0 N.3 1 GLY1\n").find("line 2: 'x' is not a coordinate"),
            std::string::npos);
  EXPECT_NE(complaint("a.pdbqt", pdbqt({{{"ATOM", "Q", "UNK", 1, {0, 0, 0}, ""}, "Q9"}})).find("line 1"),
            std::string::npos);
  EXPECT_NE(complaint("a.pdb", pdb({{"ATOM", "N", "GLY", 1, {2e5, 0, 0}, "N"}})), "");
}

}  // namespace
}  // namespace quarry
