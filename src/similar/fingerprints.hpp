/// The packed chunks behind Fingerprints: in memory, or those of a library.
#pragma once
#include <atomic>
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
  std::shared_ptr<const void> file;  ///< where it is read in place
  PackedView view;
  Order order = Order::magnitude;
  std::string where = "packed chunk";  ///< for messages: "lib.qlib: chunk 3, section fingerprints"
};
using SharedChunk = std::shared_ptr<const PackedChunk>;

SharedChunk pack_chunk(const Multisets& multisets, const Definition& definition, Order order);

struct ChunkStore {
  Definition definition;
  std::vector<Index> first{0};       ///< [chunks + 1] first molecule of each chunk
  const Library* library = nullptr;  ///< where chunks are a library's
  /// [chunks]; one of a library is null until it is needed, and is then unpacked or packed under its mutex. Beyond
  /// kKeptBytes it stays null and is unpacked whenever it is needed.
  mutable std::vector<SharedChunk> chunks;
  mutable std::vector<std::mutex> mutexes;
  mutable std::vector<char> asked;           ///< [chunks]: was it needed for a few rows? Under its mutex
  mutable std::atomic<Index> kept_bytes{0};  ///< of chunks that were unpacked

  Index num_chunks() const { return std::ssize(first) - 1; }
  /// A chunk in order of magnitude. Thread-safe. @throws InputError  the library is damaged
  SharedChunk chunk(Index i) const;
  /// The same for comparing with these rows. The first time that a stored chunk is needed, and the rows are few, only what
  /// they need of it is unpacked. PERF: a whole chunk takes 600 instructions a molecule
  SharedChunk chunk_for(const PackedView& rows, Index i) const;
  /// All chunks, in memory. @throws as `chunk`
  std::vector<SharedChunk> load_all(Order order, int threads) const;
  /// Finds a chunk of the library, and keeps it if it is whole. @param rows  nullptr: all of it is needed
  SharedChunk find(Index i, const PackedView* rows) const;
  /// Adds a chunk of molecules that come after all others.
  void append(const Multisets& multisets);

  static const ChunkStore& of(const Fingerprints& fingerprints) { return *fingerprints.store_; }
  static Fingerprints wrap(std::unique_ptr<ChunkStore> store) { return Fingerprints(std::move(store)); }
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
