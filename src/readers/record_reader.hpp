/// The molecules of records: read natively where that is proven, else by RDKit, which also checks a share of the former.
///
/// RDKit reads what the native reader does not prove, SMILES whose stereo marks are to be resolved, what gets hydrogen atoms,
/// and all SDF.
#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "chemistry/smiles/native_reader.hpp"
#include "readers/row_reader.hpp"

namespace quarry {

/// The record of a row, and what names the row.
struct NamedRecord {
  Index line = 0;
  std::string_view id, record;
};

class RecordReader {
 public:
  RecordReader(RecordFormat format, const ReadOptions& options) : format_(format), options_(options) {}

  /// The molecule of a row, valid until the next call; nullptr where it is refused, with the reason.
  /// @throws InputError  as `perceive`
  const Molecule* read(const NamedRecord& row, std::string& reason);
  /// Of the rows since it was last taken.
  Audit take_audit() { return std::exchange(audit_, {}); }

 private:
  const Molecule* read_by_rdkit(const NamedRecord& row, std::string& reason);
  const Molecule* compare(const Molecule& native, const NamedRecord& row, std::string& reason);

  RecordFormat format_;
  const ReadOptions& options_;
  smiles::NativeReader native_;
  Molecule molecule_;
  Audit audit_;
};

/// Have the molecules their stereo marks? Else these are in the records alone.
inline bool resolves_stereo(const ReadOptions& options, RecordFormat format) {
  return options.stereo || options.explicit_hydrogens || format == RecordFormat::sdf;
}

/// Is the row of a line in the share that is audited? The same rows of every file.
bool is_audited(Index line, double share);

/// Gives the first atom of every molecule that is read natively a wrong charge, so that tests see a difference.
inline bool spoil_native_reading = false;

}  // namespace quarry
