#include "readers/record_reader.hpp"

#include <GraphMol/RWMol.h>
#include <fmt/format.h>

#include "chemistry/perceive.hpp"
#include "util/random.hpp"

namespace quarry {

bool is_audited(Index line, double share) {
  constexpr double kAll = 18446744073709551616.0;  // 2^64
  return share >= 1 || static_cast<double>(mixed_bits(static_cast<std::uint64_t>(line))) < share * kAll;
}

Audit& Audit::operator+=(const Audit& more) {
  rows += more.rows;
  differences += more.differences;
  if (first_difference.empty()) first_difference = more.first_difference;
  return *this;
}

const Molecule* RecordReader::read(const NamedRecord& row, std::string& reason) {
  if (format_ != RecordFormat::smiles || options_.explicit_hydrogens) return read_by_rdkit(row, reason);
  const Molecule* native = native_.read(row.record);
  if (native == nullptr || (options_.stereo && native_.has_stereo_marks())) return read_by_rdkit(row, reason);
  if (spoil_native_reading) {
    molecule_ = *native;
    ++value_of(molecule_.atoms.front(), AtomProperty::charge);
    native = &molecule_;
  }
  return is_audited(row.line, options_.audit) ? compare(*native, row, reason) : native;
}

const Molecule* RecordReader::read_by_rdkit(const NamedRecord& row, std::string& reason) {
  const auto parsed = parse_record(row.record, format_, options_.explicit_hydrogens, reason);
  if (!parsed) return nullptr;
  molecule_ = perceive(*parsed);
  if (!resolves_stereo(options_, format_)) {
    molecule_.chiral_atoms.clear();
    molecule_.stereo_bonds.clear();
  }
  return &molecule_;
}

/// Where the two differ, RDKit is right.
const Molecule* RecordReader::compare(const Molecule& native, const NamedRecord& row, std::string& reason) {
  ++audit_.rows;
  const Molecule kept = native;
  const Molecule* const expected = read_by_rdkit(row, reason);
  if (expected != nullptr && *expected == kept) return expected;
  ++audit_.differences;
  if (audit_.first_difference.empty())
    audit_.first_difference = fmt::format("line {} ({}): {}", row.line, row.id, row.record);
  return expected;
}

}  // namespace quarry
