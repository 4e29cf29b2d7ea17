/// Fuzzes the library reader: whole files through opening and verifying, single chunks through the parser.
///
/// Checksums would stop nearly every mutation, so three inputs in four ignore them; the first byte chooses. What a
/// parser accepts is then decoded in full, and encoded again to the same molecules. Where the input is short, mutation
/// starts from what `seed_file` makes of a few molecules.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "library/chunk_codec.hpp"
#include "library/chunk_text.hpp"
#include "library/library_impl.hpp"

namespace {

using namespace quarry;

void require(bool condition) {
  if (!condition) std::abort();
}

Molecule seed_molecule(std::uint32_t num_atoms) {
  Molecule molecule;
  molecule.atoms.resize(num_atoms);
  for (std::uint32_t i = 0; i < num_atoms; ++i) molecule.atoms[i][0] = 6 + i % 3;
  for (std::uint32_t i = 1; i < num_atoms; ++i) molecule.bonds.push_back({i - 1, i, bond_kind(1, false)});
  if (num_atoms > 3) {
    molecule.chiral_atoms = {{2, true}};
    molecule.stereo_bonds = {{1, 2, 0, 3, true}};
  }
  return molecule;
}

std::vector<std::byte> seed_chunk() {
  ChunkInput input;
  input.ids = {"a", "b", "c"};
  input.molecules = {pack_molecules(std::vector{seed_molecule(1), seed_molecule(2), seed_molecule(9)}, input.ids)};
  input.records = {"C", "CC", "CCCCCCCCC"};
  input.rejected = {{4, "d", "why"}};
  input.rows = 4;
  return encode_chunk(input);
}

std::vector<std::byte> seed_file() {
  std::vector<std::byte> file = encode_header();
  const auto chunk = seed_chunk();
  Directory directory;
  directory.entries = {{file.size(), chunk.size(), read_layout(chunk, "seed").counts}};
  file.insert(file.end(), chunk.begin(), chunk.end());
  const auto tail = encode_directory(directory, file.size());
  file.insert(file.end(), tail.begin(), tail.end());
  return file;
}

/// Everything accepted must make sense to the encoder too.
void walk(const Chunk& chunk) {
  std::vector<Molecule> molecules;
  for (Index i = 0; i < chunk.num_molecules; ++i) molecules.push_back(decode_molecule(chunk, i));
  ChunkInput input;
  input.ids.resize(molecules.size());
  input.records.resize(molecules.size());
  input.molecules = {pack_molecules(molecules, input.ids)};
  input.rows = chunk.num_molecules;
  const auto bytes = encode_chunk(input);
  const Chunk again = parse_chunk(bytes, "again").chunk;
  for (Index i = 0; i < chunk.num_molecules; ++i) {
    require(decode_molecule(again, i) == molecules[i]);
  }
}

void read_file(std::span<const std::byte> bytes, Checksums checksums) {
  const Library library = library_from_bytes(bytes, "fuzz", checksums);
  library.verify();
  library.sections();
  for (Index i = 0; i < library.num_chunks(); ++i) walk(chunk_of(library, i));
}

void read_chunk(std::span<const std::byte> bytes, Checksums checksums) {
  const ParsedChunk parsed = parse_chunk(bytes, "fuzz", checksums);
  walk(parsed.chunk);
  unpack_strings(parsed.ids, parsed.chunk.num_molecules, "fuzz", checksums);
  unpack_rejected(parsed.rejected, parsed.counts.rejected, "fuzz", checksums);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool whole_file = (data[0] & 1) != 0;
  const Checksums checksums = data[0] % 8 < 6 ? Checksums::ignore : Checksums::verify;
  std::vector<std::byte> bytes(size - 1);  // aligned, and an allocation of its own for the address sanitizer
  if (size > 1) std::memcpy(bytes.data(), data + 1, size - 1);
  try {
    whole_file ? read_file(bytes, checksums) : read_chunk(bytes, checksums);
  } catch (const InputError&) {
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

/// Starts from a good file or chunk where the input is short; everything else is libFuzzer's own mutation.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  if (size > 64) return LLVMFuzzerMutate(data, size, max_size);
  const bool whole_file = seed % 2 == 1;
  const auto bytes = whole_file ? seed_file() : seed_chunk();
  if (bytes.size() + 1 > max_size) return LLVMFuzzerMutate(data, size, max_size);
  data[0] = seed % 8;
  std::memcpy(data + 1, bytes.data(), bytes.size());
  return bytes.size() + 1;
}
