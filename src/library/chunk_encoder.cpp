/// From molecules to the bytes of a chunk.
///
/// The idea: the molecules of a library share few distinct atom environments and few distinct (bond kind, distance)
/// pairs, because atoms are numbered along a walk through the molecule. So an atom is a 16-bit id and a bond is a byte,
/// into dictionaries that each chunk builds for itself, the most frequent entry first.
#include <algorithm>
#include <limits>
#include <unordered_map>

#include "library/chunk_assembler.hpp"
#include "library/chunk_codec.hpp"
#include "library/chunk_text.hpp"
#include "util/check.hpp"

namespace quarry {
namespace {

constexpr std::size_t kMaxKinds = 65536;
constexpr std::size_t kMaxTableBonds = kBondEscape;  // codes 0..254

Index num_molecules_of(const ChunkInput& input) {
  Index count = 0;
  for (const MoleculeBlock& block : input.blocks) count += static_cast<Index>(block.molecules.size());
  return count;
}

void check_input(const ChunkInput& input) {
  const Index count = num_molecules_of(input);
  const auto size = static_cast<std::size_t>(count);
  QUARRY_CHECK(input.ids.size() == size && input.records.size() == size, "a chunk needs an id and a record each");
  QUARRY_CHECK(input.rows == count + static_cast<Index>(input.rejected.size()), "rows are ok or rejected");
  if (count > kChunkMolecules) throw CapacityError("molecules in one chunk", kChunkMolecules, count);
}

std::uint32_t checked_offset(std::size_t value, const char* what) {
  if (value > std::numeric_limits<std::uint32_t>::max()) {
    throw CapacityError(what, std::numeric_limits<std::uint32_t>::max(), static_cast<Index>(value));
  }
  return static_cast<std::uint32_t>(value);
}

/// One dictionary for all blocks: the most frequent value first, ties by `order_of`.
template <class Value>
struct Dictionary {
  std::vector<Value> values;
  std::vector<std::vector<std::uint32_t>> ids;  ///< [block][id in the block]: its place in `values`
};

const AtomKind& order_of(const AtomKind& kind) { return kind; }
std::uint64_t order_of(const BondCode& code) { return std::bit_cast<std::uint64_t>(code); }

template <class Value>
using Counts = std::unordered_map<Value, std::size_t, BytesHash>;

template <class Value>
Counts<Value> count_values(const ChunkInput& input, CodedColumn<Value> MoleculeBlock::*column) {
  Counts<Value> counts;
  for (const MoleculeBlock& block : input.blocks) {
    const auto& [values, ids] = block.*column;
    std::vector<std::size_t> in_block(values.size(), 0);
    for (const std::uint32_t id : ids) ++in_block[id];
    for (std::size_t id = 0; id < values.size(); ++id) counts[values[id]] += in_block[id];
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
Dictionary<Value> join(const ChunkInput& input, CodedColumn<Value> MoleculeBlock::*column) {
  Counts<Value> places = count_values(input, column);
  Dictionary<Value> joined{by_frequency(places), {}};
  for (std::size_t place = 0; place < joined.values.size(); ++place) places[joined.values[place]] = place;
  for (const MoleculeBlock& block : input.blocks) {
    auto& ids = joined.ids.emplace_back();
    for (const Value& value : (block.*column).values) ids.push_back(static_cast<std::uint32_t>(places[value]));
  }
  return joined;
}

/// The columns of a chunk while they grow.
struct Columns {
  std::vector<std::uint32_t> atom_offsets{0}, bond_offsets{0}, chiral_offsets{0}, stereo_offsets{0};
  std::vector<std::uint16_t> atom_kinds;
  std::vector<std::uint8_t> bond_codes;
  std::vector<AtomKind> kind_table;
  std::vector<BondCode> bond_table;
  std::vector<std::byte> chiral_atoms, stereo_bonds;
};

void code_atoms(const ChunkInput& input, Columns& columns) {
  auto kinds = join(input, &MoleculeBlock::atoms);
  if (kinds.values.size() > kMaxKinds) {
    throw CapacityError("distinct atom kinds in one chunk of a library", static_cast<Index>(kMaxKinds),
                        static_cast<Index>(kinds.values.size()));
  }
  for (std::size_t block = 0; block < input.blocks.size(); ++block) {
    auto id = input.blocks[block].atoms.ids.begin();
    for (const auto& molecule : input.blocks[block].molecules) {
      for (const auto end = id + molecule.atoms; id != end; ++id) {
        columns.atom_kinds.push_back(static_cast<std::uint16_t>(kinds.ids[block][*id]));
      }
      columns.atom_offsets.push_back(checked_offset(columns.atom_kinds.size(), "atoms in one chunk of a library"));
    }
  }
  columns.kind_table = std::move(kinds.values);
}

void append_bond(std::uint32_t code, const BondCode& entry, std::vector<std::uint8_t>& codes) {
  if (code < kMaxTableBonds) {
    codes.push_back(static_cast<std::uint8_t>(code));
    return;
  }
  codes.push_back(kBondEscape);
  for (const std::byte byte : bytes_of(entry)) codes.push_back(static_cast<std::uint8_t>(byte));
}

void code_bonds(const ChunkInput& input, Columns& columns) {
  auto bonds = join(input, &MoleculeBlock::bonds);
  for (std::size_t block = 0; block < input.blocks.size(); ++block) {
    auto id = input.blocks[block].bonds.ids.begin();
    for (const auto& molecule : input.blocks[block].molecules) {
      for (const auto end = id + molecule.bond_entries; id != end; ++id) {
        append_bond(bonds.ids[block][*id], input.blocks[block].bonds.values[*id], columns.bond_codes);
      }
      columns.bond_offsets.push_back(checked_offset(columns.bond_codes.size(), "bytes of bonds in one chunk"));
    }
  }
  bonds.values.resize(std::min(bonds.values.size(), kMaxTableBonds));
  columns.bond_table = std::move(bonds.values);
}

/// Appends fields one by one, then zeros up to `size`: the padding of a struct has no defined value.
template <class Item, class... Fields>
void append_fields(std::vector<std::byte>& column, const Fields&... fields) {
  const std::size_t begin = column.size();
  const auto append = [&](auto field) {
    const auto bytes = bytes_of(field);
    column.insert(column.end(), bytes.begin(), bytes.end());
  };
  (append(fields), ...);
  column.resize(begin + sizeof(Item));
}

void code_stereo(const ChunkInput& input, Columns& columns) {
  std::size_t num_chiral = 0, num_stereo = 0;
  const char* const what = "stereo marks in one chunk of a library";
  for (const MoleculeBlock& block : input.blocks) {
    for (const ChiralAtom& atom : block.chiral_atoms) {
      append_fields<ChiralAtom>(columns.chiral_atoms, atom.atom, static_cast<std::uint8_t>(atom.clockwise));
    }
    for (const StereoBond& bond : block.stereo_bonds) {
      append_fields<StereoBond>(columns.stereo_bonds, bond.begin, bond.end, bond.begin_neighbour, bond.end_neighbour,
                                static_cast<std::uint8_t>(bond.cis));
    }
    for (const auto& molecule : block.molecules) {
      columns.chiral_offsets.push_back(checked_offset(num_chiral += molecule.chiral_atoms, what));
      columns.stereo_offsets.push_back(checked_offset(num_stereo += molecule.stereo_bonds, what));
    }
  }
}

void add_columns(const Columns& columns, Assembler& assembler) {
  assembler.add(SectionId::atom_offsets, columns.atom_offsets);
  assembler.add(SectionId::bond_offsets, columns.bond_offsets);
  assembler.add(SectionId::atom_kinds, columns.atom_kinds);
  assembler.add(SectionId::bond_codes, columns.bond_codes);
  assembler.add(SectionId::kind_table, columns.kind_table);
  assembler.add(SectionId::bond_table, columns.bond_table);
  if (!columns.chiral_atoms.empty()) {
    assembler.add(SectionId::chiral_offsets, columns.chiral_offsets);
    assembler.add(SectionId::chiral_atoms, columns.chiral_atoms);
  }
  if (!columns.stereo_bonds.empty()) {
    assembler.add(SectionId::stereo_offsets, columns.stereo_offsets);
    assembler.add(SectionId::stereo_bonds, columns.stereo_bonds);
  }
}

}  // namespace

std::vector<std::byte> encode_chunk(const ChunkInput& input) {
  check_input(input);
  Columns columns;
  code_atoms(input, columns);
  code_bonds(input, columns);
  code_stereo(input, columns);

  Assembler assembler;
  add_columns(columns, assembler);
  const auto add_text = [&](SectionId id, const PackedText& text) {
    assembler.add(id, text.compressed, text.raw_bytes);
  };
  add_text(SectionId::ids, pack_strings(input.ids, SectionId::ids));
  add_text(SectionId::records, pack_strings(input.records, SectionId::records));
  if (!input.rejected.empty()) add_text(SectionId::rejected, pack_rejected(input.rejected));
  if (!input.similar.empty()) assembler.add(SectionId::similar, input.similar);
  std::uint64_t num_bonds = 0;
  for (const MoleculeBlock& block : input.blocks) num_bonds += block.num_bonds;
  return assembler.finish({input.ids.size(), columns.atom_kinds.size(), num_bonds,
                           static_cast<std::uint64_t>(input.rows), input.rejected.size()});
}

}  // namespace quarry
