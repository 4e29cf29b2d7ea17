#include "chemistry/smiles/bracket_atom.hpp"

#include <array>

#include "chemistry/elements.hpp"
#include "util/ascii.hpp"

namespace quarry::smiles {
namespace {

constexpr int kNumLetters = 26;

/// Atomic numbers by a capital letter and, first or none, a small one; 0 where there is no such element.
using SymbolTable = std::array<std::array<std::uint8_t, kNumLetters + 1>, kNumLetters>;

SymbolTable make_symbols() {
  SymbolTable table{};
  for (int element = 1; element <= 118; ++element) {
    const std::string_view symbol = element_symbol(element);
    table[symbol[0] - 'A'][symbol.size() == 1 ? 0 : symbol[1] - 'a' + 1] = static_cast<std::uint8_t>(element);
  }
  return table;
}

class BracketParser {
 public:
  BracketParser(std::string_view text, DraftAtom& atom) : text_(text), atom_(atom) {}

  bool parse() {
    atom_.fixed_hydrogens = true;
    return parse_isotope() && parse_symbol() && parse_chirality() && parse_hydrogens() && parse_charge() &&
           parse_map() && position_ == text_.size();
  }

 private:
  char peek(std::size_t ahead = 0) const { return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++position_;
    return true;
  }

  /// A number without leading zeros, where one begins here. @return  false where it is above `most`
  bool parse_number(int most, int& number) {
    if (!is_digit(peek())) return true;
    number = 0;
    if (take('0')) return !is_digit(peek());
    while (is_digit(peek())) {
      number = 10 * number + (text_[position_++] - '0');
      if (number > most) return false;
    }
    return true;
  }

  /// A mass number that Quarry has no room for is an error that RDKit's reading reports.
  bool parse_isotope() {
    constexpr int kMostMass = 32767;
    int mass = 0;
    if (!parse_number(kMostMass, mass)) return false;
    atom_.isotope = static_cast<std::uint16_t>(mass);
    return true;
  }

  bool parse_symbol() {
    static const SymbolTable kSymbols = make_symbols();
    const char first = peek(), second = peek(1);
    if (first >= 'a' && first <= 'z') return parse_aromatic(first, second);
    if (take('*')) return true;
    if (first < 'A' || first > 'Z') return false;
    const auto& row = kSymbols[first - 'A'];
    if (second >= 'a' && second <= 'z' && row[second - 'a' + 1] != 0) {
      atom_.element = row[second - 'a' + 1];
      position_ += 2;
      return true;
    }
    atom_.element = row[0];
    ++position_;
    return atom_.element != 0;
  }

  bool parse_aromatic(char first, char second) {
    atom_.aromatic = true;
    position_ += 2;
    if (first == 's' && second == 'e') return set_element(34);
    if (first == 's' && second == 'i') return set_element(14);
    if (first == 'a' && second == 's') return set_element(33);
    if (first == 't' && second == 'e') return set_element(52);
    --position_;
    switch (first) {
      case 'b':
        return set_element(5);
      case 'c':
        return set_element(6);
      case 'n':
        return set_element(7);
      case 'o':
        return set_element(8);
      case 'p':
        return set_element(15);
      case 's':
        return set_element(16);
      default:
        return false;
    }
  }
  bool set_element(int element) {
    atom_.element = static_cast<std::uint8_t>(element);
    return true;
  }

  /// After `@`, a letter other than H begins a class that is not read here.
  bool parse_chirality() {
    if (!take('@')) return true;
    take('@');
    atom_.chiral = true;
    return atom_.element != 1 && (!is_letter(peek()) || peek() == 'H') && peek() != '@' && !is_digit(peek()) &&
           peek() != ' ';
  }

  bool parse_hydrogens() {
    if (!take('H')) return true;
    int count = 1;
    if (atom_.element == 1 || !parse_number(kMostHydrogens, count)) return false;
    atom_.hydrogens = static_cast<std::int8_t>(count);
    return true;
  }

  /// No atom has a larger charge than it has protons; a dummy atom may have any.
  bool parse_charge() {
    const char sign = peek();
    if (sign != '+' && sign != '-') return true;
    ++position_;
    int charge = 1;
    if (take(sign)) {
      charge = 2;
    } else if (!parse_number(kMostCharges, charge)) {
      return false;
    }
    atom_.charge = static_cast<std::int8_t>(sign == '+' ? charge : -charge);
    return atom_.element == 0 || atom_.charge <= atom_.element;
  }

  bool parse_map() {
    if (!take(':')) return true;
    constexpr int kMostMap = 99'999'999;
    int map = 0;
    return is_digit(peek()) && parse_number(kMostMap, map);
  }

  std::string_view text_;
  DraftAtom& atom_;
  std::size_t position_ = 0;
};

}  // namespace

bool parse_bracket(std::string_view text, DraftAtom& atom) { return BracketParser(text, atom).parse(); }

}  // namespace quarry::smiles
