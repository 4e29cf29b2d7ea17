/// What similar, cluster and pick share: options for comparing molecules, and the molecules to compare.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common.hpp"
#include "input/read_notes.hpp"
#include "output/json.hpp"
#include "quarry/files/smiles_table.hpp"
#include "quarry/library.hpp"
#include "quarry/similar.hpp"

namespace quarry::cli {

class FingerprintSource;

struct ComparisonSeconds {
  double compare = 0, write = 0, total = 0;
};

/// Options of all three verbs.
class ComparisonOptions {
 public:
  /// @param output  help text of -o
  void add_to(Arguments& verb, const char* output);
  similar::Definition definition() const;
  Normalize normalize() const;  ///< for text files
  bool rewrites() const;        ///< --normalize canonical
  similar::Options run(Progress progress) const;
  /// With --json, prints rows, `found`, device and seconds.
  void print_json(const FingerprintSource& source, const Json::Members& found, const ComparisonSeconds& seconds) const;
  std::string device() const { return device_.name(); }
  /// @throws InputError, DeviceError  as DeviceOptions::name
  void check() const;
  /// Writes the rejected rows to the file of --rejects, throws where a source has no molecule left, and warns on
  /// standard error of SMILES that are not canonical. @throws InputError
  void accept(const std::vector<FingerprintSource*>& sources) const;

  ReadOptions read;
  std::string output = "-", rejects;
  bool json = false, quiet = false;

 private:
  std::string metric_ = "lingo", normalize_ = "checked";
  DeviceOptions device_;
  int q_ = 4;
  bool fold_halogens_ = false;
};

/// SMILES from the command line; an id may follow each, after a blank.
struct SmilesRows {
  std::vector<std::string> rows;
};

/// Molecules of libraries and text files, packed for comparing, with their ids and SMILES.
class FingerprintSource {
 public:
  /// @throws InputError  as Library::open and read_smiles
  FingerprintSource(const std::vector<std::string>& paths, const ComparisonOptions& options);
  FingerprintSource(const SmilesRows& smiles, const ComparisonOptions& options);

  const similar::Fingerprints& fingerprints() const { return *fingerprints_; }
  /// First molecules of the chunks that are compared as a whole.
  std::vector<Index> chunk_begins() const;
  std::string_view id(Index molecule);
  std::string_view smiles(Index molecule);
  const Report& report() const { return table_.report; }
  double read_seconds() const { return read_seconds_; }
  double pack_seconds() const { return pack_seconds_; }
  /// To be called when the rejected rows are written. @throws InputError  there are rows, and none is a molecule
  void require_molecules() const;
  /// Adds rows of the file of --rejects to `text`.
  /// @param named  whether each reason begins with the name of the input
  void append_rejected(std::string& text, bool named) const;
  /// Says on standard error where ids come from, what was ignored or rejected, which files have no rows, and which
  /// fingerprints of a library are computed.
  void say_notes(const std::string& id_column, bool quiet) const;
  /// Rows with the id of an earlier one: of molecules, `id` returns a name that tells them apart.
  Index num_equal_ids();
  /// Molecules whose fingerprints were stored in a library; those of all others are computed.
  Index num_stored() const { return num_stored_; }
  Json::Members fingerprints_json() const;
  /// A warning where fewer than half of some sampled SMILES are canonical; else empty.
  std::string canonical_warning();

 private:
  /// @return  false where they have to be read as a table
  bool open_libraries(const std::vector<std::string>& paths, const ComparisonOptions& options);
  void read_table(const std::string& path, const ComparisonOptions& options, DistinctIds& ids, bool named);
  void pack(const ComparisonOptions& options);
  void find_names();
  const ChunkText& text_of(Index molecule, Index& offset);

  std::string name_;
  std::vector<std::pair<std::string, ReadNotes>> notes_;  ///< of text files, by path
  MissingMolecules missing_;                              ///< of those
  bool as_is_lingos_ = false, is_ecfp4_ = false, of_library_ = false;
  Index num_stored_ = 0;
  std::optional<Library> library_;  ///< where its molecules are compared as they are stored
  std::vector<ChunkText> texts_;    ///< [chunks of library_], each read when it is first needed
  std::vector<std::string>
      unnamed_;  ///< paths of library_, until a name is asked for: not every run has to read all ids
  std::vector<NamedMolecule> named_;  ///< of library_
  Index num_equal_ids_ = 0;
  SmilesTable table_;  ///< the molecules where there is no library_
  std::optional<similar::Fingerprints> fingerprints_;
  double read_seconds_ = 0, pack_seconds_ = 0;
};

}  // namespace quarry::cli
