/// Collections: a folder of `.qlib` parts and a manifest that lists them. Library::open makes one library of it.
///
/// A part holds consecutive rows of one source. Parts are never changed, and the manifest is replaced as a whole, so a
/// reader sees a collection as it was before a run that adds to it, or after. Format in docs/library-format.md.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "quarry/library.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// In the folder of a collection.
inline constexpr const char* kManifestName = "manifest.json";
/// A part ends with the chunk that brings it to this number of rows.
inline constexpr Index kPartRows = 1'000'000;

/// Is it named `.qlibs`, or a folder with a manifest?
[[nodiscard]] bool is_collection(const std::string& path);

/// What a collection was made of: a file, or a stream with a name.
struct CollectionSource {
  std::string name;      ///< as the user gave it
  std::string identity;  ///< as identity_of_file says; empty for a stream
  Report report = {};
};

/// Consecutive rows of a source, as a `.qlib` file.
struct CollectionPart {
  Index source = 0;     ///< which of the sources
  Index first_row = 0;  ///< rows of the source before it
  Report report = {};
  Index atoms = 0, bonds = 0;
  Index bytes = 0;                          ///< of the file
  std::uint64_t checksum = 0;               ///< of the file, XXH3
  std::vector<Index> chunk_molecules = {};  ///< [chunks]
};

/// What a manifest says.
struct Collection {
  Provenance provenance;  ///< of all parts; source, created, identity and first_row are empty
  std::vector<CollectionSource> sources;
  std::vector<CollectionPart> parts;  ///< in order of their rows; those of a source follow one another

  Report report() const;
};

/// Name of a part in the folder: "part-000012.qlib".
[[nodiscard]] std::string part_name(Index part);

/// Reads the manifest. @throws InputError  there is none, it is damaged, or written by a newer version
[[nodiscard]] Collection read_collection(const std::string& path);

/// Makes a collection, or adds to one: source after source, chunk after chunk. What is finished stays where the process
/// is killed: the next writer takes it over, and the result is the same, byte for byte. Where options or sources are not
/// what they were, the option of the InputError is "restart".
class CollectionWriter {
 public:
  /// @param command    options that shape the content, as ReadOptions::command has them
  /// @param part_rows  a part ends with the chunk that brings it to this number; at least 1
  /// @param restart    begin anew, whatever is there
  /// @param wait       until no other process is writing to it
  /// @throws InputError   it was made with other options, or another process is writing to it
  /// @throws SystemError  the folder cannot be made or written
  CollectionWriter(const std::string& path, const std::string& command, Index part_rows = kPartRows,
                   bool restart = false, bool wait = false);
  CollectionWriter(const CollectionWriter&) = delete;
  CollectionWriter& operator=(const CollectionWriter&) = delete;
  ~CollectionWriter();  ///< without `finish`, keeps the parts that are complete; the manifest is the one before

  /// Names of sources of a run that was stopped: they have to be entered before others, and in this order.
  const std::vector<std::string>& stopped() const;
  /// All sources that are there, the stopped ones last.
  const Collection& collection() const;
  /// Is the source there as a whole?
  bool is_complete(const std::string& name) const;
  /// Begins a source, or goes on with one.
  /// @param identity  as identity_of_file; empty: it is a stream, which cannot be read before
  /// @return  rows of a file that are there, which are not to be appended; of a stream none: `append` compares its rows
  ///          with those that are there
  /// @throws InputError  the file has changed, or a stopped source has to be entered before
  Report enter(const std::string& name, const std::string& identity);
  /// Adds the chunks of a library, of the source that was entered.
  /// @throws InputError   records or hydrogens are not those of the other sources; a stream is not what it was
  /// @throws SystemError  the disk is full
  void append(const Library& library);
  /// Ends the source. @throws InputError  a stream is shorter than it was
  void leave();
  /// Adds the sources of another collection that are not here. Its files get a second name, and where that cannot be are
  /// copied. @throws InputError  as the constructor, `enter` and read_collection, or a file is not what its manifest says
  void join(const std::string& path);
  /// Writes the manifest. @throws SystemError
  const Collection& finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace quarry
#pragma GCC visibility pop
