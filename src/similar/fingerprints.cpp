/// Fingerprints of SMILES are packed at once; those of a library when one of its chunks is first needed.
#include "similar/fingerprints.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exec/parallel.hpp"
#include "library/library_impl.hpp"
#include "quarry/error.hpp"
#include "quarry/smiles_table.hpp"

namespace quarry::similar {
namespace {

std::string where_in(const HeldChunk& held) { return held.where() + ", section similar"; }

/// What is stored of a chunk. @return empty where nothing is, or fingerprints by another definition
/// @param checked  its checksum was verified before
std::span<const std::byte> stored_bytes(const HeldChunk& held, const Definition& definition, bool checked) {
  const auto bytes =
      checked ? held.part->layout(held.chunk)[SectionId::similar].bytes : held.section(SectionId::similar);
  if (bytes.empty() || !(definition_of(header_of(bytes, where_in(held))) == definition)) return {};
  return bytes;
}

SharedChunk view_stored(std::span<const std::byte> bytes, Index num_molecules, const HeldChunk& held, bool checked) {
  auto chunk = std::make_shared<PackedChunk>();
  chunk->file = held.part;
  chunk->where = where_in(held);
  chunk->view = checked ? view_packed(bytes) : check_packed(bytes, chunk->where);
  if (header_of(bytes, chunk->where).by_magnitude == 0)
    throw InputError(chunk->where + ": its molecules are not in order");
  if (chunk->view.num_molecules != num_molecules) {
    throw InputError(chunk->where + ": it has other molecules than the chunk");
  }
  return chunk;
}

bool all_fit(std::span<const std::string> records) {
  return std::ranges::all_of(records, [](const std::string& record) { return std::ssize(record) <= kMaxSmiles; });
}

SharedChunk pack_records(const Library& library, Index chunk, const Definition& definition) {
  const auto records = library.text(chunk, true).records;
  return pack_chunk(multisets_of(records, definition, library.first_molecule(chunk)), definition, Order::magnitude);
}

}  // namespace

SharedChunk pack_chunk(const Multisets& multisets, const Definition& definition, Order order) {
  auto chunk = std::make_shared<PackedChunk>();
  chunk->bytes = pack(multisets, definition, order);
  chunk->view = view_packed({chunk->bytes.view().begin(), chunk->bytes.view().end()});
  chunk->order = order;
  return chunk;
}

SharedChunk ChunkStore::chunk(Index i) const {
  if (library == nullptr) return chunks[i];
  LibraryAccess::impl(*library).check_unchanged();
  const std::lock_guard lock(mutexes[i]);
  if (chunks[i]) return chunks[i];
  if (const SharedChunk in_use = keeps_files() ? nullptr : mapped[i].lock()) return in_use;
  SharedChunk loaded;
  library->in_chunk(i, [&] { loaded = load(i); });
  if (keeps_files() || !loaded->file)
    chunks[i] = loaded;
  else
    mapped[i] = loaded;
  return loaded;
}

SharedChunk ChunkStore::load(Index i) const {
  const HeldChunk held = LibraryAccess::hold(*library, i);
  const bool before = !keeps_files() && checked[i] != 0;
  const auto bytes = stored_bytes(held, definition, before);
  if (bytes.empty()) return pack_records(*library, i, definition);
  SharedChunk stored = view_stored(bytes, first[i + 1] - first[i], held, before);
  if (!keeps_files()) checked[i] = 1;
  return stored;
}

std::vector<SharedChunk> ChunkStore::load_all(Order order, int threads) const {
  std::vector<SharedChunk> all(num_chunks());
  parallel_for_range(threads, num_chunks(), 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      all[i] = chunk(i);
      const bool in_memory = keeps_files() || !all[i]->file;
      if (all[i]->order != order || !in_memory)
        all[i] = pack_chunk(multisets_of(all[i]->view, all[i]->where), definition, order);
    }
  });
  return all;
}

void ChunkStore::append(const Multisets& multisets) {
  chunks.push_back(pack_chunk(multisets, definition, Order::magnitude));
  first.push_back(first.back() + multisets.size());
}

Fingerprints Fingerprints::of_smiles(std::span<const std::string> smiles, const Definition& definition, int threads) {
  check_definition(definition);
  auto store = std::make_unique<ChunkStore>();
  store->definition = definition;
  const auto count = std::ssize(smiles);
  const Index num_chunks = (count + kChunkMolecules - 1) / kChunkMolecules;
  store->chunks.resize(num_chunks);
  for (Index i = 0; i < num_chunks; ++i) store->first.push_back(std::min(count, (i + 1) * kChunkMolecules));
  parallel_for_range(resolve_threads(threads), num_chunks, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index first = store->first[i], size = store->first[i + 1] - first;
      const auto multisets = multisets_of(smiles.subspan(first, size), definition, first);
      store->chunks[i] = pack_chunk(multisets, definition, Order::magnitude);
    }
  });
  return Fingerprints(std::move(store));
}

Fingerprints Fingerprints::of_library(const Library& library, const Definition& definition) {
  check_definition(definition);
  if (library.provenance().format != RecordFormat::smiles) {
    throw InputError(LibraryAccess::impl(library).name +
                     " keeps SDF records, not SMILES: index a SMILES file to compare its molecules");
  }
  auto store = std::make_unique<ChunkStore>();
  store->definition = definition;
  store->library = &library;
  store->chunks.resize(library.num_chunks());
  store->mutexes = std::vector<std::mutex>(library.num_chunks());
  if (!LibraryAccess::impl(library).parts.stays_open()) {
    store->mapped.resize(library.num_chunks());
    store->checked.resize(library.num_chunks());
  }
  for (Index i = 0; i < library.num_chunks(); ++i) {
    store->first.push_back(store->first.back() + library.num_molecules(i));
  }
  return Fingerprints(std::move(store));
}

bool records_fit(const Library& library, const Definition& definition) {
  for (Index chunk = 0; chunk < library.num_chunks(); ++chunk) {
    if (!stored_bytes(LibraryAccess::hold(library, chunk), definition, false).empty()) continue;
    if (!all_fit(library.text(chunk, true).records)) return false;
  }
  return true;
}

std::vector<std::byte> pack_section(std::span<const std::string> smiles, const Definition& definition) {
  check_definition(definition);
  if (!all_fit(smiles)) return {};
  try {
    const auto bytes = pack(multisets_of(smiles, definition, 0), definition, Order::magnitude);
    return {bytes.view().begin(), bytes.view().end()};
  } catch (const Error&) {  // the row is named when the chunk is compared
    return {};
  }
}

Fingerprints load(const Fingerprints& molecules, int threads) {
  const ChunkStore& from = ChunkStore::of(molecules);
  auto store = std::make_unique<ChunkStore>();
  store->definition = from.definition;
  store->first = from.first;
  store->chunks = from.load_all(Order::magnitude, threads);
  return ChunkStore::wrap(std::move(store));
}

Fingerprints subset(const Fingerprints& molecules, const std::vector<Index>& wanted) {
  const ChunkStore& from = ChunkStore::of(molecules);
  auto store = std::make_unique<ChunkStore>();
  store->definition = from.definition;
  Multisets chosen;
  auto next = wanted.begin();
  for (Index chunk = 0; chunk < from.num_chunks() && next != wanted.end(); ++chunk) {
    if (*next >= from.first[chunk + 1]) continue;
    const Multisets all = multisets_of(from.chunks[chunk]->view, from.chunks[chunk]->where);
    for (; next != wanted.end() && *next < from.first[chunk + 1]; ++next) {
      chosen.append(all, *next - from.first[chunk]);
      if (chosen.size() == kChunkMolecules) store->append(std::exchange(chosen, {}));
    }
  }
  if (chosen.size() > 0) store->append(chosen);
  return ChunkStore::wrap(std::move(store));
}

void check_comparable(const Fingerprints& rows, const Fingerprints& columns) {
  if (!(rows.definition() == columns.definition())) {
    throw InputError("the rows and the columns were packed with different definitions of similarity");
  }
}

Fingerprints::Fingerprints(std::unique_ptr<ChunkStore> store) : store_(std::move(store)) {}
Fingerprints::Fingerprints(Fingerprints&&) noexcept = default;
Fingerprints& Fingerprints::operator=(Fingerprints&&) noexcept = default;
Fingerprints::~Fingerprints() = default;
Index Fingerprints::size() const { return store_->first.back(); }
const Definition& Fingerprints::definition() const { return store_->definition; }

}  // namespace quarry::similar
