/// PDB and mmCIF files, read by gemmi.
#include <algorithm>
#include <cctype>
#include <exception>
#include <gemmi/cif.hpp>
#include <gemmi/mmcif.hpp>
#include <gemmi/pdb.hpp>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quarry/error.hpp"
#include "readers/receptor/site_elements.hpp"
#include "readers/receptor/structure.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

/// The charge that marks, for gemmi, an atom whose line has no element. Real charges are left out: nothing uses them.
constexpr int kNotStated = 9;

SiteResidue residue_of(const gemmi::Chain& chain, const gemmi::Residue& residue) {
  SiteResidue result{chain.name, residue.name, residue.seqid.str()};
  std::set<std::string> names;
  for (const gemmi::Atom& atom : residue.atoms) {
    if (!names.insert(atom.name).second && atom.altloc != '\0') continue;  // a further location
    result.atoms.push_back({{atom.pos.x, atom.pos.y, atom.pos.z},
                            atom.element.atomic_number(),
                            atom.name,
                            "",
                            0,
                            atom.serial,
                            atom.charge != kNotStated});
  }
  return result;
}

/// Where a position of the chain has several residues, the first counts.
Structure structure_of(const gemmi::Structure& read) {
  Structure structure;
  if (read.models.empty()) return structure;
  for (const gemmi::Chain& chain : read.models.front().chains) {
    std::set<std::pair<std::string, std::string>> positions;
    for (const gemmi::Residue& residue : chain.residues) {
      const bool alternate = !residue.atoms.empty() && residue.atoms.front().altloc != '\0';
      const bool first = positions.insert({residue.seqid.str(), residue.segment}).second;
      if (first || !alternate) structure.push_back(residue_of(chain, residue));
    }
  }
  complete_elements(structure);
  return structure;
}

constexpr std::size_t kEndOfPosition = 54;

/// A line of an atom without its charge, and with the mark if it has no element.
std::string with_mark(std::string_view line) {
  constexpr std::size_t kElement = 76, kCharge = 78;
  if (line.size() < kEndOfPosition) return std::string(line);
  std::string marked(line.substr(0, kCharge));
  const std::string_view element = columns(line, kElement, kCharge);
  if (std::any_of(element.begin(), element.end(), [](unsigned char c) { return std::isalpha(c) != 0; })) return marked;
  marked.resize(kCharge, ' ');
  return marked + std::to_string(kNotStated) + '+';
}

/// The records of atoms and models; gemmi's reading of the others is not made for arbitrary bytes. Lines keep their
/// numbers. @throws InputError  a coordinate is no number, for which gemmi would take 0
std::string only_atoms(std::string_view text, const std::string& name) {
  std::string atoms;
  for (Index number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    const bool is_atom = line.rfind("ATOM  ", 0) == 0 || line.rfind("HETATM", 0) == 0;
    if (is_atom && line.size() >= kEndOfPosition) static_cast<void>(parse_position(line, name, number));
    if (is_atom) atoms += with_mark(line);
    for (const char* record : {"MODEL ", "ENDMDL", "TER"}) {
      if (line.rfind(record, 0) == 0) atoms += line;  // this file is C++17 for some compilers
    }
    atoms += '\n';
  }
  std::replace_if(
      atoms.begin(), atoms.end(), [](char c) { return c != '\n' && !is_printable(c); }, ' ');
  return atoms;
}

/// Adds what gemmi asks for and can be left open, or taken from another column, to the table of atoms.
/// @throws std::runtime_error  a column is missing (names it)
void complete_columns(gemmi::cif::Block& block) {
  gemmi::cif::Loop* const loop = block.find_loop("_atom_site.id").get_loop();
  if (loop == nullptr) return;
  const auto require = [&](const std::string& tag, const std::string& alternatives = "") {
    if (!loop->has_tag(tag)) throw std::runtime_error("there is no " + tag + alternatives);
  };
  for (const char* tag : {"type_symbol", "Cartn_x", "Cartn_y", "Cartn_z"}) require(std::string("_atom_site.") + tag);
  constexpr std::pair<const char*, const char*> kColumns[] = {{"label_asym_id", "auth_asym_id"},
                                                              {"auth_seq_id", "label_seq_id"},
                                                              {"label_alt_id", ""},
                                                              {"occupancy", ""},
                                                              {"B_iso_or_equiv", ""}};
  for (const auto& [missing, other] : kColumns) {
    const std::string tag = std::string("_atom_site.") + missing, source = std::string("_atom_site.") + other;
    if (loop->has_tag(tag)) continue;
    const int from = loop->find_tag(source);
    if (from < 0 && *other != '\0') require(tag, std::string(" or ") + other);
    std::vector<std::string> values;
    for (std::size_t row = 0; row < loop->length(); ++row) {
      for (std::size_t column = 0; column < loop->width(); ++column) values.push_back(loop->val(row, column));
      values.push_back(from < 0 ? "." : loop->val(row, from));
    }
    loop->tags.push_back(tag);
    loop->values = std::move(values);
  }
}

template <class Read>
Structure read_with(Read read, const std::string& name) {
  try {
    return structure_of(read());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    std::string reason = error.what();
    reason.resize(std::min(reason.find_first_of("\r\n"), reason.size()));
    throw InputError(name + " cannot be read: " + reason);
  }
}

}  // namespace

Structure read_pdb_structure(const std::string& text, const std::string& name) {
  const std::string atoms = only_atoms(text, name);
  return read_with([&] { return gemmi::read_pdb_string(atoms, name); }, name);
}

Structure read_cif_structure(const std::string& text, const std::string& name) {
  return read_with(
      [&] {
        gemmi::cif::Document document = gemmi::cif::read_memory(text.data(), text.size(), name.c_str());
        if (document.blocks.empty()) throw std::runtime_error("there is no data block");
        for (gemmi::cif::Block& block : document.blocks) complete_columns(block);
        return gemmi::make_structure(document);
      },
      name);
}

}  // namespace quarry
