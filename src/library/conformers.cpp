#include "library/conformers.hpp"

#include <cmath>

#include "library/library_impl.hpp"
#include "util/bytes.hpp"

namespace quarry {
namespace {

/// What an isomer says of itself before its coordinates.
struct IsomerHeader {
  std::uint32_t num_atoms = 0, num_conformers = 0;
};
static_assert(sizeof(IsomerHeader) == 8);

/// Columns are aligned for their values, because sections are.
template <class T>
std::span<const T> take_column(ByteReader& reader, Index size) {
  const auto bytes = reader.take_bytes(std::uint64_t(size) * sizeof(T));
  return {reinterpret_cast<const T*>(bytes.data()), std::size_t(size)};
}

}  // namespace

std::vector<std::byte> pack_conformers(std::span<const std::vector<StoredIsomer>> molecules) {
  ByteWriter writer;
  Index num_isomers = 0;
  writer.put<std::uint32_t>(num_isomers);
  for (const auto& isomers : molecules) {
    num_isomers += std::ssize(isomers);
    writer.put<std::uint32_t>(num_isomers);
  }
  for (const auto& isomers : molecules) {
    for (const StoredIsomer& isomer : isomers) {
      writer.put<std::uint32_t>(isomer.num_atoms);
      writer.put<std::uint32_t>(isomer.num_conformers());
    }
  }
  for (const auto& isomers : molecules) {
    for (const StoredIsomer& isomer : isomers) writer.append(std::as_bytes(std::span(isomer.coordinates)));
  }
  return writer.take();
}

ConformerSection::ConformerSection(std::span<const std::byte> bytes, Index num_molecules, const std::string& where) {
  ByteReader reader(bytes, where);
  for (const std::uint32_t first : take_column<std::uint32_t>(reader, num_molecules + 1)) {
    const Index before = first_isomer_.empty() ? 0 : first_isomer_.back();
    const bool rising = first_isomer_.empty() ? first == 0 : first >= before;
    if (!rising) throw InputError(where + "the offsets of isomers fall");
    first_isomer_.push_back(first);
  }
  const auto headers = take_column<IsomerHeader>(reader, first_isomer_.back());
  for (const IsomerHeader& header : headers) {
    const Index num_values = Index{3} * header.num_atoms;
    if (num_values > 0 && Index{header.num_conformers} > std::ssize(bytes) / num_values) {
      throw InputError(where + "an isomer states more coordinates than there are");
    }
    if (num_values == 0 && header.num_conformers > 0) throw InputError(where + "an isomer has conformers but no atoms");
    extents_.push_back(
        {header.num_atoms, header.num_conformers, take_column<float>(reader, num_values * header.num_conformers)});
    for (const float value : extents_.back().coordinates) {
      if (!std::isfinite(value)) throw InputError(where + "a coordinate is not a number");
    }
  }
  reader.finish();
}

std::vector<StoredIsomer> ConformerSection::isomers(Index molecule) const {
  std::vector<StoredIsomer> isomers;
  for (Index i = first_isomer_[molecule]; i < first_isomer_[molecule + 1]; ++i) {
    const Extent& extent = extents_[i];
    isomers.push_back({extent.num_atoms, {extent.coordinates.begin(), extent.coordinates.end()}});
  }
  return isomers;
}

std::optional<ConformerSection> conformers_of(const Library& library, Index chunk) {
  std::optional<ConformerSection> section;
  library.in_chunk(chunk, [&] {
    const HeldChunk held = LibraryAccess::hold(library, chunk);
    const auto bytes = held.section(SectionId::conformers);
    if (bytes.empty()) return;
    section.emplace(bytes, library.num_molecules(chunk), held.where() + ", section conformers: ");
    section->keep(held.part);
  });
  return section;
}

}  // namespace quarry
