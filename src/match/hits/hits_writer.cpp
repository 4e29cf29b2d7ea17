/// Collects molecules to blocks, and writes each when it is full.
#include <memory>
#include <utility>

#include "match/hits/hits_columns.hpp"
#include "quarry/error.hpp"
#include "quarry/files/hits.hpp"
#include "quarry/files/output.hpp"
#include "util/cast.hpp"
#include "util/files/compression/zstd_frame.hpp"

namespace quarry::match {
namespace {

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::vector<HitsQuery> hits_queries(const QuerySet& queries) {
  std::vector<HitsQuery> all;
  for (const Query& query : queries.accepted) all.push_back({query.id, std::ssize(query.pattern.atoms)});
  return all;
}

struct HitsWriter::Impl {
  Impl(std::function<void(std::string_view)> the_write, const HitsHeader& wanted)
      : write(std::move(the_write)), header(wanted) {
    if (header.queries.empty()) throw InputError("there is no query");
    HitsFileHeader start;
    start.checksum = checksum_of_fields(start);
    write(text_of(bytes_of(start)));
    write_part({.kind = static_cast<std::uint32_t>(HitsPartKind::queries)}, encode_queries(header));
    begin_block();
  }

  void begin_block() {
    block.first_molecule += block.num_molecules();
    block.hit_offsets.assign(1, 0);
    block.hits.clear();
    if (header.has_mappings()) block.mapping_offsets.assign(1, 0);
    block.mappings.clear();
    block.names.clear();
    name_bytes = 0;
  }

  bool is_full() const {
    return block.num_molecules() >= kMaxBlockMolecules || std::ssize(block.hits) >= kBlockHits ||
           std::ssize(block.mappings) >= kBlockAtoms || name_bytes >= kBlockNameBytes;
  }

  void write_block() {
    if (block.num_molecules() == 0) return;
    num_hits += block.hits.size();
    write_part({.kind = static_cast<std::uint32_t>(HitsPartKind::block),
                .num_molecules = checked_cast<std::uint32_t>(block.num_molecules()),
                .first_molecule = checked_cast<std::uint64_t>(block.first_molecule),
                .num_hits = block.hits.size()},
               encode_block(header, block));
    begin_block();
  }

  void write_part(HitsPart part, const std::vector<std::byte>& raw) {
    const std::vector<std::byte> data = raw.empty() ? raw : zstd_frame(raw);
    part.raw_bytes = raw.size();
    part.stored_bytes = data.size();
    part.data_checksum = checksum_of(data);
    part.checksum = checksum_of_fields(part);
    write(text_of(bytes_of(part)));
    write(text_of(data));
  }

  std::unique_ptr<Output> output;  ///< nullptr where bytes go elsewhere
  std::function<void(std::string_view)> write;
  HitsHeader header;
  NamedResult block;
  Index name_bytes = 0;        ///< in the block
  std::uint64_t num_hits = 0;  ///< in blocks that are written
};

HitsWriter::HitsWriter(const std::string& path, const HitsHeader& header) {
  auto output = std::make_unique<Output>(path);
  impl_ = std::make_unique<Impl>([&output = *output](std::string_view bytes) { output.write(bytes); }, header);
  impl_->output = std::move(output);
}
HitsWriter::HitsWriter(std::function<void(std::string_view)> write, const HitsHeader& header)
    : impl_(std::make_unique<Impl>(std::move(write), header)) {}
HitsWriter::HitsWriter(HitsWriter&&) noexcept = default;
HitsWriter::~HitsWriter() = default;

void HitsWriter::add(std::string_view name, std::span<const Hit> hits, std::span<const std::uint32_t> mappings,
                     std::span<const Index> offsets) {
  NamedResult& block = impl_->block;
  block.names.emplace_back(hits.empty() ? "" : name);
  block.hits.insert(block.hits.end(), hits.begin(), hits.end());
  block.hit_offsets.push_back(std::ssize(block.hits));
  if (impl_->header.has_mappings()) {
    const Index before = std::ssize(block.mappings);
    block.mappings.insert(block.mappings.end(), mappings.begin(), mappings.end());
    for (std::size_t i = 0; i < hits.size(); ++i)
      block.mapping_offsets.push_back(before + offsets[i + 1] - offsets.front());
  }
  impl_->name_bytes += std::ssize(block.names.back());
  if (impl_->is_full()) impl_->write_block();
}

void HitsWriter::finish() {
  impl_->write_block();
  impl_->write_part({.kind = static_cast<std::uint32_t>(HitsPartKind::end),
                     .first_molecule = checked_cast<std::uint64_t>(impl_->block.first_molecule),
                     .num_hits = impl_->num_hits},
                    {});
  if (impl_->output) impl_->output->finish();
}

}  // namespace quarry::match
