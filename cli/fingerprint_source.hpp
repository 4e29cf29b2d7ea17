/// What similar, cluster and pick share: how molecules are compared, and where they come from.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common.hpp"
#include "json.hpp"
#include "quarry/library.hpp"
#include "quarry/similar.hpp"
#include "quarry/smiles_table.hpp"

namespace quarry::cli {

class FingerprintSource;

struct ComparisonSeconds {
  double compare = 0, write = 0, total = 0;
};

/// The options that the three share.
class ComparisonOptions {
 public:
  /// @param output  help for -o
  void add_to(Arguments& verb, const char* output);
  similar::Definition definition() const;
  Normalize normalize() const;  ///< of text files
  bool rewrites() const;        ///< canonical SMILES were asked for
  similar::RunOptions run(Progress progress) const;
  /// With --json: rows, what the verb found, and where it ran for how long.
  void print_json(const FingerprintSource& source, const Json::Members& found, const ComparisonSeconds& seconds) const;
  std::string device() const { return device_.name(); }
  /// @throws InputError, DeviceError  an output would replace an input or the other output, or as DeviceOptions::name
  void check(const std::vector<std::string>& inputs) const;
  /// Writes the rows that could not be used, then says no where a source has none left, then warns.
  void accept(const std::vector<FingerprintSource*>& sources) const;

  ReadOptions read;
  std::string output = "-", rejects;
  bool json = false, quiet = false;

 private:
  std::string metric_ = "lingo", normalize_ = "as-is";
  DeviceOptions device_;
  int q_ = 4;
  bool fold_halogens_ = false;
};

/// Molecules of a library or a text file, packed for comparing, with their ids and SMILES.
class FingerprintSource {
 public:
  /// @throws InputError  as Library::open and read_smiles
  FingerprintSource(const std::string& path, const ComparisonOptions& options);
  /// SMILES from the command line, each perhaps followed by a blank and an id.
  FingerprintSource(const std::vector<std::string>& smiles, const ComparisonOptions& options);

  const similar::Fingerprints& fingerprints() const { return *fingerprints_; }
  const std::string& id(Index molecule);
  const std::string& smiles(Index molecule);
  const Report& report() const { return table_.report; }
  double read_seconds() const { return read_seconds_; }
  double pack_seconds() const { return pack_seconds_; }
  /// @throws InputError  no molecule can be used; called once the rejected rows are written
  void require_molecules() const;
  /// Rows for the file of --rejects.
  /// @param named  the reason begins with the name of the file
  void append_rejected(std::string& text, bool named) const;
  /// A sentence where the SMILES are evidently not canonical, from a sample; empty where they seem to be.
  std::string canonical_warning();

 private:
  void pack(const ComparisonOptions& options);
  const ChunkText& text_of(Index molecule, Index& offset);

  std::string name_;
  bool as_is_lingos_ = false;
  std::optional<Library> library_;  ///< compared as it is
  std::vector<ChunkText> texts_;    ///< of its chunks, where they were asked for
  SmilesTable table_;               ///< without columns where a library is compared as it is
  std::optional<similar::Fingerprints> fingerprints_;
  double read_seconds_ = 0, pack_seconds_ = 0;
};

}  // namespace quarry::cli
