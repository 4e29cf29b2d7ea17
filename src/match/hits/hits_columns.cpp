#include "match/hits/hits_columns.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "util/cast.hpp"
#include "util/check.hpp"
#include "util/files/byte_source.hpp"

namespace quarry::match {
namespace {

constexpr unsigned kTruncated = 1, kTimeout = 2, kOverflow = 4;
constexpr std::size_t kMostBytes = 10;  // of a number

std::byte* put_number(std::uint64_t number, std::byte* out) {
  for (; number >= 0x80; number >>= 7) *out++ = static_cast<std::byte>(number | 0x80);
  *out++ = static_cast<std::byte>(number);
  return out;
}

void put_number(std::uint64_t number, std::vector<std::byte>& bytes) {
  std::array<std::byte, kMostBytes> some;
  bytes.insert(bytes.end(), some.data(), put_number(number, some.data()));
}

/// Appends a column of numbers. @param number_of  of an index
template <class NumberOf>
void put_numbers(std::size_t count, std::vector<std::byte>& bytes, NumberOf&& number_of) {
  const std::size_t before = bytes.size();
  bytes.resize(before + kMostBytes * count);
  std::byte* out = bytes.data() + before;
  for (std::size_t i = 0; i < count; ++i) out = put_number(number_of(i), out);
  bytes.resize(out - bytes.data());
}

void put_text(std::string_view text, std::vector<std::byte>& bytes) {
  const auto data = std::as_bytes(std::span(text));
  bytes.insert(bytes.end(), data.begin(), data.end());
}

/// Takes numbers and text from the front of a column.
class Column {
 public:
  explicit Column(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::uint8_t byte() {
    if (rest_.empty()) throw DamagedBytes("it ends early");
    const auto value = std::to_integer<std::uint8_t>(rest_.front());
    rest_ = rest_.subspan(1);
    return value;
  }

  std::uint64_t number(std::uint64_t most, const char* what) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint64_t bits = byte();
      const std::uint64_t part = (bits & 0x7f) << shift;
      if (part >> shift != (bits & 0x7f)) break;
      value |= part;
      if (bits < 0x80) {
        if (value > most) break;
        return value;
      }
    }
    throw DamagedBytes(std::string(what) + " is out of range");
  }

  std::string_view text(std::uint64_t length) {
    if (length > rest_.size()) throw DamagedBytes("it ends early");
    const auto taken = rest_.first(length);
    rest_ = rest_.subspan(length);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

  std::uint64_t size() const { return rest_.size(); }
  void finish() const {
    if (!rest_.empty()) throw DamagedBytes("bytes are left over at its end");
  }

 private:
  std::span<const std::byte> rest_;
};

/// For each hit its row, in order of query and then of molecule.
struct ByQuery {
  std::vector<Index> num_hits;       ///< [queries]
  std::vector<std::uint32_t> order;  ///< [hits] into the hits of the block
  std::vector<std::uint32_t> rows;   ///< [hits] the molecule of each of these
};

ByQuery sorted_by_query(const NamedResult& block, std::size_t num_queries) {
  ByQuery sorted;
  sorted.num_hits.resize(num_queries);
  for (const Hit& hit : block.hits) ++sorted.num_hits[hit.query];
  std::vector<Index> next(num_queries);
  std::exclusive_scan(sorted.num_hits.begin(), sorted.num_hits.end(), next.begin(), Index{0});
  sorted.order.resize(block.hits.size());
  sorted.rows.resize(block.hits.size());
  for (Index row = 0; row < block.num_molecules(); ++row) {
    for (Index i = block.hit_offsets[row]; i < block.hit_offsets[row + 1]; ++i) {
      const Index index = next[block.hits[i].query]++;
      sorted.order[index] = checked_cast<std::uint32_t>(i);
      sorted.rows[index] = static_cast<std::uint32_t>(row);
    }
  }
  return sorted;
}

unsigned state_of(const Hit& hit) {
  return (hit.truncated ? kTruncated : 0) | (hit.timeout ? kTimeout : 0) | (hit.overflow ? kOverflow : 0);
}

void put_mappings(const HitsHeader& header, const NamedResult& block, const ByQuery& sorted,
                  std::vector<std::byte>& bytes) {
  const auto atoms_of = [&](Index hit) { return block.mapping_offsets[hit + 1] - block.mapping_offsets[hit]; };
  for (const std::uint32_t hit : sorted.order) {
    const Index num_atoms = header.queries[block.hits[hit].query].num_atoms;
    QUARRY_CHECK(atoms_of(hit) % num_atoms == 0 && atoms_of(hit) / num_atoms <= block.hits[hit].embeddings,
                 "a hit has other atoms than its embeddings");
    put_number(block.hits[hit].embeddings - atoms_of(hit) / num_atoms, bytes);
  }
  for (const std::uint32_t hit : sorted.order)
    for (const std::uint32_t atom : std::span(block.mappings).subspan(block.mapping_offsets[hit], atoms_of(hit)))
      put_number(atom, bytes);
}

/// Of each hit, in the order of the file, its row.
std::vector<std::uint32_t> take_rows(const HitsHeader& header, const HitsPart& part, Column& column,
                                     std::vector<std::uint64_t>& num_hits) {
  std::uint64_t left = part.num_hits;
  for (std::size_t query = 0; query < header.queries.size(); ++query)
    left -= num_hits.emplace_back(column.number(std::min<std::uint64_t>(left, part.num_molecules), "a number of hits"));
  if (left != 0) throw DamagedBytes("its queries have fewer hits than it states");
  if (part.num_hits > column.size()) throw DamagedBytes("it ends early");  // each has some bytes
  std::vector<std::uint32_t> rows;
  rows.reserve(part.num_hits);
  for (const std::uint64_t hits_of_query : num_hits) {
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < hits_of_query; ++i) {
      if (next >= part.num_molecules) throw DamagedBytes("a hit lies behind its last molecule");
      next += column.number(part.num_molecules - next - 1, "the molecule of a hit") + 1;
      rows.push_back(static_cast<std::uint32_t>(next - 1));
    }
  }
  return rows;
}

/// Makes room for the hits of the block, with their queries.
/// @param rows  of hits in the order of the file; out: their indices in the block
void place_hits(const std::vector<std::uint64_t>& num_hits, Index num_molecules, std::vector<std::uint32_t>& rows,
                NamedResult& block) {
  block.hit_offsets.assign(num_molecules + 1, 0);
  for (const std::uint32_t row : rows) ++block.hit_offsets[row + 1];
  std::partial_sum(block.hit_offsets.begin(), block.hit_offsets.end(), block.hit_offsets.begin());
  std::vector<Index> next(block.hit_offsets.begin(), block.hit_offsets.end() - 1);
  block.hits.assign(rows.size(), {});
  auto row = rows.begin();
  for (std::size_t query = 0; query < num_hits.size(); ++query) {
    for (std::uint64_t i = 0; i < num_hits[query]; ++i, ++row) {
      *row = checked_cast<std::uint32_t>(next[*row]++);
      block.hits[*row].query = static_cast<std::uint32_t>(query);
    }
  }
}

void take_counts(Column& column, std::span<const std::uint32_t> indices, std::vector<Hit>& hits) {
  for (const std::uint32_t index : indices) {
    const unsigned state = column.byte();
    if (state > (kTruncated | kTimeout | kOverflow)) throw DamagedBytes("the state of a hit is unknown");
    hits[index].truncated = (state & kTruncated) != 0;
    hits[index].timeout = (state & kTimeout) != 0;
    hits[index].overflow = (state & kOverflow) != 0;
  }
  for (const std::uint32_t index : indices)
    hits[index].embeddings = column.number(std::numeric_limits<Index>::max(), "a number of embeddings");
}

void take_mappings(const HitsHeader& header, Column& column, std::span<const std::uint32_t> indices,
                   NamedResult& block) {
  block.mapping_offsets.assign(block.hits.size() + 1, 0);
  std::uint64_t num_atoms = 0;  // each of which has some bytes
  for (const std::uint32_t index : indices) {
    const Hit& hit = block.hits[index];
    const std::uint64_t stored = hit.embeddings - column.number(hit.embeddings, "a number of embeddings");
    const std::uint64_t length = header.queries[hit.query].num_atoms;
    if (stored > (column.size() - std::min(num_atoms, column.size())) / length) throw DamagedBytes("it ends early");
    num_atoms += stored * length;
    block.mapping_offsets[index + 1] = static_cast<Index>(stored * length);
  }
  if (num_atoms > column.size()) throw DamagedBytes("it ends early");
  std::partial_sum(block.mapping_offsets.begin(), block.mapping_offsets.end(), block.mapping_offsets.begin());
  block.mappings.resize(num_atoms);
  for (const std::uint32_t index : indices)
    for (Index i = block.mapping_offsets[index]; i < block.mapping_offsets[index + 1]; ++i)
      block.mappings[i] = column.number(std::numeric_limits<std::uint32_t>::max(), "an atom");
}

void take_names(Column& column, NamedResult& block) {
  block.names.resize(block.num_molecules());
  std::vector<std::pair<Index, std::uint64_t>> lengths;
  for (Index row = 0; row < block.num_molecules(); ++row) {
    block.names[row].clear();
    if (block.hit_offsets[row] < block.hit_offsets[row + 1])
      lengths.emplace_back(row, column.number(column.size(), "the length of a name"));
  }
  for (const auto& [row, length] : lengths) block.names[row] = column.text(length);
}

}  // namespace

std::vector<std::byte> encode_queries(const HitsHeader& header) {
  std::vector<std::byte> bytes = {static_cast<std::byte>(header.mode)};
  put_number(header.queries.size(), bytes);
  for (const HitsQuery& query : header.queries) {
    put_number(query.num_atoms, bytes);
    put_number(query.id.size(), bytes);
    put_text(query.id, bytes);
  }
  return bytes;
}

HitsHeader decode_queries(std::span<const std::byte> bytes) {
  Column column(bytes);
  const unsigned mode = column.byte();
  if (mode > static_cast<unsigned>(Mode::unique)) throw DamagedBytes("its mode is unknown");
  HitsHeader header{static_cast<Mode>(mode), {}};
  const std::uint64_t num_queries = column.number(column.size(), "the number of queries");
  if (num_queries == 0) throw DamagedBytes("it has no query");
  for (std::uint64_t i = 0; i < num_queries; ++i) {
    HitsQuery& query = header.queries.emplace_back();
    query.num_atoms = column.number(std::numeric_limits<std::uint32_t>::max(), "the number of atoms of a query");
    if (query.num_atoms == 0) throw DamagedBytes("a query has no atom");
    query.id = column.text(column.number(column.size(), "the length of an id"));
  }
  column.finish();
  return header;
}

std::vector<std::byte> encode_block(const HitsHeader& header, const NamedResult& block) {
  const ByQuery sorted = sorted_by_query(block, header.queries.size());
  std::vector<std::byte> bytes;
  for (const Index num_hits : sorted.num_hits) put_number(num_hits, bytes);
  std::size_t first = 0;
  for (const Index num_hits : sorted.num_hits) {
    std::uint32_t next = 0;
    put_numbers(num_hits, bytes, [&](std::size_t i) {
      const std::uint32_t row = sorted.rows[first + i];
      return row - std::exchange(next, row + 1);
    });
    first += num_hits;
  }
  for (const std::uint32_t hit : sorted.order) bytes.push_back(static_cast<std::byte>(state_of(block.hits[hit])));
  put_numbers(sorted.order.size(), bytes, [&](std::size_t i) { return block.hits[sorted.order[i]].embeddings; });
  if (header.has_mappings()) put_mappings(header, block, sorted, bytes);
  const auto for_each_name = [&](auto&& use) {
    for (Index row = 0; row < block.num_molecules(); ++row)
      if (block.hit_offsets[row] < block.hit_offsets[row + 1]) use(block.names[row]);
  };
  for_each_name([&](const std::string& name) { put_number(name.size(), bytes); });
  for_each_name([&](const std::string& name) { put_text(name, bytes); });
  return bytes;
}

void decode_block(const HitsHeader& header, const HitsPart& part, std::span<const std::byte> bytes,
                  NamedResult& block) {
  Column column(bytes);
  std::vector<std::uint64_t> num_hits;
  std::vector<std::uint32_t> indices = take_rows(header, part, column, num_hits);
  block.first_molecule = part.first_molecule;
  place_hits(num_hits, part.num_molecules, indices, block);
  take_counts(column, indices, block.hits);
  block.mapping_offsets.clear();
  block.mappings.clear();
  if (header.has_mappings()) take_mappings(header, column, indices, block);
  take_names(column, block);
  column.finish();
}

}  // namespace quarry::match
