/// Fingerprints of SMILES are packed at once; those of a library when one of its chunks is first needed.
#include "similar/fingerprints.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exec/parallel.hpp"
#include "library/library_impl.hpp"
#include "quarry/error.hpp"
#include "quarry/files/smiles_table.hpp"
#include "similar/stored/stored_chunk.hpp"

namespace quarry::similar {
namespace {

std::shared_ptr<PackedChunk> check_in_place(std::span<const std::byte> bytes, const std::string& where,
                                            const SharedPart& part) {
  auto chunk = std::make_shared<PackedChunk>();
  chunk->file = part;
  chunk->where = where;
  chunk->view = check_packed(bytes, where);
  if (header_of(bytes, where).by_magnitude == 0) throw InputError(where + ": its molecules are not in order");
  return chunk;
}

std::shared_ptr<PackedChunk> unpack(std::span<const std::byte> bytes, const std::string& where,
                                    const PackedView* wanted) {
  auto chunk = std::make_shared<PackedChunk>();
  chunk->where = where;
  chunk->bytes = decode_stored(bytes, where, wanted);
  chunk->view = view_packed({chunk->bytes.view().begin(), chunk->bytes.view().end()});
  return chunk;
}

/// What a library stores of a chunk by some definition; the checksum is not yet verified.
struct Stored {
  SectionId id = SectionId::fingerprints;
  std::span<const std::byte> bytes;  ///< empty: nothing
  std::string where;                 ///< for messages
};

Stored stored_of(const HeldChunk& held, const Definition& definition) {
  const auto section = [&](SectionId id) { return held.unverified_section(id); };
  const auto where = [&](SectionId id) { return held.where() + ", section " + section_name(id); };
  if (auto rest = section(SectionId::fingerprints); !rest.empty()) {
    const std::string place = where(SectionId::fingerprints);
    while (!rest.empty()) {
      const auto part = take_stored(rest, place);
      if (definition_of_stored(part, place) == definition) return {SectionId::fingerprints, part, place};
    }
  }
  if (const auto bytes = section(SectionId::similar); !bytes.empty()) {
    const std::string place = where(SectionId::similar);
    if (definition_of(header_of(bytes, place)) == definition) return {SectionId::similar, bytes, place};
  }
  return {};
}

/// Checks what is stored, and unpacks it where it is not read in place.
/// @param wanted  as decode_stored
SharedChunk checked_chunk(const HeldChunk& held, Index num_molecules, const Stored& stored, const PackedView* wanted) {
  (void)held.section(stored.id);  // verifies the checksum
  auto chunk = stored.id == SectionId::similar ? check_in_place(stored.bytes, stored.where, held.part)
                                               : unpack(stored.bytes, stored.where, wanted);
  if (chunk->view.num_molecules != num_molecules) {
    throw InputError(stored.where + ": it has other molecules than the chunk");
  }
  return chunk;
}

bool all_fit(const auto& records) {
  return std::ranges::all_of(records, [](std::string_view record) { return std::ssize(record) <= kMaxSmiles; });
}

SharedChunk pack_records(const Library& library, Index chunk, const Definition& definition) {
  const TextColumn records = library.text(chunk, true).records;
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

SharedChunk ChunkStore::chunk(Index i) const { return find(i, nullptr); }

SharedChunk ChunkStore::chunk_for(const PackedView& rows, Index i) const {
  constexpr Index kFewRows = 16;
  return find(i, rows.num_molecules <= kFewRows ? &rows : nullptr);
}

SharedChunk ChunkStore::find(Index i, const PackedView* rows) const {
  if (library == nullptr) return chunks[i];
  LibraryAccess::impl(*library).check_unchanged();
  const std::lock_guard lock(mutexes[i]);
  if (chunks[i]) return chunks[i];
  SharedChunk found;
  library->in_chunk(i, [&] {
    const HeldChunk held = LibraryAccess::hold(*library, i);
    const Stored stored = stored_of(held, definition);
    const bool must_pack = stored.bytes.empty();
    const PackedView* const wanted = asked[i] != 0 ? nullptr : rows;
    found = must_pack ? pack_records(*library, i, definition)
                      : checked_chunk(held, library->num_molecules(i), stored, wanted);
    asked[i] = 1;
    // One that is read in place keeps its file open.
    if (found->file && !LibraryAccess::impl(*library).parts.stays_open()) return;
    if (must_pack || (wanted == nullptr && kept_bytes.fetch_add(found->bytes.size()) < kKeptBytes)) chunks[i] = found;
  });
  return found;
}

std::vector<SharedChunk> ChunkStore::load_all(Order order, int threads) const {
  std::vector<SharedChunk> all(num_chunks());
  parallel_for_range(threads, num_chunks(), 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      all[i] = chunk(i);
      if (all[i]->order != order) all[i] = pack_chunk(multisets_of(all[i]->view, all[i]->where), definition, order);
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
  store->asked.resize(library.num_chunks());
  for (Index i = 0; i < library.num_chunks(); ++i) {
    store->first.push_back(store->first.back() + library.num_molecules(i));
  }
  return Fingerprints(std::move(store));
}

bool records_fit(const Library& library, const Definition& definition) {
  for (Index chunk = 0; chunk < library.num_chunks(); ++chunk) {
    if (!stored_of(LibraryAccess::hold(library, chunk), definition).bytes.empty()) continue;
    if (!all_fit(library.text(chunk, true).records)) return false;
  }
  return true;
}

Index num_stored(const Library& library, const Definition& definition) {
  Index molecules = 0;
  for (Index chunk = 0; chunk < library.num_chunks(); ++chunk) {
    if (!stored_of(LibraryAccess::hold(library, chunk), definition).bytes.empty())
      molecules += library.num_molecules(chunk);
  }
  return molecules;
}

std::vector<std::byte> pack_section(std::span<const std::string_view> smiles,
                                    const std::vector<Definition>& definitions) {
  for (const Definition& definition : definitions) check_definition(definition);
  std::vector<std::byte> section;
  if (!all_fit(smiles)) return section;
  std::size_t num_characters = 0;  // not fewer than LINGOs
  for (const std::string_view text : smiles) num_characters += text.size();
  for (const Definition& definition : definitions) {
    Packer packer;
    if (definition.metric == Metric::lingo) packer.reserve(num_characters);
    try {
      visit_features(smiles, definition, 0, [&](auto keys) { packer.add(keys); });
    } catch (const Error&) {  // the row is named when the chunk is compared
      continue;
    }
    append_stored(packer.finish(Order::magnitude), definition, section);
  }
  return section;
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
