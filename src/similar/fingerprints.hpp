/// The packed chunks behind Fingerprints: in memory, or those of a library.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "similar/pack.hpp"

namespace quarry::similar {

/// A packed chunk with its memory, or with what keeps the file of a library mapped.
struct PackedChunk {
  Buffer<std::byte> bytes;
  std::shared_ptr<const void> file;
  PackedView view;
  Order order = Order::magnitude;
  std::string where = "packed chunk";  ///< for messages: "lib.qlib: chunk 3, section similar"
};
using SharedChunk = std::shared_ptr<const PackedChunk>;

SharedChunk pack_chunk(const Multisets& multisets, const Definition& definition, Order order);

struct ChunkStore {
  Definition definition;
  std::vector<Index> first{0};       ///< [chunks + 1] first molecule of each chunk
  const Library* library = nullptr;  ///< where chunks are a library's
  /// [chunks]; one of a library is null until it is needed, and is then checked or packed under its mutex.
  mutable std::vector<SharedChunk> chunks;
  /// [chunks] Where the files of a library do not stay open: a chunk that lies in a file, as long as someone uses it, and
  /// whether it has been checked before.
  mutable std::vector<std::weak_ptr<const PackedChunk>> mapped;
  mutable std::vector<char> checked;
  mutable std::vector<std::mutex> mutexes;

  Index num_chunks() const { return std::ssize(first) - 1; }
  /// A chunk in order of magnitude. Thread-safe. @throws InputError  the library is damaged
  SharedChunk chunk(Index i) const;
  /// All chunks, in memory. @throws as `chunk`
  std::vector<SharedChunk> load_all(Order order, int threads) const;
  /// Adds a chunk of molecules that come after all others.
  void append(const Multisets& multisets);

  static const ChunkStore& of(const Fingerprints& fingerprints) { return *fingerprints.store_; }
  static Fingerprints wrap(std::unique_ptr<ChunkStore> store) { return Fingerprints(std::move(store)); }

 private:
  /// Do the chunks of a library stay where they are?
  bool keeps_files() const { return mapped.empty(); }
  SharedChunk load(Index i) const;
};

/// The same molecules, all chunks in memory or mapped. @throws as ChunkStore::chunk
Fingerprints load(const Fingerprints& molecules, int threads);
/// Some of the molecules, all of which are in memory. @param wanted  ascending
Fingerprints subset(const Fingerprints& molecules, const std::vector<Index>& wanted);

/// Consecutive rows of a chunk that are compared together.
struct RowGroup {
  const PackedView& chunk;
  RowsView rows;              ///< of the whole chunk
  Index first = 0, last = 0;  ///< in the chunk
  Index number = 0;           ///< of the group, over all chunks
  Index size() const { return last - first; }
};

/// @throws InputError  the definitions differ
void check_comparable(const Fingerprints& rows, const Fingerprints& columns);

}  // namespace quarry::similar
