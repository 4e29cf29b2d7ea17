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

Library::Impl::Impl(SharedPart part) : name(part->name), provenance(part->provenance), parts(part) {
  for (const auto& chunk : part->chunks) {
    first_molecules.push_back(first_molecules.back() + Index(chunk->counts.molecules));
  }
  add_part(part->counts());
}

Library::Impl::Impl(std::string library_name, std::vector<PartPlace> places, const Provenance& made, Index files)
    : name(std::move(library_name)), provenance(made), num_sources(files), parts(std::move(places), made) {
  for (Index i = 0; i < parts.size(); ++i) {
    const PartPlace& place = parts.place(i);
    for (const Index molecules : place.chunk_molecules) first_molecules.push_back(first_molecules.back() + molecules);
    add_part(place.counts);
  }
}

void Library::Impl::add_part(const ChunkCounts& counts) {
  first_chunks.push_back(num_chunks());
  num_atoms += counts.atoms;
  num_bonds += counts.bonds;
  report.rows += counts.rows;
  report.ok += counts.molecules;
  report.rejected += counts.rejected;
}

Index Library::Impl::part_of(Index chunk) const {
  QUARRY_CHECK(chunk >= 0 && chunk < num_chunks(), fmt::format("no chunk {}", chunk));
  return std::ranges::upper_bound(first_chunks, chunk) - first_chunks.begin() - 1;
}

HeldChunk Library::Impl::hold(Index chunk) const {
  const Index part = part_of(chunk);
  return {parts.part(part), chunk - first_chunks[part]};
}

Library::Library(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Library::Library(Library&&) noexcept = default;
Library& Library::operator=(Library&&) noexcept = default;
Library::~Library() = default;

std::string_view Library::chunk_bytes(Index chunk) const {
  const auto bytes = impl_->hold(chunk).slot().bytes;
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Library library_from_bytes(std::span<const std::byte> bytes, const std::string& name, Checksums checksums) {
  auto part = std::make_shared<LibraryPart>(name, checksums);
  part->read(bytes);
  return LibraryAccess::make(std::make_unique<LibraryAccess::Impl>(std::move(part)));
}

Library library_from_chunk(std::vector<std::byte> bytes, Provenance provenance, const std::optional<RowPlace>& place) {
  auto part = std::make_shared<LibraryPart>(place ? place->file : kInMemory, Checksums::verify);
  part->provenance = std::move(provenance);
  part->buffers.push_back(std::move(bytes));
  const std::span<const std::byte> kept = part->buffers.back();
  const ChunkCounts counts = read_layout(kept, part->where(0)).counts;
  part->add_chunk(kept, counts);
  if (place) part->rows = fmt::format("rows {} to {}", place->rows_before + 1, place->rows_before + Index(counts.rows));
  return LibraryAccess::make(std::make_unique<LibraryAccess::Impl>(std::move(part)));
}

Library Library::from_molecules(std::span<const Molecule> molecules, std::span<const std::string> ids,
                                std::span<const std::string> records) {
  const auto check_size = [&](std::size_t size, const char* what) {
    if (size == 0 || size == molecules.size()) return;
    throw InputError(fmt::format("{} {} for {} molecules", size, what, molecules.size()));
  };
  check_size(ids.size(), "ids");
  check_size(records.size(), "records");
  auto part = std::make_shared<LibraryPart>(kInMemory, Checksums::verify);
  for (Index first = 0; first < std::ssize(molecules); first += kChunkMolecules) {
    const Index count = std::min(kChunkMolecules, std::ssize(molecules) - first);
    ChunkInput input;
    std::vector<std::string> numbers;  // in place of ids
    for (Index i = first; i < first + count && ids.empty(); ++i) numbers.push_back(std::to_string(i + 1));
    for (Index i = first; i < first + count; ++i) {
      input.ids.emplace_back(ids.empty() ? numbers[i - first] : ids[i]);
      input.records.emplace_back(records.empty() ? std::string_view() : records[i]);
    }
    input.molecules.push_back(pack_molecules(molecules.subspan(first, count), input.ids));
    input.rows = count;
    // The bytes of a buffer do not move when the list of buffers grows.
    part->buffers.push_back(encode_chunk(input));
    part->add_chunk(part->buffers.back(), read_layout(part->buffers.back(), part->name).counts);
  }
  return Library(std::make_unique<Impl>(std::move(part)));
}

Index Library::num_molecules() const { return impl_->num_molecules(); }
Index Library::num_atoms() const { return impl_->num_atoms; }
Index Library::num_bonds() const { return impl_->num_bonds; }
Report Library::report() const { return impl_->report; }
const Provenance& Library::provenance() const { return impl_->provenance; }
Index Library::num_sources() const { return impl_->num_sources; }

const std::string& Library::source(Index chunk) const {
  return impl_->parts.stays_open() ? impl_->provenance.source : impl_->parts.place(impl_->part_of(chunk)).source;
}

Index Library::num_chunks() const { return impl_->num_chunks(); }

Index Library::num_molecules(Index chunk) const { return first_molecule(chunk + 1) - first_molecule(chunk); }

Index Library::first_molecule(Index chunk) const {
  QUARRY_CHECK(chunk >= 0 && chunk <= num_chunks(), fmt::format("no chunk {}", chunk));
  return impl_->first_molecules[chunk];
}

Index Library::chunk_with(Index molecule) const {
  QUARRY_CHECK(molecule >= 0 && molecule < num_molecules(), fmt::format("no molecule {}", molecule));
  return std::ranges::upper_bound(impl_->first_molecules, molecule) - impl_->first_molecules.begin() - 1;
}

void Library::in_chunk(Index chunk, const std::function<void()>& work) const {
  const HeldChunk held = impl_->hold(chunk);
  const std::string& name = held.part->name;
  const auto sentence = [&](const std::string& what) {
    const bool names_place = what.starts_with(name + ": ") || what.starts_with(name + ", ");
    return names_place ? what : held.where() + ": " + what;
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
    throw OutOfMemory(held.where());
  }
  if (!impl_->parts.stays_open()) held.part->check_unchanged();  // it may be closed when it is next asked for
}

const Chunk& chunk_of(const Library& library, Index chunk) {
  return LibraryAccess::hold(library, chunk).parsed().chunk;
}

ChunkText Library::text(Index chunk, bool with_records) const {
  ChunkText text;
  in_chunk(chunk, [&] {
    const HeldChunk held = impl_->hold(chunk);
    held.part->check_unchanged();
    const ChunkLayout layout = held.layout();
    const Index count = layout.counts.molecules;
    const Checksums checksums = held.part->checksums;
    text.ids = unpack_strings(layout[SectionId::ids], count, held.where(), checksums);
    if (with_records) text.records = unpack_strings(layout[SectionId::records], count, held.where(), checksums);
  });
  return text;
}

std::vector<RejectedRow> Library::rejected(Index chunk) const {
  std::vector<RejectedRow> rows;
  in_chunk(chunk, [&] {
    const HeldChunk held = impl_->hold(chunk);
    held.part->check_unchanged();
    const ChunkLayout layout = held.layout();
    rows = unpack_rejected(layout[SectionId::rejected], layout.counts.rejected, held.where(), held.part->checksums);
  });
  return rows;
}

void Library::release(Index chunk) const {
  const Index number = impl_->part_of(chunk);
  const SharedPart part = impl_->parts.open_part(number);
  if (!part) return;
  ChunkSlot& slot = part->slot(chunk - impl_->first_chunks[number]);
  slot.stereo.forget_records();
  if (part->file) part->file->release(slot.bytes);
}

Molecule Library::molecule(Index index) const {
  const Index chunk = chunk_with(index);
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
    sections[id] = {section_name(section_at(id)), 0, is_matching(section_at(id))};
  }
  for (Index i = 0; i < num_chunks(); ++i) {
    const HeldChunk held = impl_->hold(i);
    const ChunkLayout layout = held.part->layout(held.chunk);
    for (std::size_t id = 0; id < kNumSections; ++id) {
      sections[id].bytes += std::ssize(layout.sections[id].bytes);
    }
  }
  std::erase_if(sections, [](const Section& section) { return section.bytes == 0; });
  std::stable_partition(sections.begin(), sections.end(), [](const Section& section) { return section.matching; });
  return sections;
}

void Library::verify() const {
  for (Index part = 0; part < impl_->parts.size(); ++part) {
    for (Index i = impl_->first_chunks[part]; i < impl_->first_chunks[part + 1]; ++i) {
      in_chunk(i, [&] {
        const HeldChunk held = impl_->hold(i);
        held.parsed();
        text(i, true);
        rejected(i);
        for (const SectionId id : {SectionId::similar, SectionId::fingerprints}) held.section(id);
        conformers_of(*this, i);
      });
      release(i);
    }
    impl_->parts.verify(part);
  }
}

}  // namespace quarry
