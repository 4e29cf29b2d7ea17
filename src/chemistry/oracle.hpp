/// RDKit's own parsers and matcher, as the truth that Quarry's answers are compared with.
///
/// Rows and queries are read by RDKit from their raw text, with its default settings and nothing of Quarry's own reading, so
/// that a comparison checks the reading too. RDKit 2022.09 stops in silence where a `$()` has matched 1,000 times; where that
/// happens, the atoms at which each `$()` matches are found here, innermost first, one atom at a time and so without a cap,
/// and given to RDKit's matcher.
/// Source: RDKit 2022.09, Substruct/SubstructMatch.cpp and Substruct/vf2.hpp.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "quarry/library.hpp"
#include "quarry/molecule.hpp"
#include "quarry/query.hpp"

namespace quarry {

/// A molecule as RDKit holds it, parsed from the text of a record.
class OracleMolecule {
 public:
  /// @throws InputError  the record is refused (names the reason)
  OracleMolecule(std::string_view record, RecordFormat format, bool explicit_hydrogens);
  OracleMolecule(OracleMolecule&&) noexcept;
  OracleMolecule& operator=(OracleMolecule&&) noexcept;
  ~OracleMolecule();

  /// Does Quarry hold this molecule as RDKit reads it?
  /// @param with_stereo  false: `molecule` has no stereo marks, and RDKit's are left aside
  bool is(const Molecule& molecule, bool with_stereo = true) const;

  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// A SMARTS as RDKit holds it, parsed from its text as it was written.
class OracleQuery {
 public:
  OracleQuery(std::string_view smarts, QueryHydrogens hydrogens);
  OracleQuery(OracleQuery&&) noexcept;
  OracleQuery& operator=(OracleQuery&&) noexcept;
  ~OracleQuery();

  /// False where RDKit does not read the SMARTS as Quarry does by intention: it refuses component groups, and with chirality
  /// takes `/,\\` for a direction.
  bool comparable(bool chirality = false) const;

  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// Most embeddings that the oracle counts where the caller sets no limit.
inline constexpr Index kMaxOracleMatches = 1'000'000;
/// Most atoms that the oracle places, right or wrong, for a query in several parts, or for a `$()` in several parts. About
/// 2 seconds. Tests set less.
inline Index max_oracle_steps = 10'000'000;

struct OracleAnswer {
  Index embeddings = 0;           ///< mappings of the query's atoms
  Index unique = 0;               ///< their distinct sets of atoms
  bool capped = false;            ///< there are more than `max_matches`
  bool recursion_filled = false;  ///< what `$()` match was found without RDKit: its limit was passed, or they have
                                  ///< dative bonds
};

/// Safe to call from several threads, even with one query: RDKit locks a query with `$()` while it matches.
/// @param max_matches  0 is kMaxOracleMatches
/// @throws InputError     the query is not comparable
/// @throws CapacityError  the search would take more than max_oracle_steps
OracleAnswer oracle_match(const OracleMolecule& molecule, const OracleQuery& query, bool chirality,
                          Index max_matches = 0);

/// Is there any embedding? @throws InputError  as oracle_match
bool oracle_has_match(const OracleMolecule& molecule, const OracleQuery& query, bool chirality);

/// The number of embeddings that RDKit's SubstructMatch finds, at most `max_matches`; does nothing else, for timing.
/// @param unique  of sets of atoms instead, of which RDKit keeps one embedding each; for queries without dative bonds
/// @throws InputError  as oracle_match
Index oracle_count(const OracleMolecule& molecule, const OracleQuery& query, bool chirality, Index max_matches,
                   bool unique = false);

}  // namespace quarry
