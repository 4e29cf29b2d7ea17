/// Fuzzes the reader of files of hits. Checksums would stop nearly every mutation, so three inputs in four ignore them; the
/// first byte chooses. What is accepted is written again, and read to the same hits.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "match/hits/hits_columns.hpp"
#include "match/hits/hits_reader.hpp"
#include "quarry/error.hpp"
#include "require.hpp"
#include "seeded_mutator.hpp"
#include "util/files/compression/zstd_frame.hpp"

namespace {

using namespace quarry;
using namespace quarry::match;
using test::require;

class Bytes final : public ByteSource {
 public:
  explicit Bytes(std::span<const std::byte> bytes) : rest_(bytes) {}
  std::size_t read(char* bytes, std::size_t size) override {
    const auto taken = rest_.first(std::min(size, rest_.size()));
    std::copy(taken.begin(), taken.end(), reinterpret_cast<std::byte*>(bytes));
    rest_ = rest_.subspan(taken.size());
    return taken.size();
  }
  Index bytes_read() const override { return 0; }
  Index bytes_total() const override { return 0; }

 private:
  std::span<const std::byte> rest_;
};

void append_part(HitsPart part, const std::vector<std::byte>& raw, std::vector<std::byte>& file) {
  const auto data = raw.empty() ? raw : zstd_frame(raw);
  part.raw_bytes = raw.size();
  part.stored_bytes = data.size();
  part.data_checksum = checksum_of(data);
  part.checksum = checksum_of_fields(part);
  const auto fields = bytes_of(part);
  file.insert(file.end(), fields.begin(), fields.end());
  file.insert(file.end(), data.begin(), data.end());
}

NamedResult seed_block(const HitsHeader& header) {
  NamedResult block;
  block.hit_offsets = {0, 2, 2, 3};
  block.hits = {{.query = 0, .embeddings = 2},
                {.query = 2, .truncated = true, .embeddings = 1},
                {.query = 0, .overflow = true, .embeddings = 300}};
  block.names = {"a", "", "name"};
  if (header.has_mappings()) {
    block.mapping_offsets = {0, 4, 5, 5};
    block.mappings = {0, 1, 1, 0, 400};
  }
  return block;
}

std::vector<std::byte> seed_file(Mode mode) {
  const HitsHeader header{mode, {{"x", 2}, {"y", 3}, {"z", 1}}};
  HitsFileHeader start;
  start.checksum = checksum_of_fields(start);
  const auto fields = bytes_of(start);
  std::vector<std::byte> file(fields.begin(), fields.end());
  append_part({.kind = 1}, encode_queries(header), file);
  append_part({.kind = 2, .num_molecules = 3, .num_hits = 3}, encode_block(header, seed_block(header)), file);
  append_part({.kind = 3, .first_molecule = 3, .num_hits = 3}, {}, file);
  return file;
}

void check(const HitsHeader& header, const NamedResult& block) {
  const auto bytes = encode_block(header, block);
  HitsPart part{.num_molecules = static_cast<std::uint32_t>(block.num_molecules()), .num_hits = block.hits.size()};
  part.first_molecule = block.first_molecule;
  NamedResult again;
  decode_block(header, part, bytes, again);
  require(again.hits == block.hits && again.hit_offsets == block.hit_offsets && again.names == block.names);
  require(again.mappings == block.mappings && again.mapping_offsets == block.mapping_offsets);
}

}  // namespace

test::Seed test::make_seed(unsigned number) {
  return {static_cast<std::uint8_t>(number % 4),
          test::text_of(seed_file(number % 2 == 1 ? Mode::unique : Mode::first))};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Checksums checksums = data[0] % 4 < 3 ? Checksums::ignore : Checksums::verify;
  const auto bytes = test::bytes_after_choice(data, size);
  try {
    HitsParts parts(std::make_unique<Bytes>(bytes), "fuzz", checksums);
    for (NamedResult block; parts.next(block);) check(parts.header(), block);
  } catch (const InputError&) {
  }
  return 0;
}
