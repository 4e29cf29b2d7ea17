/// From molecules to the bytes of a chunk.
///
/// The idea: the molecules of a library share few distinct atom environments and few distinct (bond kind, distance)
/// pairs, because atoms are numbered along a walk through the molecule. So nearly every atom and every bond is a byte, an
/// index into dictionaries that each chunk builds for itself, the most frequent entry first.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>
#include <unordered_map>

#include "library/chunk_assembler.hpp"
#include "library/chunk_codec.hpp"
#include "library/chunk_text.hpp"
#include "library/stereo/stereo_columns.hpp"
#include "quarry/error.hpp"
#include "util/bytes.hpp"
#include "util/cast.hpp"
#include "util/check.hpp"

namespace quarry {
namespace {

constexpr std::size_t kMaxTableBonds = kEscape;  // codes 0..254

Index num_molecules_of(const ChunkInput& input) {
  Index count = 0;
  for (const PackedMolecules& packed : input.molecules) count += std::ssize(packed.counts);
  return count;
}

void check_input(const ChunkInput& input) {
  const Index count = num_molecules_of(input);
  QUARRY_CHECK(std::ssize(input.ids) == count && std::ssize(input.records) == count,
               "every molecule of a chunk has an id and a record");
  QUARRY_CHECK(input.rows == count + std::ssize(input.rejected), "rows are ok or rejected");
  if (count > kChunkMolecules) throw CapacityError("molecules in one chunk", kChunkMolecules, count);
}

std::uint32_t checked_offset(Index value, const char* what) {
  constexpr Index kMost = std::numeric_limits<std::uint32_t>::max();
  if (value > kMost) throw CapacityError(what, kMost, value);
  return checked_cast<std::uint32_t>(value);
}

/// One dictionary for all molecules of a chunk: the most frequent value first, ties by `order_of`.
template <class Value>
struct Dictionary {
  std::vector<Value> values;
  std::vector<std::vector<std::uint32_t>> ids;  ///< [PackedMolecules][id there]: index in `values`
};

const AtomKind& order_of(const AtomKind& kind) { return kind; }
std::uint64_t order_of(const BondCode& code) { return std::bit_cast<std::uint64_t>(code); }

template <class Value>
using Counts = std::unordered_map<Value, std::size_t, BytesHash>;

template <class Value>
Counts<Value> count_values(const ChunkInput& input, CodedColumn<Value> PackedMolecules::*column) {
  Counts<Value> counts;
  for (const PackedMolecules& packed : input.molecules) {
    const CodedColumn<Value>& coded = packed.*column;
    for (std::size_t id = 0; id < coded.values.size(); ++id) counts[coded.values[id]] += coded.uses[id];
  }
  return counts;
}

template <class Value>
std::vector<Value> by_frequency(const Counts<Value>& counts) {
  std::vector<std::pair<std::size_t, Value>> order;
  order.reserve(counts.size());
  for (const auto& [value, count] : counts) order.emplace_back(count, value);
  std::sort(order.begin(), order.end(), [](const auto& left, const auto& right) {
    return left.first != right.first ? left.first > right.first : order_of(left.second) < order_of(right.second);
  });
  std::vector<Value> values;
  values.reserve(order.size());
  for (const auto& [count, value] : order) values.push_back(value);
  return values;
}

template <class Value>
Dictionary<Value> join(const ChunkInput& input, CodedColumn<Value> PackedMolecules::*column) {
  Dictionary<Value> joined{by_frequency(count_values(input, column)), {}};
  std::unordered_map<Value, std::uint32_t, BytesHash> indices;
  for (std::uint32_t i = 0; i < joined.values.size(); ++i) indices[joined.values[i]] = i;
  for (const PackedMolecules& packed : input.molecules) {
    auto& ids = joined.ids.emplace_back();
    for (const Value& value : (packed.*column).values) ids.push_back(indices[value]);
  }
  return joined;
}

/// The columns of a chunk while they grow.
struct Columns {
  std::vector<std::uint32_t> molecule_offsets{0};
  std::vector<std::uint8_t> molecule_codes;
  std::vector<AtomKind> kind_table;
  std::vector<BondCode> bond_table;
  StereoColumns stereo;
  std::uint64_t num_atoms = 0;
};

/// Writes codes into room that is large enough.
class CodeWriter {
 public:
  explicit CodeWriter(std::uint8_t* end) : end_(end) {}
  std::uint8_t* end() const { return end_; }

  /// One byte where it is below the escape, else the escape and a `Wide`.
  template <class Wide>
  void add_number(std::uint32_t number) {
    if (number < kEscape) {
      *end_++ = static_cast<std::uint8_t>(number);
    } else {
      add_escaped(static_cast<Wide>(number));
    }
  }
  void add_bond(std::uint32_t code, const BondCode& entry) {
    if (code < kMaxTableBonds) {
      *end_++ = static_cast<std::uint8_t>(code);
    } else {
      add_escaped(entry);
    }
  }

 private:
  template <class Wide>
  void add_escaped(const Wide& value) {
    *end_++ = kEscape;
    std::memcpy(end_, &value, sizeof value);
    end_ += sizeof value;
  }
  std::uint8_t* end_;
};

/// Most bytes of their codes.
std::size_t most_code_bytes(const PackedMolecules& packed) {
  return packed.counts.size() * (1 + sizeof(std::uint32_t)) + packed.atoms.ids.size() * (1 + sizeof(std::uint16_t)) +
         packed.bonds.ids.size() * (1 + sizeof(BondCode));
}

void code_molecules(const ChunkInput& input, Columns& columns) {
  auto kinds = join(input, &PackedMolecules::atoms);
  auto bonds = join(input, &PackedMolecules::bonds);
  if (std::ssize(kinds.values) > kMaxChunkKinds) {
    throw CapacityError("distinct atom kinds in one chunk of a library", kMaxChunkKinds, std::ssize(kinds.values));
  }
  std::vector<std::uint8_t>& codes = columns.molecule_codes;
  std::size_t most_bytes = 0, num_codes = 0, num_molecules = 0;
  for (const PackedMolecules& packed : input.molecules) {
    most_bytes = std::max(most_bytes, most_code_bytes(packed));
    num_codes += packed.counts.size() + packed.atoms.ids.size() + packed.bonds.ids.size();
    num_molecules += packed.counts.size();
  }
  codes.reserve(num_codes);  // nearly all are a byte
  columns.molecule_offsets.reserve(num_molecules + 1);
  const auto room = std::make_unique_for_overwrite<std::uint8_t[]>(most_bytes);
  for (std::size_t i = 0; i < input.molecules.size(); ++i) {
    const PackedMolecules& packed = input.molecules[i];
    CodeWriter writer(room.get());
    // PERF: read through pointers of this loop, for a byte that is written may be any other value as far as a compiler knows.
    const std::uint32_t* kind = packed.atoms.ids.data();
    const std::uint32_t* bond = packed.bonds.ids.data();
    const std::uint32_t* const kind_codes = kinds.ids[i].data();
    const std::uint32_t* const bond_codes = bonds.ids[i].data();
    for (const auto& molecule : packed.counts) {
      writer.add_number<std::uint32_t>(molecule.atoms);
      for (const auto* const end = kind + molecule.atoms; kind != end; ++kind)
        writer.add_number<std::uint16_t>(kind_codes[*kind]);
      for (const auto* const end = bond + molecule.bond_entries; bond != end; ++bond)
        writer.add_bond(bond_codes[*bond], packed.bonds.values[*bond]);
      columns.molecule_offsets.push_back(
          checked_offset(std::ssize(codes) + (writer.end() - room.get()), "bytes of molecules in one chunk"));
    }
    codes.insert(codes.end(), room.get(), writer.end());
    columns.num_atoms += packed.atoms.ids.size();
  }
  bonds.values.resize(std::min(bonds.values.size(), kMaxTableBonds));
  columns.kind_table = std::move(kinds.values);
  columns.bond_table = std::move(bonds.values);
}

void code_stereo(const ChunkInput& input, StereoColumns& columns) {
  Index num_chiral = 0, num_stereo = 0;
  const char* const what = "stereo marks in one chunk of a library";
  for (const PackedMolecules& packed : input.molecules) {
    columns.chiral_atoms.insert(columns.chiral_atoms.end(), packed.chiral_atoms.begin(), packed.chiral_atoms.end());
    columns.stereo_bonds.insert(columns.stereo_bonds.end(), packed.stereo_bonds.begin(), packed.stereo_bonds.end());
    for (const auto& molecule : packed.counts) {
      columns.chiral_offsets.push_back(checked_offset(num_chiral += molecule.chiral_atoms, what));
      columns.stereo_offsets.push_back(checked_offset(num_stereo += molecule.stereo_bonds, what));
    }
  }
}

}  // namespace

std::vector<std::byte> encode_chunk(const ChunkInput& input) {
  check_input(input);
  Columns columns;
  code_molecules(input, columns);
  code_stereo(input, columns.stereo);

  const PackedText ids = pack_strings(input.ids, SectionId::ids);
  const PackedText records = pack_strings(input.records, SectionId::records);
  const PackedText rejected = input.rejected.empty() ? PackedText{} : pack_rejected(input.rejected);
  ChunkAssembler assembler;
  assembler.add(SectionId::kind_table, columns.kind_table);
  assembler.add(SectionId::bond_table, columns.bond_table);
  add_stereo(columns.stereo, assembler);
  const auto add_text = [&](SectionId id, const PackedText& text) {
    assembler.add(id, text.compressed, text.raw_bytes);
  };
  add_text(SectionId::ids, ids);
  add_text(SectionId::records, records);
  if (!input.rejected.empty()) add_text(SectionId::rejected, rejected);
  if (!input.conformers.empty()) assembler.add(SectionId::conformers, input.conformers);
  if (!input.fingerprints.empty()) assembler.add(SectionId::fingerprints, input.fingerprints);
  assembler.add(SectionId::molecule_offsets, columns.molecule_offsets);
  assembler.add(SectionId::molecule_codes, columns.molecule_codes);
  std::uint64_t num_bonds = 0;
  for (const PackedMolecules& packed : input.molecules) num_bonds += packed.num_bonds;
  ChunkCounts counts{input.ids.size(), columns.num_atoms, num_bonds, 0, input.rejected.size()};
  counts.rows = counts.molecules + counts.rejected;
  return assembler.finish(counts);
}

}  // namespace quarry
