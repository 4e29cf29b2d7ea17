/// What `quarry grep` prints of a molecule that it selects.
#include "output/molecules/grep_lines.hpp"

#include <algorithm>

#include "output/molecules/smiles_colour.hpp"
#include "quarry/convert.hpp"
#include "quarry/files/output.hpp"

namespace quarry::cli {
namespace {

std::string in_colour(std::string_view colour, std::string_view text) {
  return std::string(colour).append(text).append(kNoColour);
}

/// Every atom of some match, in ascending order.
std::vector<std::uint32_t> matched_atoms(const MoleculeHits& molecule) {
  std::vector<std::uint32_t> atoms;
  for (Index i = molecule.first_hit; i < molecule.last_hit; ++i) {
    const auto mappings = molecule.mappings(i);
    atoms.insert(atoms.end(), mappings.begin(), mappings.end());
  }
  std::ranges::sort(atoms);
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  return atoms;
}

}  // namespace

GrepLines::GrepLines(const QuerySet& queries, GrepStyle style, const std::string& file, bool is_text,
                     bool explicit_hydrogens)
    : queries_(queries),
      style_(style),
      name_(style.coloured ? in_colour(kFileColour, safe(file)) : safe(file)),
      is_text_(is_text),
      explicit_hydrogens_(explicit_hydrogens) {
  if (!file.empty()) prefix_ = name_ + (style.coloured ? in_colour(kSeparatorColour, ":") : ":");
}

std::string GrepLines::safe(std::string_view text) const {
  return style_.on_terminal ? terminal_safe(text) : std::string(text);
}

void GrepLines::append_name(std::string& text) const { text.append(name_).append(1, '\n'); }

void GrepLines::append(const MoleculeHits& molecule, std::string& text) const {
  if (style_.only_matching)
    append_matches(molecule, text);
  else
    append_line(molecule, text);
}

void GrepLines::append_line(const MoleculeHits& molecule, std::string& text) const {
  const bool sdf = molecule.format == RecordFormat::sdf;
  text += prefix_;
  if (style_.coloured && !sdf)
    text += with_colours(safe(molecule.record), matched_atoms(molecule));
  else if (style_.on_terminal)
    text += safe(molecule.record);
  else
    text += molecule.record;
  if (sdf)
    text += molecule.record.ends_with('\n') ? "$$$$" : "\n$$$$";
  else if (!is_text_)
    text.append(1, ' ').append(safe(molecule.id));
  text += '\n';
}

void GrepLines::append_matches(const MoleculeHits& molecule, std::string& text) const {
  for (Index i = molecule.first_hit; i < molecule.last_hit; ++i) {
    const std::size_t num_atoms = queries_.accepted[molecule.hit(i).query].pattern.atoms.size();
    for (auto rest = molecule.mappings(i); !rest.empty(); rest = rest.subspan(num_atoms)) {
      const std::string smiles = fragment_smiles(std::string(molecule.record), molecule.format, explicit_hydrogens_,
                                                 rest.first(num_atoms), std::string(molecule.id));
      text.append(prefix_).append(style_.coloured ? in_colour(kMatchColour, smiles) : smiles) += '\n';
    }
  }
}

}  // namespace quarry::cli
