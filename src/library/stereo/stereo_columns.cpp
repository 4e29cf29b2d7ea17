#include "library/stereo/stereo_columns.hpp"

#include "util/bytes.hpp"

namespace quarry {
namespace {

// Marks are written field by field: the padding of a struct has no defined value, and must be zero in a file.

void append(const ChiralAtom& atom, ByteWriter& column) {
  column.put<std::uint32_t>(atom.atom);
  column.put<std::uint8_t>(atom.clockwise ? 1 : 0);
  column.align(sizeof(ChiralAtom));
}

void append(const StereoBond& bond, ByteWriter& column) {
  for (const std::uint32_t atom : {bond.begin, bond.end, bond.begin_neighbour, bond.end_neighbour}) {
    column.put<std::uint32_t>(atom);
  }
  column.put<std::uint8_t>(bond.cis ? 1 : 0);
  column.align(sizeof(StereoBond));
}

template <class Mark>
void add(SectionId offsets_id, const std::vector<std::uint32_t>& offsets, SectionId marks_id,
         const std::vector<Mark>& marks, ChunkAssembler& assembler) {
  if (marks.empty()) return;
  ByteWriter column;
  for (const Mark& mark : marks) append(mark, column);
  assembler.add(offsets_id, offsets);
  assembler.add(marks_id, column.take());
}

}  // namespace

void add_stereo(const StereoColumns& columns, ChunkAssembler& assembler) {
  using enum SectionId;
  add(chiral_offsets, columns.chiral_offsets, chiral_atoms, columns.chiral_atoms, assembler);
  add(stereo_offsets, columns.stereo_offsets, stereo_bonds, columns.stereo_bonds, assembler);
}

}  // namespace quarry
