#include "chemistry/stereo/resolve_stereo.hpp"

#include <GraphMol/RWMol.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "chemistry/perceive.hpp"
#include "exec/parallel.hpp"
#include "library/library_impl.hpp"
#include "quarry/error.hpp"
#include "util/check.hpp"

namespace quarry {
namespace {

/// Molecules that a thread resolves at a time.
constexpr Index kMoleculesPerTask = 64;

[[noreturn]] void refuse(const Library& library, Index chunk, Index molecule, const std::string& reason) {
  throw InputError("the source record of molecule '" + std::string(library.text(chunk, false).ids[molecule]) +
                   "' cannot be read again: " + reason);
}

StereoMarks marks_of(const Library& library, Index chunk, Index molecule, const std::string& smiles) {
  std::string reason;
  const auto parsed = parse_record(smiles, RecordFormat::smiles, library.provenance().explicit_hydrogens, reason);
  if (!parsed) refuse(library, chunk, molecule, reason);
  Molecule marked = perceive(*parsed);
  if (std::ssize(marked.atoms) != chunk_of(library, chunk).num_atoms(molecule))
    refuse(library, chunk, molecule, "it has another number of atoms");
  return {std::move(marked.chiral_atoms), std::move(marked.stereo_bonds)};
}

/// The sections of a chunk, and those of its marks.
std::vector<std::byte> with_marks(const ChunkLayout& layout, const StereoColumns& marks) {
  ChunkAssembler assembler;
  for (const StoredSection& section : layout.sections) {
    if (!section.present || holds_stereo(section.id)) continue;
    assembler.add(section.id, section.bytes, section.raw_bytes);
    if (section.id == SectionId::bond_table) add_stereo(marks, assembler);
  }
  return assembler.finish(layout.counts);
}

Index resolve(const Library& library, Index chunk, std::span<const Index> molecules, ResolvedStereo& resolved) {
  const auto missing = resolved.missing(molecules, [&] { return library.text(chunk, true); });
  for (const auto& [molecule, smiles] : missing) resolved.add(molecule, marks_of(library, chunk, molecule, smiles));
  return std::ssize(missing);
}

}  // namespace

Index resolve_stereo(const Library& library, Index chunk, std::span<const Index> molecules) {
  return resolve(library, chunk, molecules, LibraryAccess::hold(library, chunk).slot().stereo);
}

const ResolvedStereo& resolved_stereo(const Library& library, Index chunk) {
  return LibraryAccess::hold(library, chunk).slot().stereo;
}

Library resolved_chunk(const Library& library, Index chunk, int threads) {
  QUARRY_CHECK(has_raw_stereo(library), "a library is resolved only once");
  std::vector<std::byte> bytes;
  library.in_chunk(chunk, [&] {
    const HeldChunk held = LibraryAccess::hold(library, chunk);
    const ChunkLayout layout = read_layout(held.slot().bytes, held.where());
    for (const StoredSection& section : layout.sections)
      if (section.present) (void)held.section(section.id);  // checks its checksum
    const Index num_molecules = library.num_molecules(chunk);
    std::vector<Index> molecules(num_molecules);
    std::iota(molecules.begin(), molecules.end(), Index{0});
    const std::span all(std::as_const(molecules));
    ResolvedStereo resolved;  // not the library's, whose memory would grow
    const Index num_tasks = (num_molecules + kMoleculesPerTask - 1) / kMoleculesPerTask;
    parallel_for_each(resolve_threads(threads), num_tasks, [&](Index task) {
      const Index first = task * kMoleculesPerTask;
      const auto part = all.subspan(first, std::min(kMoleculesPerTask, num_molecules - first));
      resolve(library, chunk, part, resolved);
    });
    StereoColumns marks;
    resolved.copy(all, marks);
    bytes = with_marks(layout, marks);
  });
  Provenance provenance = library.provenance();
  provenance.stereo = true;
  return library_from_chunk(std::move(bytes), std::move(provenance));
}

}  // namespace quarry
