/// The grammar of SMILES as RDKit reads it, without what is rare: classes of stereo, `#6`, `~`, `$`, dative bonds.
///
/// What this parser does not know is unproven, and so is every error, because only RDKit can say what it is.
/// Chain bonds come in the order of the text, ring bonds after them in the order of their numbers, as RDKit has them.
#include <algorithm>
#include <array>
#include <bitset>
#include <span>

#include "chemistry/smiles/bracket_atom.hpp"
#include "chemistry/smiles/steps.hpp"
#include "util/ascii.hpp"

namespace quarry::smiles {
namespace {

constexpr int kNoAtom = -1;
constexpr int kNumRingNumbers = 100;

constexpr std::uint8_t kChlorine = 17, kBromine = 35, kNotOrganic = 255;

/// Elements that stand without brackets, by their letter; 0 for `*`.
constexpr std::array<std::uint8_t, 128> kOrganicElements = [] {
  std::array<std::uint8_t, 128> elements{};
  elements.fill(kNotOrganic);
  constexpr std::string_view kLetters = "*BbCcNnOoFPpSsI";
  constexpr std::uint8_t kElements[] = {0, 5, 5, 6, 6, 7, 7, 8, 8, 9, 15, 15, 16, 16, 53};
  for (std::size_t i = 0; i < kLetters.size(); ++i) elements[kLetters[i]] = kElements[i];
  return elements;
}();

/// @param c  a letter or `*`
constexpr std::uint8_t organic_element(char c) { return kOrganicElements[static_cast<unsigned char>(c)]; }

// These have no values of their own, which arrays of them would set.

/// A bond symbol; type 0 where there is none, or one that leaves the type open.
struct BondSymbol {
  std::uint8_t type;
  bool written, directed;
};

/// One end of a ring bond.
struct RingEnd {
  int atom;
  BondSymbol symbol;
};
struct Closure {
  int number;
  RingEnd first, second;
};

class TextParser {
 public:
  TextParser(std::string_view text, Draft& draft) : text_(text), draft_(draft) {}

  Unproven parse() {
    for (position_ = 0; position_ < text_.size();) {
      if (!read_token()) return Unproven::text;
      if (std::ssize(draft_.atoms) > kMostAtoms) return Unproven::size;
    }
    if (previous_ == kNoAtom || atom_must_follow_ || num_branches_ != 0 || is_open_.any()) return Unproven::text;
    return close_rings() ? Unproven::none : Unproven::text;
  }

 private:
  bool read_token() {
    const char c = text_[position_];
    if (c == '[') return read_bracket();
    if (is_letter(c) || c == '*') return read_organic_atom(c);
    if (is_digit(c) || c == '%') return read_ring_number();
    ++position_;
    switch (c) {
      case '(':
        if (atom_must_follow_ || previous_ == kNoAtom) return false;
        branches_[num_branches_++] = static_cast<AtomId>(previous_);
        branch_opened_ = atom_must_follow_ = true;
        return true;
      case ')':
        if (atom_must_follow_ || num_branches_ == 0) return false;
        previous_ = branches_[--num_branches_];
        return true;
      case '.':
        if (atom_must_follow_ || previous_ == kNoAtom) return false;
        previous_ = kNoAtom;
        atom_must_follow_ = draft_.has_dots = true;
        return true;
      default:
        return read_bond(c);
    }
  }

  /// RDKit takes two backslashes for one.
  bool read_bond(char c) {
    if (symbol_.written || previous_ == kNoAtom || (atom_must_follow_ && !branch_opened_)) return false;
    symbol_.written = atom_must_follow_ = true;
    switch (c) {
      case '-':
        symbol_.type = kSingle;
        return position_ == text_.size() || text_[position_] != '>';
      case '=':
        symbol_.type = kDouble;
        return true;
      case '#':
        symbol_.type = kTriple;
        return true;
      case ':':
        symbol_.type = kAromatic;
        return true;
      case '\\':
        if (position_ < text_.size() && text_[position_] == '\\') ++position_;
        [[fallthrough]];
      case '/':
        symbol_.directed = draft_.has_stereo_marks = true;
        return true;
      default:
        return false;
    }
  }

  bool read_organic_atom(char c) {
    const char next = position_ + 1 < text_.size() ? text_[position_ + 1] : '\0';
    ++position_;
    std::uint8_t element = organic_element(c);
    if ((c == 'C' && next == 'l') || (c == 'B' && next == 'r')) {
      element = c == 'C' ? kChlorine : kBromine;
      ++position_;
    }
    if (element == kNotOrganic) return false;
    DraftAtom& atom = draft_.atoms.emplace_back();
    atom.element = element;
    atom.aromatic = c >= 'a';
    return join(atom);
  }

  bool read_bracket() {
    const auto end = text_.find(']', position_);
    if (end == std::string_view::npos) return false;
    DraftAtom& atom = draft_.atoms.emplace_back();
    if (!parse_bracket(text_.substr(position_ + 1, end - position_ - 1), atom)) return false;
    position_ = end + 1;
    draft_.has_hydrogen_atoms |= atom.element == 1;
    draft_.has_stereo_marks |= atom.chiral;
    return join(atom);
  }

  /// Bonds the last atom to the one before it in the text.
  /// PERF: atoms and bonds are made where they stay. A copy would load in words what was just stored in bytes, which stalls.
  bool join(DraftAtom& atom) {
    const int index = static_cast<int>(draft_.atoms.size()) - 1;
    atom.facts = facts_ + atom.element;
    atom.written_aromatic = atom.aromatic;
    draft_.num_aromatic += atom.aromatic ? 1 : 0;
    if (previous_ != kNoAtom && !add_bond(previous_, index, symbol_)) return false;
    if (previous_ == kNoAtom && symbol_.written) return false;
    previous_ = index;
    symbol_ = {};
    atom_must_follow_ = branch_opened_ = false;
    return true;
  }

  bool add_bond(int begin, int end, BondSymbol symbol) {
    DraftAtom &left = draft_.atoms[begin], &right = draft_.atoms[end];
    const bool aromatic_ends = left.aromatic && right.aromatic;
    if (symbol.type == 0) symbol.type = aromatic_ends ? kAromatic : kSingle;
    if (symbol.type == kAromatic && !aromatic_ends) return false;
    if (++left.degree > kMostNeighbours || ++right.degree > kMostNeighbours) return false;
    DraftBond& bond = draft_.bonds.emplace_back();
    bond.begin = static_cast<AtomId>(begin);
    bond.end = static_cast<AtomId>(end);
    bond.type = symbol.type;
    bond.aromatic = symbol.type == kAromatic;
    bond.directed = symbol.directed;
    return true;
  }

  bool read_ring_number() {
    if (previous_ == kNoAtom || branch_opened_ || (atom_must_follow_ && !symbol_.written)) return false;
    int number = 0;
    if (text_[position_] != '%') {
      number = text_[position_++] - '0';
    } else {
      if (position_ + 2 >= text_.size() || !is_digit(text_[position_ + 1]) || text_[position_ + 1] == '0' ||
          !is_digit(text_[position_ + 2]))
        return false;
      number = 10 * (text_[position_ + 1] - '0') + text_[position_ + 2] - '0';
      position_ += 3;
    }
    RingEnd& open = open_[number];
    const RingEnd here{previous_, symbol_};
    if (!is_open_[number]) {
      open = here;
    } else {
      if (open.atom == previous_ || num_closures_ == kMostRings) return false;
      add_closure({number, open, here});
    }
    is_open_.flip(number);
    symbol_ = {};
    atom_must_follow_ = false;
    return true;
  }

  /// Those of one number stay in their order.
  void add_closure(const Closure& closure) {
    int index = num_closures_++;
    for (; index > 0 && closures_[index - 1].number > closure.number; --index) closures_[index] = closures_[index - 1];
    closures_[index] = closure;
  }

  /// The symbol at the first end counts, unless it leaves the type open.
  bool close_rings() {
    draft_.num_closures = num_closures_;
    for (const Closure& closure : std::span(closures_.data(), num_closures_)) {
      const BondSymbol &first = closure.first.symbol, &second = closure.second.symbol;
      const BondSymbol symbol{first.type != 0 ? first.type : second.type, true, first.directed || second.directed};
      if (!add_bond(closure.first.atom, closure.second.atom, symbol)) return false;
    }
    return true;
  }

  std::string_view text_;
  Draft& draft_;
  const ElementFacts* const facts_ = &facts_of(0);  ///< by atomic number
  std::size_t position_ = 0;
  int previous_ = kNoAtom;
  BondSymbol symbol_{};
  bool atom_must_follow_ = true, branch_opened_ = false;
  // The arrays are set as far as they are used. A branch opens after an atom, and every molecule has a ring for each closure.
  std::array<AtomId, kMostAtoms> branches_;
  int num_branches_ = 0;
  std::array<RingEnd, kNumRingNumbers> open_;
  std::bitset<kNumRingNumbers> is_open_;
  std::array<Closure, kMostRings> closures_;
  int num_closures_ = 0;
};

}  // namespace

Unproven parse_text(std::string_view text, Draft& draft) { return TextParser(text, draft).parse(); }

Unproven link_atoms(Draft& draft) {
  const std::size_t num_atoms = draft.atoms.size();
  draft.first_link.resize(num_atoms + 1);
  draft.links.resize(2 * draft.bonds.size());
  std::uint32_t next = 0;
  for (std::size_t atom = 0; atom < num_atoms; ++atom) {
    draft.first_link[atom] = next;
    next += draft.atoms[atom].degree;
  }
  for (std::size_t i = 0; i < draft.bonds.size(); ++i) {
    const DraftBond& bond = draft.bonds[i];
    const auto id = static_cast<BondId>(i);
    draft.links[draft.first_link[bond.begin]++] = {bond.end, id};
    draft.links[draft.first_link[bond.end]++] = {bond.begin, id};
  }
  for (std::size_t atom = num_atoms; atom > 0; --atom) draft.first_link[atom] = draft.first_link[atom - 1];
  draft.first_link[0] = 0;
  const std::size_t num_chain_bonds = draft.bonds.size() - draft.num_closures;
  for (std::size_t i = num_chain_bonds; i < draft.bonds.size(); ++i) {
    const auto links = draft.links_of(draft.bonds[i].begin);
    if (std::ranges::count(links, draft.bonds[i].end, &Link::neighbour) != 1) return Unproven::text;
  }
  return Unproven::none;
}

}  // namespace quarry::smiles
