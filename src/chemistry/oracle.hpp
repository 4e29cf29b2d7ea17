/// RDKit's own matcher, as the truth that Quarry's answers are compared with.
///
/// It says where RDKit 2022.09 cannot be compared: a SMARTS with component groups is not comparable, and an answer is
/// capped where RDKit stopped counting, or where a `$()` matched more than 1,000 times, at which RDKit stops in
/// silence.
/// Source: RDKit 2022.09, Substruct/SubstructMatch.cpp and Substruct/vf2.hpp.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "quarry/library.hpp"
#include "quarry/query.hpp"

namespace quarry {

/// A molecule as RDKit holds it, parsed from a record as MoleculeReader does.
class OracleMolecule {
 public:
  /// @throws InputError  the record is refused (names the reason)
  OracleMolecule(std::string_view record, RecordFormat format, bool explicit_hydrogens);
  OracleMolecule(OracleMolecule&&) noexcept;
  OracleMolecule& operator=(OracleMolecule&&) noexcept;
  ~OracleMolecule();

  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// A SMARTS as RDKit holds it, parsed as compile_smarts does.
class OracleQuery {
 public:
  /// @throws InputError  the SMARTS is refused (names the reason)
  OracleQuery(std::string_view smarts, QueryHydrogens hydrogens);
  OracleQuery(OracleQuery&&) noexcept;
  OracleQuery& operator=(OracleQuery&&) noexcept;
  ~OracleQuery();

  /// False where the SMARTS groups components, which RDKit cannot do.
  bool comparable() const;

  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// Most embeddings that the oracle counts where the caller sets no limit.
inline constexpr Index kMaxOracleMatches = 1'000'000;

struct OracleAnswer {
  Index embeddings = 0;           ///< mappings of the query's atoms
  Index unique = 0;               ///< their distinct sets of atoms
  bool capped = false;            ///< there are more than `max_matches`, or recursion_capped
  bool recursion_capped = false;  ///< RDKit's limit on `$()` may have changed the answer
};

/// Safe to call from several threads, even with one query: RDKit locks a query with `$()` while it matches.
/// @param max_matches  0 is kMaxOracleMatches
/// @throws InputError  the query is not comparable
OracleAnswer oracle_match(const OracleMolecule& molecule, const OracleQuery& query, bool chirality,
                          Index max_matches = 0);

/// Is there any embedding? @throws InputError  as oracle_match
bool oracle_has_match(const OracleMolecule& molecule, const OracleQuery& query, bool chirality);

/// The number of embeddings that RDKit's SubstructMatch finds, at most `max_matches`; does nothing else, for timing.
/// @throws InputError  as oracle_match
Index oracle_count(const OracleMolecule& molecule, const OracleQuery& query, bool chirality, Index max_matches);

}  // namespace quarry
