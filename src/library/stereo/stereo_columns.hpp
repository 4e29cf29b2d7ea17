/// Stereo marks of consecutive molecules, as a chunk has them in its columns.
#pragma once
#include <cstdint>
#include <vector>

#include "library/chunk_assembler.hpp"
#include "quarry/molecule.hpp"

namespace quarry {

struct StereoColumns {
  std::vector<std::uint32_t> chiral_offsets{0}, stereo_offsets{0};  ///< [molecules + 1]
  std::vector<ChiralAtom> chiral_atoms;
  std::vector<StereoBond> stereo_bonds;
};

/// Adds the sections of the marks. Of a kind that no molecule has there are none.
void add_stereo(const StereoColumns& columns, ChunkAssembler& assembler);

/// Is it one of these sections?
constexpr bool holds_stereo(SectionId id) { return id >= SectionId::chiral_offsets && id <= SectionId::stereo_bonds; }

}  // namespace quarry
