/// Library: opening, lazy checks, and the columns and texts of its chunks.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "library/chunk_text.hpp"
#include "library/conformers.hpp"
#include "library/library_impl.hpp"
#include "quarry/error.hpp"
#include "util/check.hpp"

namespace quarry {

void Library::Impl::add_chunk(std::span<const std::byte> bytes, const ChunkCounts& counts) {
  auto added = std::make_unique<ChunkSlot>();
  added->bytes = bytes;
  added->counts = counts;
  added->first_molecule = num_molecules;
  chunks.push_back(std::move(added));
  num_molecules += counts.molecules;
  num_atoms += counts.atoms;
  num_bonds += counts.bonds;
  report.rows += counts.rows;
  report.ok += counts.molecules;
  report.rejected += counts.rejected;
}

void Library::Impl::read(std::span<const std::byte> bytes) {
  Directory directory = read_directory(bytes, name, checksums == Checksums::verify);
  provenance = std::move(directory.provenance);
  for (const DirectoryEntry& entry : directory.entries) {
    add_chunk(bytes.subspan(entry.offset, entry.bytes), entry.counts);
  }
}

std::string Library::Impl::where(Index chunk) const {
  return rows.empty() ? fmt::format("{}: chunk {}", name, chunk) : name + ", " + rows;
}

ChunkSlot& Library::Impl::slot(Index chunk) const {
  QUARRY_CHECK(chunk >= 0 && chunk < std::ssize(chunks), fmt::format("no chunk {}", chunk));
  return *chunks[chunk];
}

std::span<const std::byte> Library::Impl::section(Index chunk, SectionId id) const {
  check_unchanged();
  const bool verify = checksums == Checksums::verify;
  const ChunkLayout layout = read_layout(slot(chunk).bytes, where(chunk), verify);
  if (verify && layout[id].present && checksum_of(layout[id].bytes) != layout[id].checksum) {
    throw InputError(fmt::format("{}, section {}: the data is damaged (checksum)", where(chunk), section_name(id)));
  }
  return layout[id].bytes;
}

std::span<const std::byte> Library::Impl::unverified_section(Index chunk, SectionId id) const {
  check_unchanged();
  return read_layout(slot(chunk).bytes, where(chunk), checksums == Checksums::verify)[id].bytes;
}

const ParsedChunk& Library::Impl::parsed(Index chunk) const {
  check_unchanged();
  ChunkSlot& wanted = slot(chunk);
  if (!wanted.checked.load(std::memory_order_acquire)) {
    const std::lock_guard lock(wanted.mutex);
    if (!wanted.parsed) {
      ParsedChunk parsed = parse_chunk(wanted.bytes, where(chunk), checksums);
      if (parsed.counts != wanted.counts) throw InputError(where(chunk) + ": its counts differ from the directory");
      wanted.parsed = std::move(parsed);
    }
    wanted.checked.store(true, std::memory_order_release);
  }
  return *wanted.parsed;
}

Library::Library(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Library::Library(Library&&) noexcept = default;
Library& Library::operator=(Library&&) noexcept = default;
Library::~Library() = default;

Library Library::open(const std::string& path) {
  auto impl = std::make_unique<Impl>();
  impl->name = path;
  impl->file.emplace(path);
  impl->read(impl->file->bytes());
  return Library(std::move(impl));
}

std::string_view Library::chunk_bytes(Index chunk) const {
  const auto bytes = impl_->slot(chunk).bytes;
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Library library_from_bytes(std::span<const std::byte> bytes, const std::string& name, Checksums checksums) {
  auto impl = std::make_unique<LibraryAccess::Impl>();
  impl->name = name;
  impl->checksums = checksums;
  impl->read(bytes);
  return LibraryAccess::make(std::move(impl));
}

Library library_from_chunk(std::vector<std::byte> bytes, Provenance provenance, const std::optional<RowPlace>& place) {
  auto impl = std::make_unique<LibraryAccess::Impl>();
  impl->name = place ? place->file : kInMemory;
  impl->provenance = std::move(provenance);
  impl->buffers.push_back(std::move(bytes));
  const std::span<const std::byte> kept = impl->buffers.back();
  impl->add_chunk(kept, read_layout(kept, impl->where(0)).counts);
  if (place) impl->rows = fmt::format("rows {} to {}", place->rows_before + 1, place->rows_before + impl->report.rows);
  return LibraryAccess::make(std::move(impl));
}

Library Library::from_molecules(std::span<const Molecule> molecules, std::span<const std::string> ids,
                                std::span<const std::string> records) {
  const auto check_size = [&](std::size_t size, const char* what) {
    if (size == 0 || size == molecules.size()) return;
    throw InputError(fmt::format("{} {} for {} molecules", size, what, molecules.size()));
  };
  check_size(ids.size(), "ids");
  check_size(records.size(), "records");
  auto impl = std::make_unique<Impl>();
  impl->name = kInMemory;
  for (Index first = 0; first < std::ssize(molecules); first += kChunkMolecules) {
    const Index count = std::min(kChunkMolecules, std::ssize(molecules) - first);
    ChunkInput input;
    for (Index i = first; i < first + count; ++i) {
      input.ids.push_back(ids.empty() ? std::to_string(i + 1) : ids[i]);
      input.records.push_back(records.empty() ? std::string() : records[i]);
    }
    input.molecules.push_back(pack_molecules(molecules.subspan(first, count), input.ids));
    input.rows = count;
    // The bytes of a buffer do not move when the list of buffers grows.
    impl->buffers.push_back(encode_chunk(input));
    impl->add_chunk(impl->buffers.back(), read_layout(impl->buffers.back(), impl->name).counts);
  }
  return Library(std::move(impl));
}

Index Library::num_molecules() const { return impl_->num_molecules; }
Index Library::num_atoms() const { return impl_->num_atoms; }
Index Library::num_bonds() const { return impl_->num_bonds; }
Report Library::report() const { return impl_->report; }
const Provenance& Library::provenance() const { return impl_->provenance; }
Index Library::num_chunks() const { return std::ssize(impl_->chunks); }
Index Library::num_molecules(Index chunk) const { return impl_->slot(chunk).counts.molecules; }
Index Library::first_molecule(Index chunk) const { return impl_->slot(chunk).first_molecule; }

void Library::in_chunk(Index chunk, const std::function<void()>& work) const {
  const auto sentence = [&](const std::string& what) {
    const bool names_place = what.starts_with(impl_->name + ": ") || what.starts_with(impl_->name + ", ");
    return names_place ? what : impl_->where(chunk) + ": " + what;
  };
  try {
    work();
  } catch (const InputError& error) {
    throw InputError(sentence(error.what()), error.option());
  } catch (const CapacityError& error) {
    throw CapacityError(sentence(error.what()), error);
  } catch (const OutOfMemory&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(impl_->where(chunk));
  }
}

const Chunk& chunk_of(const Library& library, Index chunk) { return LibraryAccess::impl(library).parsed(chunk).chunk; }

ChunkText Library::text(Index chunk, bool with_records) const {
  ChunkText text;
  in_chunk(chunk, [&] {
    const ParsedChunk& parsed = impl_->parsed(chunk);
    const Index count = parsed.chunk.num_molecules;
    text.ids = unpack_strings(parsed.ids, count, impl_->where(chunk), impl_->checksums);
    if (with_records) text.records = unpack_strings(parsed.records, count, impl_->where(chunk), impl_->checksums);
  });
  return text;
}

std::vector<RejectedRow> Library::rejected(Index chunk) const {
  std::vector<RejectedRow> rows;
  in_chunk(chunk, [&] {
    const ParsedChunk& parsed = impl_->parsed(chunk);
    rows = unpack_rejected(parsed.rejected, parsed.counts.rejected, impl_->where(chunk), impl_->checksums);
  });
  return rows;
}

void Library::release(Index chunk) const {
  const ChunkSlot& slot = impl_->slot(chunk);
  if (impl_->file) impl_->file->release(slot.bytes);
}

Molecule Library::molecule(Index index) const {
  QUARRY_CHECK(index >= 0 && index < num_molecules(), fmt::format("no molecule {}", index));
  const auto after = std::upper_bound(impl_->chunks.begin(), impl_->chunks.end(), index,
                                      [](Index wanted, const auto& slot) { return wanted < slot->first_molecule; });
  const Index chunk = after - impl_->chunks.begin() - 1;
  Molecule decoded;
  in_chunk(chunk, [&] {
    decoded = decode_molecule(chunk_of(*this, chunk), index - first_molecule(chunk));
    impl_->check_unchanged();
  });
  return decoded;
}

std::vector<Library::Section> Library::sections() const {
  std::vector<Section> sections(kNumSections);
  for (std::size_t id = 0; id < kNumSections; ++id) {
    sections[id] = {section_name(section_at(id)), 0, id < kNumMatchingSections};
  }
  for (Index i = 0; i < num_chunks(); ++i) {
    const bool verify = impl_->checksums == Checksums::verify;
    const ChunkLayout layout = read_layout(impl_->slot(i).bytes, impl_->where(i), verify);
    for (std::size_t id = 0; id < kNumSections; ++id) {
      sections[id].bytes += std::ssize(layout.sections[id].bytes);
    }
  }
  std::erase_if(sections, [](const Section& section) { return section.bytes == 0 && !section.matching; });
  return sections;
}

void Library::verify() const {
  for (Index i = 0; i < num_chunks(); ++i) {
    in_chunk(i, [&] {
      impl_->parsed(i);
      text(i, true);
      rejected(i);
      for (const SectionId id : {SectionId::similar, SectionId::fingerprints}) impl_->section(i, id);
      conformers_of(*this, i);
    });
  }
}

}  // namespace quarry
