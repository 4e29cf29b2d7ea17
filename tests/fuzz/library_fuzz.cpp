/// Fuzzes the library reader: whole files through opening and verifying, single chunks through the parser.
///
/// Checksums would stop nearly every mutation, so three inputs in four ignore them; the first byte chooses. What a
/// parser accepts is then decoded in full, and encoded again to the same molecules. A whole file is used as a run uses it:
/// searched for queries, compared by its own fingerprints, and asked for its conformers. Where the input is short, mutation
/// starts from what `seed_file` makes of a few molecules.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "library/chunk_codec.hpp"
#include "library/chunk_text.hpp"
#include "library/conformers.hpp"
#include "library/library_format.hpp"
#include "library/library_impl.hpp"
#include "quarry/match.hpp"
#include "quarry/similar.hpp"
#include "require.hpp"
#include "seeded_mutator.hpp"

namespace {

using namespace quarry;
using test::require;

const similar::Definition kEcfp4{similar::Metric::ecfp4};

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
  input.fingerprints = similar::pack_section(input.records, {{}, kEcfp4});
  input.conformers = pack_conformers(std::vector<std::vector<StoredIsomer>>{{{1, {1, 2, 3}}}, {}, {{0, {}}}});
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

/// What a chunk says of itself in the sections that the library does not look into.
void use_sections(const Library& library) {
  const Index room = 1000;  // to save time
  if (library.num_molecules() > room) return;
  for (Index chunk = 0; chunk < library.num_chunks(); ++chunk) {
    const auto section = conformers_of(library, chunk);
    for (Index i = 0; section && i < library.num_molecules(chunk); ++i)
      for (const StoredIsomer& isomer : section->isomers(i)) require(isomer.num_atoms >= 0);
  }
  similar::SearchOptions options;
  options.threads = 1;
  options.device = "host";
  for (const similar::Definition& definition : {similar::Definition{}, kEcfp4}) {
    if (definition == kEcfp4 && similar::num_stored(library, kEcfp4) < library.num_molecules())
      continue;  // RDKit is slow
    const auto molecules = similar::Fingerprints::of_library(library, definition);
    for (const auto& item : similar::search(molecules, molecules, options).items)
      require(item.molecule < molecules.size() && item.similarity >= 0 && item.similarity <= 1);
  }
}

void match_queries(const Library& library) {
  static const QuerySet queries = compile_queries({"C~C", "[N,O;!R]", "[$(C~*)]~*~*", "*.*"});
  match::Options options;
  options.mode = match::Mode::unique;
  options.max_matches = 100;
  options.pair_budget = 10'000;
  options.threads = 1;
  options.device = "host";
  for (const match::Hit& hit : match::run(library, queries, options).hits) require(hit.embeddings > 0 || hit.timeout);
}

/// AddressSanitizer looks at each string.
void read_all(const TextColumn& column) {
  volatile std::size_t sum = 0;
  for (const std::string_view text : column)
    for (const char letter : text) sum = sum + static_cast<unsigned char>(letter);
}

void read_file(std::span<const std::byte> bytes, Checksums checksums) {
  const Library library = library_from_bytes(bytes, "fuzz", checksums);
  library.verify();
  library.sections();
  for (Index i = 0; i < library.num_chunks(); ++i) {
    walk(chunk_of(library, i));
    const ChunkText text = library.text(i, true);
    read_all(text.ids);
    read_all(text.records);
  }
  use_sections(library);
  match_queries(library);
}

void read_chunk(std::span<const std::byte> bytes, Checksums checksums) {
  const ParsedChunk parsed = parse_chunk(bytes, "fuzz", checksums);
  walk(parsed.chunk);
  read_all(unpack_strings(parsed.ids, parsed.chunk.num_molecules, "fuzz", checksums));
  unpack_rejected(parsed.rejected, parsed.counts.rejected, "fuzz", checksums);
}

}  // namespace

test::Seed test::make_seed(unsigned number) {
  return {static_cast<std::uint8_t>(number % 8), test::text_of(number % 2 == 1 ? seed_file() : seed_chunk())};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool whole_file = (data[0] & 1) != 0;
  const Checksums checksums = data[0] % 8 < 6 ? Checksums::ignore : Checksums::verify;
  const auto bytes = test::bytes_after_choice(data, size);
  try {
    whole_file ? read_file(bytes, checksums) : read_chunk(bytes, checksums);
  } catch (const InputError&) {
  }
  return 0;
}
