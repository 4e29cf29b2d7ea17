/// From molecules to the bytes of a chunk.
///
/// The idea: the molecules of a library share few distinct atom environments and few distinct (bond kind, distance)
/// pairs, because atoms are numbered along a walk through the molecule. So an atom is a 16-bit id and a bond is a byte,
/// into dictionaries that each chunk builds for itself, the most frequent entry first.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "molecule/chunk_assembler.hpp"
#include "molecule/chunk_codec.hpp"
#include "molecule/chunk_normalise.hpp"
#include "molecule/chunk_text.hpp"
#include "util/check.hpp"

namespace quarry {
namespace {

constexpr std::size_t kMaxKinds = 65536;
constexpr std::size_t kMaxTableBonds = kBondEscape;  // codes 0..254

struct KindHash {
  std::size_t operator()(const AtomKind& kind) const { return checksum_of(bytes_of(kind)); }
};

/// "molecule 7 (aspirin)"
std::string name_of(const ChunkInput& input, std::size_t molecule) {
  return fmt::format("molecule {} ({})", molecule, input.ids[molecule]);
}

void check_input(const ChunkInput& input) {
  const std::size_t count = input.molecules.size();
  QUARRY_CHECK(input.ids.size() == count && input.records.size() == count, "a chunk needs an id and a record each");
  QUARRY_CHECK(input.rows == static_cast<Index>(count + input.rejected.size()), "rows are ok or rejected");
  if (static_cast<Index>(count) > kChunkMolecules) {
    throw CapacityError("molecules in one chunk", kChunkMolecules, static_cast<Index>(count));
  }
}

/// Ids of distinct values: the most frequent first, ties by value.
template <class Value, class Hash>
std::vector<Value> by_frequency(const std::unordered_map<Value, Index, Hash>& counts) {
  std::vector<std::pair<Index, Value>> order;
  order.reserve(counts.size());
  for (const auto& [value, count] : counts) order.emplace_back(-count, value);
  std::sort(order.begin(), order.end());
  std::vector<Value> values;
  values.reserve(order.size());
  for (const auto& [count, value] : order) values.push_back(value);
  return values;
}

std::uint32_t checked_offset(std::size_t value, const char* what) {
  if (value > std::numeric_limits<std::uint32_t>::max()) {
    throw CapacityError(what, std::numeric_limits<std::uint32_t>::max(), static_cast<Index>(value));
  }
  return static_cast<std::uint32_t>(value);
}

std::uint64_t packed(const BondCode& code) { return std::bit_cast<std::uint64_t>(code); }

/// Bond entries of all molecules in the order in which they are written, not yet coded.
struct BondEntries {
  std::vector<BondCode> entries;
  std::vector<std::size_t> offsets{0};  ///< per molecule
  std::uint64_t num_bonds = 0;

  void add(const BondList& bonds, std::size_t num_atoms) {
    std::size_t next = 0;
    for (std::uint32_t atom = 0; atom < num_atoms; ++atom) {
      const std::size_t first = next;
      for (; next < bonds.size() && std::get<0>(bonds[next]) == atom; ++next) {
        entries.push_back({atom - std::get<1>(bonds[next]), std::get<2>(bonds[next]), 0, 0});
      }
      if (next == first) entries.push_back({});
      entries.back().last = 1;
    }
    offsets.push_back(entries.size());
    num_bonds += bonds.size();
  }
};

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
  std::unordered_map<AtomKind, Index, KindHash> ids;  // first counts, then ids
  for (const Molecule& molecule : input.molecules) {
    for (const AtomKind& kind : molecule.atoms) ++ids[kind];
  }
  if (ids.size() > kMaxKinds) {
    throw CapacityError("distinct atom kinds in one chunk of a library", static_cast<Index>(kMaxKinds),
                        static_cast<Index>(ids.size()));
  }
  columns.kind_table = by_frequency(ids);
  for (std::size_t id = 0; id < columns.kind_table.size(); ++id) {
    ids[columns.kind_table[id]] = static_cast<Index>(id);
  }
  for (const Molecule& molecule : input.molecules) {
    for (const AtomKind& kind : molecule.atoms) columns.atom_kinds.push_back(static_cast<std::uint16_t>(ids[kind]));
    columns.atom_offsets.push_back(checked_offset(columns.atom_kinds.size(), "atoms in one chunk of a library"));
  }
}

void code_bonds(const BondEntries& bonds, Columns& columns) {
  std::unordered_map<std::uint64_t, Index, std::hash<std::uint64_t>> codes;  // first counts, then codes
  for (const BondCode& entry : bonds.entries) ++codes[packed(entry)];
  auto table = by_frequency(codes);
  table.resize(std::min(table.size(), kMaxTableBonds));
  codes.clear();
  for (std::size_t code = 0; code < table.size(); ++code) {
    codes[table[code]] = static_cast<Index>(code);
    columns.bond_table.push_back(std::bit_cast<BondCode>(table[code]));
  }
  for (std::size_t molecule = 0; molecule + 1 < bonds.offsets.size(); ++molecule) {
    for (std::size_t i = bonds.offsets[molecule]; i < bonds.offsets[molecule + 1]; ++i) {
      const auto found = codes.find(packed(bonds.entries[i]));
      columns.bond_codes.push_back(found != codes.end() ? static_cast<std::uint8_t>(found->second) : kBondEscape);
      if (found != codes.end()) continue;
      for (const std::byte byte : bytes_of(bonds.entries[i])) {
        columns.bond_codes.push_back(static_cast<std::uint8_t>(byte));
      }
    }
    columns.bond_offsets.push_back(checked_offset(columns.bond_codes.size(), "bytes of bonds in one chunk"));
  }
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

void code_stereo(const Molecule& molecule, const std::string& name, Columns& columns) {
  for (const ChiralAtom& atom : normalised_chiral_atoms(molecule, name)) {
    append_fields<ChiralAtom>(columns.chiral_atoms, atom.atom, static_cast<std::uint8_t>(atom.clockwise));
  }
  for (const StereoBond& bond : normalised_stereo_bonds(molecule, name)) {
    append_fields<StereoBond>(columns.stereo_bonds, bond.begin, bond.end, bond.begin_neighbour, bond.end_neighbour,
                              static_cast<std::uint8_t>(bond.cis));
  }
  const auto items = [](const std::vector<std::byte>& column, std::size_t size) {
    return checked_offset(column.size() / size, "stereo marks in one chunk of a library");
  };
  columns.chiral_offsets.push_back(items(columns.chiral_atoms, sizeof(ChiralAtom)));
  columns.stereo_offsets.push_back(items(columns.stereo_bonds, sizeof(StereoBond)));
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
  BondEntries bonds;
  for (std::size_t i = 0; i < input.molecules.size(); ++i) {
    const std::string name = name_of(input, i);
    if (input.molecules[i].atoms.empty()) throw InputError(name + " has no atoms");
    bonds.add(normalised_bonds(input.molecules[i], name), input.molecules[i].atoms.size());
    code_stereo(input.molecules[i], name, columns);
  }
  code_atoms(input, columns);
  code_bonds(bonds, columns);

  Assembler assembler;
  add_columns(columns, assembler);
  const auto add_text = [&](SectionId id, const PackedText& text) {
    assembler.add(id, text.compressed, text.raw_bytes);
  };
  add_text(SectionId::ids, pack_strings(input.ids, SectionId::ids));
  add_text(SectionId::records, pack_strings(input.records, SectionId::records));
  if (!input.rejected.empty()) add_text(SectionId::rejected, pack_rejected(input.rejected));
  return assembler.finish({input.molecules.size(), columns.atom_kinds.size(), bonds.num_bonds,
                           static_cast<std::uint64_t>(input.rows), input.rejected.size()});
}

}  // namespace quarry
