#include "chemistry/record_limits.hpp"

#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <vector>

#include "chemistry/parser_log.hpp"
#include "chemistry/rdkit_memory.hpp"
#include "util/ascii.hpp"
#include "util/random.hpp"

namespace quarry {
namespace {

/// Atoms of molecules, which are nearly all, that need no look at their bonds.
constexpr Index kSmall = 1'500;
static_assert(kSmall * (kSmall / 2 + 1) * (kSmall / 2 + 1) <= kMaxRankingWork);

Index atoms_of_smiles(std::string_view smiles) {
  Index count = 0;
  for (std::size_t i = 0; i < smiles.size() && smiles[i] != ' ' && smiles[i] != '\t'; ++i) {
    const char c = smiles[i];
    if (c == '[') {
      ++count;
      i = std::min(smiles.find(']', i), smiles.size() - 1);
    } else if (is_letter(c) || c == '*') {
      ++count;
      const char next = i + 1 < smiles.size() ? smiles[i + 1] : '\0';
      if ((c == 'C' && next == 'l') || (c == 'B' && next == 'r')) ++i;
    }
  }
  return count;
}

/// Is a mass number in brackets too large for the 16 bits that RDKit has for it? It would lose the higher ones.
bool has_large_isotope(std::string_view smiles) {
  for (auto bracket = smiles.find('['); bracket != smiles.npos; bracket = smiles.find('[', bracket + 1)) {
    std::string_view digits = smiles.substr(bracket + 1);
    if (digits.empty() || !is_digit(digits.front())) continue;
    digits = digits.substr(0, digits.find_first_not_of("0123456789"));
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    if (digits.size() > 5 || (digits.size() == 5 && digits > "65535")) return true;
  }
  return false;
}

/// The number at the start of a text, after blanks; 0 where there is none.
Index leading_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  Index number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && number > 0 ? number : 0;
}

/// The fourth line counts atoms in its first three columns, or says V3000, where a line COUNTS does.
Index atoms_of_sdf(std::string_view record) {
  std::string_view rest = record;
  for (int line = 1; line < 4; ++line) {
    const auto end = rest.find('\n');
    if (end == std::string_view::npos) return 0;
    rest.remove_prefix(end + 1);
  }
  const std::string_view counts = rest.substr(0, rest.find('\n'));
  if (counts.find("V3000") == std::string_view::npos) return leading_number(counts.substr(0, 3));
  constexpr std::string_view kCounts = "M  V30 COUNTS";
  const auto found = rest.find(kCounts);
  return found == std::string_view::npos ? 0 : leading_number(rest.substr(found + kCounts.size(), 32));
}

/// Without the steps that take time; null where RDKit refuses the record, of which the full parse tells more.
std::unique_ptr<RDKit::RWMol> parse_graph(const std::string& record, RecordFormat format) {
  const ParserGuard guard;
  try {
    if (format == RecordFormat::sdf) return std::unique_ptr<RDKit::RWMol>(RDKit::MolBlockToMol(record, false, false));
    RDKit::SmilesParserParams params;
    params.sanitize = false;
    params.removeHs = false;
    return std::unique_ptr<RDKit::RWMol>(RDKit::SmilesToMol(record, params));
  } catch (const std::exception& error) {
    throw_if_out_of_memory(error);
    return nullptr;
  }
}

Index ranking_work(Index atoms, Index rounds) { return atoms * rounds * rounds; }

/// Classes of atoms that their elements and, round by round, their neighbours tell apart.
class AtomClasses {
 public:
  explicit AtomClasses(const RDKit::ROMol& molecule) : molecule_(molecule), classes_(molecule.getNumAtoms()) {
    for (const auto* atom : molecule.atoms()) {
      classes_[atom->getIdx()] = mixed_bits(1000 * atom->getIsotope() + atom->getAtomicNum());
    }
  }

  Index count() const {
    std::vector<std::uint64_t> distinct = classes_;
    std::ranges::sort(distinct);
    return std::unique(distinct.begin(), distinct.end()) - distinct.begin();
  }

  void refine() {
    std::vector<std::uint64_t> refined(classes_.size());
    for (std::size_t i = 0; i < classes_.size(); ++i) refined[i] = mixed_bits(classes_[i]);
    for (const auto* bond : molecule_.bonds()) {
      const auto begin = bond->getBeginAtomIdx(), end = bond->getEndAtomIdx();
      refined[begin] += mixed_bits(classes_[end] + bond->getBondType() + 1);
      refined[end] += mixed_bits(classes_[begin] + bond->getBondType() + 1);
    }
    classes_ = std::move(refined);
  }

 private:
  const RDKit::ROMol& molecule_;
  std::vector<std::uint64_t> classes_;
};

/// Does RDKit take too many rounds to tell the atoms apart? It stops when a round does not help, or after n / 2 + 1.
bool ranks_too_long(const RDKit::ROMol& molecule) {
  const Index atoms = molecule.getNumAtoms(), most_rounds = atoms / 2 + 1;
  AtomClasses classes(molecule);
  Index before = 0, now = classes.count();
  for (Index rounds = 0; rounds < most_rounds && before < now && now < atoms; ++rounds) {
    if (ranking_work(atoms, rounds + 1) > kMaxRankingWork) return true;
    classes.refine();
    before = now;
    now = classes.count();
  }
  return false;
}

}  // namespace

Index atoms_written(std::string_view record, RecordFormat format) {
  return format == RecordFormat::sdf ? atoms_of_sdf(record) : atoms_of_smiles(record);
}

std::string beyond_limits(std::string_view record, RecordFormat format, Index max_atoms) {
  // Every atom of a SMILES has a character, so a short one need not be counted.
  const bool is_short = format == RecordFormat::smiles && std::ssize(record) <= kSmall &&
                        (max_atoms == 0 || std::ssize(record) <= max_atoms);
  std::string reason;
  if (!is_short) {
    const Index atoms = atoms_written(record, format);
    reason = beyond_limits(atoms, max_atoms, [&] { return parse_graph(std::string(record), format); });
  }
  if (reason.empty() && format == RecordFormat::smiles && has_large_isotope(record))
    reason = "a mass number is above 65535";
  return reason;
}

std::string beyond_limits(Index atoms, Index max_atoms, const std::function<std::unique_ptr<RDKit::RWMol>()>& parse) {
  if (max_atoms > 0 && atoms > max_atoms) {
    return "the molecule has " + std::to_string(atoms) + " atoms; at most " + std::to_string(max_atoms) + " are read";
  }
  if (atoms <= kSmall) return {};
  const auto graph = parse();
  if (!graph || !ranks_too_long(*graph)) return {};
  return "RDKit would take too long to read the molecule: it has " + std::to_string(graph->getNumAtoms()) +
         " atoms, many of which only distant atoms tell apart";
}

}  // namespace quarry
