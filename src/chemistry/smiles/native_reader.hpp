/// Reads a SMILES without RDKit, to the same atoms and bonds, or says that it cannot prove them.
///
/// The reader follows RDKit's parser and sanitisation step by step, in its order of atoms, bonds and rings. A molecule for
/// which a step would need what is not done here is not proven, and so is every text that might be an error; RDKit reads it.
#pragma once
#include <array>
#include <string_view>

#include "chemistry/smiles/aromaticity.hpp"
#include "chemistry/smiles/draft.hpp"
#include "chemistry/smiles/kekule.hpp"
#include "chemistry/smiles/rings/ring_finder.hpp"
#include "quarry/molecule.hpp"

namespace quarry::smiles {

/// One phrase for each reason.
std::string_view phrase_of(Unproven reason);

class NativeReader {
 public:
  /// @param text  a SMILES with nothing after it
  /// @return      what `perceive` gives for the molecule that RDKit reads, but without stereo marks; valid until the next
  ///              call. nullptr where that is not proven
  const Molecule* read(std::string_view text);
  /// Of the last read.
  Unproven reason() const { return reason_; }
  /// Has the text of the last read, which is proven, marks of stereo? They are not resolved.
  bool has_stereo_marks() const { return draft_.has_stereo_marks; }

 private:
  Unproven run(std::string_view text);

  Draft draft_;
  RingFinder rings_;
  KekuleSearch kekule_;
  AromaticityModel aromaticity_;
  Molecule molecule_;
  Unproven reason_ = Unproven::none;
};

}  // namespace quarry::smiles
