/// What `quarry grep` prints of a molecule that it selects.
#pragma once
#include <string>

#include "output/hits.hpp"

namespace quarry::cli {

struct GrepStyle {
  bool only_matching = false;  ///< the atoms of each match as SMILES, not the line
  bool coloured = false;
  bool on_terminal = false;  ///< `terminal_safe`
  /// Whether matches are needed, and not only whether there is one.
  bool needs_atoms() const { return only_matching || coloured; }
};

/// Lines of one file.
class GrepLines {
 public:
  /// @param file      each line begins with it; empty: none does
  /// @param is_text   the file has lines; a library has none, and SMILES and id are printed
  /// @param explicit_hydrogens  whether the hydrogens of molecules are atoms
  GrepLines(const QuerySet& queries, GrepStyle style, const std::string& file, bool is_text, bool explicit_hydrogens);

  /// Whether lines are rows of the file, so that they stay a table behind its header.
  bool are_rows() const { return prefix_.empty() && !style_.only_matching; }
  /// As it may stand on a terminal, where that is the output.
  std::string safe(std::string_view text) const;
  /// Adds the lines of a molecule with its hits, which may be none.
  void append(const MoleculeHits& molecule, std::string& text) const;
  /// Adds a line with only the name of the file.
  void append_name(std::string& text) const;
  /// The name with a colon, or nothing.
  const std::string& prefix() const { return prefix_; }

 private:
  void append_line(const MoleculeHits& molecule, std::string& text) const;
  void append_matches(const MoleculeHits& molecule, std::string& text) const;

  const QuerySet& queries_;
  GrepStyle style_;
  std::string name_, prefix_;
  bool is_text_, explicit_hydrogens_;
};

}  // namespace quarry::cli
