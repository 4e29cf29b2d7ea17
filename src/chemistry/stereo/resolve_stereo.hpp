/// Stereo marks of molecules that were read without RDKit: RDKit reads their records when somebody asks for the marks.
///
/// The marks that RDKit gives are those of `perceive`, for the same atoms: the reader of SMILES keeps RDKit's order, and
/// leaves molecules to RDKit whose other properties depend on their marks.
#pragma once
#include <span>

#include "library/stereo/resolved_stereo.hpp"
#include "quarry/library.hpp"

namespace quarry {

/// Are the marks of a library's molecules only in their records?
inline bool has_raw_stereo(const Library& library) { return !library.provenance().stereo; }

/// Resolves marks of molecules of a chunk; `resolved_stereo` then has them. Threads may call it at the same time.
/// @param molecules  counted from the first of the chunk
/// @return           how many records RDKit has read
/// @throws InputError  a record is not what the molecule was made of
Index resolve_stereo(const Library& library, Index chunk, std::span<const Index> molecules);

/// The marks of a chunk that are resolved so far.
const ResolvedStereo& resolved_stereo(const Library& library, Index chunk);

}  // namespace quarry
