#include "match/hits/hits_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quarry/error.hpp"
#include "util/files/compression/zstd_frame.hpp"

namespace quarry::match {
namespace {

/// A zstd block holds at most 128 KiB and takes at least 4 bytes.
constexpr std::uint64_t kMaxExpansion = 128 * 1024 / 4;
/// Memory for stored bytes grows with those that are there, whatever a part states.
constexpr std::uint64_t kReadBytes = std::uint64_t{1} << 20;

}  // namespace

HitsParts::HitsParts(std::unique_ptr<ByteSource> source, std::string name, Checksums checksums)
    : source_(std::move(source)), name_(std::move(name)), checksums_(checksums) {
  take_header();
  place_ = "queries";
  const HitsPart part = take_part();
  if (part.kind != static_cast<std::uint32_t>(HitsPartKind::queries)) fail("they are missing");
  const std::vector<std::byte> data = take_data(part);
  try {
    header_ = decode_queries(data);
  } catch (const DamagedBytes& damage) {
    fail(damage.what());
  }
}

void HitsParts::fail(const std::string& what) const {
  throw InputError(fmt::format("cannot read hits from {}, {}: {}", name_, place_, what));
}

std::size_t HitsParts::read(std::byte* bytes, std::size_t size) {
  std::size_t done = 0;
  try {
    while (done < size) {
      const std::size_t got = source_->read(reinterpret_cast<char*>(bytes) + done, size - done);
      if (got == 0) break;
      done += got;
    }
  } catch (const DamagedBytes& damage) {
    fail(damage.what());
  }
  return done;
}

template <class Fields>
Fields HitsParts::take_fields() {
  Fields fields;
  if (read(reinterpret_cast<std::byte*>(&fields), sizeof fields) < sizeof fields) fail("the file is cut short");
  if (checksums_ == Checksums::verify && fields.checksum != checksum_of_fields(fields))
    fail("the data is damaged (checksum)");
  return fields;
}

void HitsParts::take_header() {
  place_ = "header";
  HitsFileHeader header{};
  const std::size_t got = read(reinterpret_cast<std::byte*>(&header), sizeof header);
  if (got < sizeof header.magic || header.magic != kHitsMagic)
    throw InputError(fmt::format("{} is no file of hits (.qhits)", name_));
  if (got < sizeof header) fail("the file is cut short");
  if (checksums_ == Checksums::verify && header.checksum != checksum_of_fields(header))
    fail("the data is damaged (checksum)");
  if (header.endian_mark != kHitsEndianMark) fail("it was written on a machine with another byte order");
  if (header.version > kHitsVersion)
    fail(fmt::format("its version is {}, written by a newer Quarry; this one reads {}", header.version, kHitsVersion));
}

HitsPart HitsParts::take_part() { return take_fields<HitsPart>(); }

std::vector<std::byte> HitsParts::take_data(const HitsPart& part) {
  std::vector<std::byte> stored;
  while (stored.size() < part.stored_bytes) {
    const std::size_t before = stored.size();
    stored.resize(before + std::min(kReadBytes, part.stored_bytes - before));
    if (read(stored.data() + before, stored.size() - before) < stored.size() - before) fail("the file is cut short");
  }
  if (checksums_ == Checksums::verify && part.data_checksum != checksum_of(stored))
    fail("the data is damaged (checksum)");
  if (part.raw_bytes / kMaxExpansion > stored.size())
    fail(fmt::format("{} bytes cannot become the {} that are stated", stored.size(), part.raw_bytes));
  try {
    std::vector<std::byte> raw = bytes_of_zstd_frame(stored, part.raw_bytes);
    if (raw.size() < part.raw_bytes) fail("it holds fewer bytes than it states");
    return raw;
  } catch (const DamagedBytes& damage) {
    fail(damage.what());
  }
}

bool HitsParts::next(NamedResult& result) {
  if (ended_) return false;
  place_ = fmt::format("block {}", ++num_blocks_);
  const HitsPart part = take_part();
  if (part.kind == static_cast<std::uint32_t>(HitsPartKind::end)) {
    check_end(part);
    return false;
  }
  if (part.kind != static_cast<std::uint32_t>(HitsPartKind::block)) fail("it is of an unknown kind");
  if (part.first_molecule != static_cast<std::uint64_t>(num_molecules_)) fail("molecules before it are missing");
  if (part.num_molecules == 0 || part.num_molecules > kMaxBlockMolecules) fail("it has no molecule, or too many");
  const std::vector<std::byte> data = take_data(part);
  try {
    decode_block(header_, part, data, result);
  } catch (const DamagedBytes& damage) {
    fail(damage.what());
  }
  num_molecules_ += part.num_molecules;
  num_hits_ += part.num_hits;
  return true;
}

void HitsParts::check_end(const HitsPart& part) {
  place_ = "end";
  if (part.first_molecule != static_cast<std::uint64_t>(num_molecules_) || part.num_hits != num_hits_)
    fail("it states other numbers of molecules and hits than the blocks have");
  if (part.stored_bytes != 0) fail("it has data");
  std::byte more;
  if (read(&more, 1) != 0) fail("bytes follow it");
  ended_ = true;
}

struct HitsReader::Impl {
  explicit Impl(const std::string& path) : parts(open_byte_source(path), input_name(path)) {}
  HitsParts parts;
};

HitsReader::HitsReader(const std::string& path) : impl_(new Impl(path)) {}
HitsReader::HitsReader(HitsReader&&) noexcept = default;
HitsReader::~HitsReader() = default;
const HitsHeader& HitsReader::header() const { return impl_->parts.header(); }
bool HitsReader::next(NamedResult& result) { return impl_->parts.next(result); }
Index HitsReader::num_molecules() const { return impl_->parts.num_molecules(); }

}  // namespace quarry::match
