/// A residue is a line of text: names of the residue, then its atoms. After an atom, `d` is a donor, `a` an acceptor,
/// `b` both, `?` one that may be absent.
///
/// States are those at pH 7.4 unless the name says another: ASH, GLH, LYN, HIE, HIP. A plain HIS has its hydrogen at
/// ND1, which is what Open Babel does in most of them. Names and atoms: the PDB's Chemical Component Dictionary; names
/// of protonation states: AMBER (HID, HIE, HIP, ...) and CHARMM (HSD, HSE, HSP).
#include "readers/receptor/residue_templates.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "util/ascii.hpp"

namespace quarry {
namespace {

struct Line {
  const char* names;
  const char* atoms;
};

constexpr const char* kAminoBackbone = "N:d CA C O:a OXT:a?";
constexpr Line kAminoAcids[] = {
    {"ALA", "CB"},
    {"ARG", "CB CG CD NE:d CZ NH1:d NH2:d"},
    {"ASN", "CB CG OD1:a ND2:d"},
    {"ASP", "CB CG OD1:a OD2:a"},
    {"ASH", "CB CG OD1:a OD2:b"},
    {"CYS CYX CYM", "CB SG"},
    {"GLN", "CB CG CD OE1:a NE2:d"},
    {"GLU", "CB CG CD OE1:a OE2:a"},
    {"GLH", "CB CG CD OE1:a OE2:b"},
    {"GLY", ""},
    {"HIS HID HSD", "CB CG ND1:d CD2 CE1 NE2:a"},
    {"HIE HSE", "CB CG ND1:a CD2 CE1 NE2:d"},
    {"HIP HSP", "CB CG ND1:d CD2 CE1 NE2:d"},
    {"ILE", "CB CG1 CG2 CD1"},
    {"LEU", "CB CG CD1 CD2"},
    {"LYS", "CB CG CD CE NZ:d"},
    {"LYN", "CB CG CD CE NZ:b"},
    {"MET", "CB CG SD CE"},
    {"PHE", "CB CG CD1 CD2 CE1 CE2 CZ"},
    {"PRO", "CB CG CD"},
    {"SER", "CB OG:b"},
    {"THR", "CB OG1:b CG2"},
    {"TRP", "CB CG CD1 CD2 NE1:d CE2 CE3 CZ2 CZ3 CH2"},
    {"TYR", "CB CG CD1 CD2 CE1 CE2 CZ OH:b"},
    {"VAL", "CB CG1 CG2"},
    // Frequent modified residues.
    {"MSE", "CB CG SE CE"},
    {"SEP", "CB OG:a P O1P:a O2P:a O3P:a"},
    {"TPO", "CB CG2 OG1:a P O1P:a O2P:a O3P:a"},
    {"PTR", "CB CG CD1 CD2 CE1 CE2 CZ OH:a P O1P:a O2P:a O3P:a"},
    {"KCX", "CB CG CD CE NZ:d CX OQ1:a OQ2:a"},
    {"HYP", "CB CG CD OD1:b"},
    {"CSO", "CB SG OD:b"},
    {"CSD", "CB SG OD1:a OD2:a"},
    {"OCS", "CB SG OD1:a OD2:a OD3:a"},
    {"CME", "CB SG SD CE CZ OH:b"},
    {"MLY", "CB CG CD CE NZ:d CH1 CH2"},
    {"M3L", "CB CG CD CE NZ CM1 CM2 CM3"},
};

/// The phosphate is absent in the first nucleotide of a strand.
constexpr const char* kSugar = "P? OP1:a? OP2:a? OP3:a? O5':a? C5' C4' O4':a C3' O3':a C2' C1'";
constexpr Line kNucleotides[] = {
    {"A DA", "N9 C8 N7:a C5 C6 N6:d N1:a C2 N3:a C4"},      {"C DC", "N1 C2 O2:a N3:a C4 N4:d C5 C6"},
    {"G DG", "N9 C8 N7:a C5 C6 O6:a N1:d C2 N2:d N3:a C4"}, {"U DU", "N1 C2 O2:a N3:d C4 O4:a C5 C6"},
    {"T DT", "N1 C2 O2:a N3:d C4 O4:a C5 C7 C6"},
};

/// Caps at the ends of a chain are whole residues.
constexpr Line kCaps[] = {{"ACE", "C O:a CH3"}, {"NME", "N:d C? CH3?"}, {"NH2", "N:d"}};

TemplateAtom atom_of(const std::string& word) {
  TemplateAtom atom{word.substr(0, word.find_first_of(":?"))};
  const std::string_view marks = std::string_view(word).substr(atom.name.size());
  const auto has = [&](char mark) { return marks.find(mark) != std::string_view::npos; };
  atom.donor = has('d') || has('b');
  atom.acceptor = has('a') || has('b');
  atom.optional = has('?');
  return atom;
}

using Templates = std::map<std::string, ResidueTemplate, std::less<>>;

void add(Templates& templates, const Line& line, const std::string& common, bool amino_acid) {
  ResidueTemplate residue{amino_acid, {}};
  std::istringstream atoms(common + " " + line.atoms), names(line.names);
  for (std::string word; atoms >> word;) residue.atoms.push_back(atom_of(word));
  for (std::string name; names >> name;) {
    templates[name] = residue;
    // RNA has a hydroxyl more than DNA; the names of one begin with D.
    if (!amino_acid && name.size() == 1) templates[name].atoms.push_back(atom_of("O2':b"));
  }
}

Templates make_templates() {
  Templates templates;
  for (const Line& line : kAminoAcids) add(templates, line, kAminoBackbone, true);
  for (const Line& line : kNucleotides) add(templates, line, kSugar, false);
  for (const Line& line : kCaps) add(templates, line, "", true);
  return templates;
}

}  // namespace

const TemplateAtom* ResidueTemplate::find(std::string_view atom) const {
  const auto found = std::ranges::find(atoms, atom, &TemplateAtom::name);
  return found == atoms.end() ? nullptr : &*found;
}

const ResidueTemplate* find_template(std::string_view residue) {
  static const Templates templates = make_templates();
  const auto found = templates.find(residue);
  return found == templates.end() ? nullptr : &found->second;
}

bool is_water(std::string_view residue) {
  constexpr std::string_view kWaters[] = {"HOH", "DOD", "WAT", "H2O", "TIP", "TIP3", "TIP4", "TP3", "SOL", "SPC"};
  return std::ranges::find(kWaters, residue) != std::end(kWaters);
}

}  // namespace quarry
