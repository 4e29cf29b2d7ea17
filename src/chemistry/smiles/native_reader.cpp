#include "chemistry/smiles/native_reader.hpp"

#include "chemistry/smiles/steps.hpp"

namespace quarry::smiles {

std::string_view phrase_of(Unproven reason) {
  switch (reason) {
    case Unproven::none:
      return "proven";
    case Unproven::text:
      return "the text";
    case Unproven::size:
      return "the number of atoms or rings";
    case Unproven::hydrogens:
      return "a hydrogen atom";
    case Unproven::stereo:
      return "a stereo mark";
    case Unproven::valence:
      return "a valence";
    case Unproven::dummy_ring:
      return "a dummy atom in a ring";
    case Unproven::kekule:
      return "no Kekule form";
    case Unproven::rings:
      return "the set of rings";
    case Unproven::aromaticity:
      return "the number of fused rings";
  }
  return "";
}

const Molecule* NativeReader::read(std::string_view text) {
  reason_ = run(text);
  if (reason_ != Unproven::none) return nullptr;
  write_molecule(draft_, molecule_);
  return &molecule_;
}

Unproven NativeReader::run(std::string_view text) {
  draft_.clear();
  Unproven reason = parse_text(text, draft_);
  if (reason == Unproven::none) reason = remove_hydrogens(draft_);
  if (reason == Unproven::none) reason = link_atoms(draft_);
  if (reason != Unproven::none) return reason;
  separate_charges(draft_);
  reason = assign_valences(draft_);
  if (reason == Unproven::none) reason = rings_.find(draft_);
  if (reason == Unproven::none) reason = kekule_.run(draft_);
  if (reason != Unproven::none) return reason;
  assign_radicals(draft_);
  reason = aromaticity_.run(draft_);
  if (reason != Unproven::none) return reason;
  assign_hybridization(draft_);
  return settle_hydrogens(draft_);
}

}  // namespace quarry::smiles
