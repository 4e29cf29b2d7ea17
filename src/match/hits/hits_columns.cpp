#include "match/hits/hits_columns.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "util/check.hpp"
#include "util/files/byte_source.hpp"

namespace quarry::match {
namespace {

constexpr unsigned kTruncated = 1, kTimeout = 2, kOverflow = 4;

void put_number(std::uint64_t number, std::vector<std::byte>& bytes) {
  for (; number >= 0x80; number >>= 7) bytes.push_back(static_cast<std::byte>(number | 0x80));
  bytes.push_back(static_cast<std::byte>(number));
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

  std::string text(std::uint64_t length) {
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
  std::vector<Index> num_hits;  ///< [queries]
  std::vector<Index> order;     ///< [hits] into the hits of the block
  std::vector<Index> rows;      ///< [hits] the molecule of each of these
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
      const Index place = next[block.hits[i].query]++;
      sorted.order[place] = i;
      sorted.rows[place] = row;
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
  for (const Index hit : sorted.order) {
    const Index num_atoms = header.queries[block.hits[hit].query].num_atoms;
    QUARRY_CHECK(atoms_of(hit) % num_atoms == 0 && atoms_of(hit) / num_atoms <= block.hits[hit].embeddings,
                 "a hit has other atoms than its embeddings");
    put_number(block.hits[hit].embeddings - atoms_of(hit) / num_atoms, bytes);
  }
  for (const Index hit : sorted.order)
    for (const std::uint32_t atom : std::span(block.mappings).subspan(block.mapping_offsets[hit], atoms_of(hit)))
      put_number(atom, bytes);
}

/// Hits in the order of the file.
struct FileHits {
  std::vector<Index> rows;
  std::vector<Hit> hits;
  std::vector<Index> num_stored;  ///< embeddings of each; empty where the mode has none
  std::vector<Index> atoms;       ///< [hits + 1] into `mappings`; the same
  std::vector<std::uint32_t> mappings;
};

void take_pairs(const HitsHeader& header, const HitsPart& part, Column& column, FileHits& file) {
  std::uint64_t left = part.num_hits;
  std::vector<std::uint64_t> num_hits;
  for (std::size_t query = 0; query < header.queries.size(); ++query)
    left -= num_hits.emplace_back(column.number(std::min<std::uint64_t>(left, part.num_molecules), "a number of hits"));
  if (left != 0) throw DamagedBytes("its queries have fewer hits than it states");
  if (part.num_hits > column.size()) throw DamagedBytes("it ends early");  // each has some bytes
  file.rows.reserve(part.num_hits);
  file.hits.reserve(part.num_hits);
  for (std::size_t query = 0; query < num_hits.size(); ++query) {
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < num_hits[query]; ++i) {
      if (next >= part.num_molecules) throw DamagedBytes("a hit lies behind its last molecule");
      next += column.number(part.num_molecules - next - 1, "the molecule of a hit") + 1;
      file.rows.push_back(next - 1);
      file.hits.push_back({.query = static_cast<std::uint32_t>(query)});
    }
  }
  for (Hit& hit : file.hits) {
    const unsigned state = column.byte();
    if (state > (kTruncated | kTimeout | kOverflow)) throw DamagedBytes("the state of a hit is unknown");
    hit.truncated = (state & kTruncated) != 0;
    hit.timeout = (state & kTimeout) != 0;
    hit.overflow = (state & kOverflow) != 0;
  }
  for (Hit& hit : file.hits)
    hit.embeddings = column.number(std::numeric_limits<Index>::max(), "a number of embeddings");
}

void take_mappings(const HitsHeader& header, Column& column, FileHits& file) {
  for (const Hit& hit : file.hits)
    file.num_stored.push_back(hit.embeddings - column.number(hit.embeddings, "a number of embeddings"));
  file.atoms.push_back(0);
  for (std::size_t i = 0; i < file.hits.size(); ++i) {
    const std::uint64_t length = header.queries[file.hits[i].query].num_atoms;
    if (static_cast<std::uint64_t>(file.num_stored[i]) > column.size() / length) throw DamagedBytes("it ends early");
    for (std::uint64_t left = file.num_stored[i] * length; left > 0; --left)
      file.mappings.push_back(column.number(std::numeric_limits<std::uint32_t>::max(), "an atom"));
    file.atoms.push_back(std::ssize(file.mappings));
  }
}

/// Gives each hit its place among those of its molecule.
void order_by_molecule(const HitsHeader& header, const FileHits& file, Index num_molecules, NamedResult& block) {
  block.hit_offsets.assign(num_molecules + 1, 0);
  for (const Index row : file.rows) ++block.hit_offsets[row + 1];
  std::partial_sum(block.hit_offsets.begin(), block.hit_offsets.end(), block.hit_offsets.begin());
  std::vector<Index> next(block.hit_offsets.begin(), block.hit_offsets.end() - 1), order(file.hits.size());
  for (std::size_t i = 0; i < file.rows.size(); ++i) order[next[file.rows[i]]++] = static_cast<Index>(i);
  for (const Index i : order) block.hits.push_back(file.hits[i]);
  if (!header.has_mappings()) return;
  block.mapping_offsets.push_back(0);
  for (const Index i : order) {
    block.mappings.insert(block.mappings.end(), file.mappings.begin() + file.atoms[i],
                          file.mappings.begin() + file.atoms[i + 1]);
    block.mapping_offsets.push_back(std::ssize(block.mappings));
  }
}

void take_names(Column& column, NamedResult& block) {
  block.names.resize(block.num_molecules());
  std::vector<std::pair<Index, std::uint64_t>> lengths;
  for (Index row = 0; row < block.num_molecules(); ++row)
    if (block.hit_offsets[row] < block.hit_offsets[row + 1])
      lengths.emplace_back(row, column.number(column.size(), "the length of a name"));
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
    Index next = 0;
    for (const Index row : std::span(sorted.rows).subspan(first, num_hits))
      put_number(row - std::exchange(next, row + 1), bytes);
    first += num_hits;
  }
  for (const Index hit : sorted.order) bytes.push_back(static_cast<std::byte>(state_of(block.hits[hit])));
  for (const Index hit : sorted.order) put_number(block.hits[hit].embeddings, bytes);
  if (header.has_mappings()) put_mappings(header, block, sorted, bytes);
  const auto for_each_name = [&](auto&& use) {
    for (Index row = 0; row < block.num_molecules(); ++row)
      if (block.hit_offsets[row] < block.hit_offsets[row + 1]) use(block.names[row]);
  };
  for_each_name([&](const std::string& name) { put_number(name.size(), bytes); });
  for_each_name([&](const std::string& name) { put_text(name, bytes); });
  return bytes;
}

NamedResult decode_block(const HitsHeader& header, const HitsPart& part, std::span<const std::byte> bytes) {
  Column column(bytes);
  FileHits file;
  take_pairs(header, part, column, file);
  if (header.has_mappings()) take_mappings(header, column, file);
  NamedResult block;
  block.first_molecule = part.first_molecule;
  order_by_molecule(header, file, part.num_molecules, block);
  take_names(column, block);
  column.finish();
  return block;
}

}  // namespace quarry::match
