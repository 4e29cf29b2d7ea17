/// What ligands are made from: rows of a text file, or molecules of a library with the conformers it keeps.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chemistry/ligand/ligand.hpp"
#include "library/conformers.hpp"
#include "quarry/ligand.hpp"
#include "readers/row_reader.hpp"

namespace quarry {

struct LigandRecord {
  Row row;
  /// Of a library with conformers; empty where the record has coordinates.
  std::optional<std::vector<StoredIsomer>> isomers = {};
};

class LigandRows {
 public:
  virtual ~LigandRows() = default;
  /// @return false at the end
  virtual bool next(LigandRecord& record) = 0;
  virtual LigandFormat format() const = 0;
  virtual ReadNotes notes() const { return {}; }
  virtual Index bytes_read() const = 0;
  virtual Index bytes_total() const = 0;
};

/// @param paths  one file, or several libraries
/// @throws InputError  a file cannot be read, or its format is unknown
std::unique_ptr<LigandRows> open_ligand_rows(const std::vector<std::string>& paths, const LigandOptions& options);

}  // namespace quarry
