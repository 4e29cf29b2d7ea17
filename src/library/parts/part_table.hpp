/// The parts of a library: one that stays open, or many files of which a few are open at a time.
///
/// Memory, mappings and file descriptors do not grow with the number of parts: what is used is opened, what has not been
/// used for longest is closed. Who uses a chunk holds its part, which stays open as long as anyone does.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "library/parts/library_part.hpp"
#include "util/files/file_state.hpp"

namespace quarry {

using SharedPart = std::shared_ptr<const LibraryPart>;

/// What is known of a part without opening it.
struct PartPlace {
  std::string path;
  Index bytes = 0;  ///< of the file
  ChunkCounts counts;
  std::vector<Index> chunk_molecules = {};     ///< [chunks]
  std::optional<std::uint64_t> checksum = {};  ///< of the file, where a manifest states it
  std::string source = {};                     ///< file that its rows are from
  std::optional<FileState> opened = {};        ///< when it was opened first
};

class PartTable {
 public:
  /// Most parts that are open while nobody uses them.
  static constexpr std::size_t kMostOpen = 8;

  /// One part that stays open.
  explicit PartTable(SharedPart part) : only_(std::move(part)) {}
  /// Files that are opened when they are used. @param provenance  what all of them have to agree with
  PartTable(std::vector<PartPlace> places, const Provenance& provenance)
      : places_(std::move(places)), provenance_(provenance) {}

  Index size() const { return only_ ? 1 : std::ssize(places_); }
  bool stays_open() const { return only_ != nullptr; }
  const PartPlace& place(Index part) const { return places_[part]; }
  /// Opens the part where it is not open. Thread-safe.
  /// @throws InputError  it cannot be opened, or is not the file that was expected
  SharedPart part(Index number) const;
  /// The part if it is open, else nullptr.
  SharedPart open_part(Index number) const;
  /// @throws InputError  the file is not the one whose checksum is known
  void verify(Index number) const;
  /// @throws InputError  something has written to a part that is open
  void check_unchanged() const;

 private:
  SharedPart open(Index number) const;
  void check(const LibraryPart& part, Index number) const;

  SharedPart only_;
  mutable std::vector<PartPlace> places_;  // `opened` under the mutex, the rest stays as it is
  Provenance provenance_;
  mutable std::mutex mutex_;
  mutable std::vector<std::pair<Index, SharedPart>> recent_;  // the one used last is the last
};

}  // namespace quarry
