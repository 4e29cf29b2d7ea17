/// Fingerprints of SMILES are packed at once; those of a library when a chunk of it is asked for.
#include "similar/fingerprints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "exec/parallel.hpp"
#include "library/library_impl.hpp"
#include "quarry/smiles_table.hpp"
#include "similar/group.hpp"
#include "similar/lingo.hpp"
#include "util/check.hpp"

namespace quarry::similar {
namespace {

std::shared_ptr<const Block> stored_block(std::span<const std::byte> bytes, const std::string& where) {
  auto block = std::make_shared<Block>();
  block->view = check_block(bytes, where);
  if (header_of(bytes, where).by_magnitude == 0) throw InputError(where + ": its molecules are not in order");
  return block;
}

/// What is stored of a chunk. @return empty where nothing is, or something by another definition
std::span<const std::byte> stored_bytes(const Library& library, Index chunk, const Definition& definition,
                                        const std::string& where) {
  const auto bytes = library.impl().section(chunk, SectionId::similar);
  if (bytes.empty() || !(definition_of(header_of(bytes, where)) == definition)) return {};
  return bytes;
}

std::string where_in(const Library& library, Index chunk) { return library.impl().where(chunk) + ", section similar"; }

bool all_fit(std::span<const std::string> records) {
  return std::ranges::all_of(records, [](const std::string& record) { return std::ssize(record) <= kMaxSmiles; });
}

std::shared_ptr<const Block> block_of_records(const Library& library, Index chunk, const Definition& definition) {
  const auto records = library.text(chunk, true).records;
  return make_block(multisets_of(records, definition, library.first_molecule(chunk)), definition, Order::magnitude);
}

}  // namespace

std::shared_ptr<const Block> make_block(const Multisets& multisets, const Definition& definition, Order order) {
  auto block = std::make_shared<Block>();
  block->bytes = build_block(multisets, definition, order);
  block->view = view_block({block->bytes.view().data(), static_cast<std::size_t>(block->bytes.size())});
  block->order = order;
  return block;
}

std::shared_ptr<const Block> Fingerprints::Impl::block(Index i) const {
  if (library == nullptr) return blocks[static_cast<std::size_t>(i)];
  Stored& slot = stored[static_cast<std::size_t>(i)];
  const std::lock_guard lock(slot.mutex);
  if (slot.block) return slot.block;
  const std::string where = where_in(*library, i);
  const auto bytes = stored_bytes(*library, i, definition, where);
  if (bytes.empty()) return slot.block = block_of_records(*library, i, definition);
  slot.block = stored_block(bytes, where);
  if (slot.block->view.num_molecules != first[static_cast<std::size_t>(i) + 1] - first[static_cast<std::size_t>(i)]) {
    throw InputError(where + ": it has other molecules than the chunk");
  }
  return slot.block;
}

std::vector<std::shared_ptr<const Block>> load_blocks(const Fingerprints& fingerprints, Order order, int threads) {
  const auto& impl = fingerprints.impl();
  std::vector<std::shared_ptr<const Block>> blocks(static_cast<std::size_t>(impl.num_blocks()));
  parallel_for_range(threads, impl.num_blocks(), 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      auto block = impl.block(i);
      if (block->order != order) block = make_block(multisets_of(block->view), impl.definition, order);
      blocks[static_cast<std::size_t>(i)] = std::move(block);
    }
  });
  return blocks;
}

Fingerprints Fingerprints::of_smiles(std::span<const std::string> smiles, const Definition& definition, int threads) {
  check_definition(definition);
  auto impl = std::make_unique<Impl>();
  impl->definition = definition;
  const auto count = static_cast<Index>(smiles.size());
  const Index num_blocks = (count + kChunkMolecules - 1) / kChunkMolecules;
  impl->blocks.resize(static_cast<std::size_t>(num_blocks));
  for (Index i = 0; i < num_blocks; ++i) impl->first.push_back(std::min(count, (i + 1) * kChunkMolecules));
  parallel_for_range(resolve_threads(threads), num_blocks, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index first = i * kChunkMolecules, size = std::min(kChunkMolecules, count - first);
      const auto part = smiles.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size));
      impl->blocks[static_cast<std::size_t>(i)] =
          make_block(multisets_of(part, definition, first), definition, Order::magnitude);
    }
  });
  return Fingerprints(std::move(impl));
}

Fingerprints Fingerprints::of_library(const Library& library, const Definition& definition) {
  check_definition(definition);
  if (library.provenance().format != RecordFormat::smiles) {
    throw InputError("the library keeps SDF records, not SMILES: index a SMILES file to compare its molecules");
  }
  auto impl = std::make_unique<Impl>();
  impl->definition = definition;
  impl->library = &library;
  impl->stored = std::vector<Impl::Stored>(static_cast<std::size_t>(library.num_chunks()));
  for (Index i = 0; i < library.num_chunks(); ++i) {
    impl->first.push_back(impl->first.back() + library.num_molecules(i));
  }
  return Fingerprints(std::move(impl));
}

bool records_fit(const Library& library, const Definition& definition) {
  for (Index chunk = 0; chunk < library.num_chunks(); ++chunk) {
    if (!stored_bytes(library, chunk, definition, where_in(library, chunk)).empty()) continue;
    if (!all_fit(library.text(chunk, true).records)) return false;
  }
  return true;
}

std::function<std::vector<std::byte>(std::span<const std::string>)> section_maker(const Definition& definition) {
  check_definition(definition);
  return [definition](std::span<const std::string> records) -> std::vector<std::byte> {
    if (!all_fit(records)) return {};
    try {
      const auto bytes = build_block(multisets_of(records, definition, 0), definition, Order::magnitude);
      return {bytes.view().begin(), bytes.view().end()};
    } catch (const Error&) {  // named when the chunk is compared
      return {};
    }
  };
}

void check_comparable(const Fingerprints& rows, const Fingerprints& columns) {
  if (!(rows.definition() == columns.definition())) {
    throw InputError("the rows and the columns were packed with different definitions of similarity");
  }
}

Fingerprints::Fingerprints(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Fingerprints::Fingerprints(Fingerprints&&) noexcept = default;
Fingerprints& Fingerprints::operator=(Fingerprints&&) noexcept = default;
Fingerprints::~Fingerprints() = default;
Index Fingerprints::size() const { return impl_->first.back(); }
const Definition& Fingerprints::definition() const { return impl_->definition; }

}  // namespace quarry::similar
