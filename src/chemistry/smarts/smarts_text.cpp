#include "chemistry/smarts/smarts_text.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "quarry/error.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

constexpr std::string_view kBondCharacters = "-=#:~@$/\\!&,;";
constexpr std::string_view kEitherDirection[] = {"/,\\", "\\,/"};
constexpr std::string_view kChiralClasses[] = {"TH", "AL", "SP", "TB", "OH"};

[[noreturn]] void refuse(const std::string& reason) { throw InputError(reason); }

bool is_direction(char c) { return c == '/' || c == '\\'; }

/// The bond of a ring closure as its other end writes it.
std::string reversed(std::string bond) {
  for (char& c : bond) {
    if (is_direction(c)) c = c == '/' ? '\\' : '/';
  }
  return bond;
}

/// With one direction in place of both, which differ in nothing but their stereo mark.
std::string without_sense(std::string bond) {
  std::ranges::replace(bond, '\\', '/');
  return bond;
}

/// Can the direction of one `;`-separated part of a bond expression be honoured? RDKit does so only where it is the first
/// primitive of the whole expression. It drops it elsewhere, and takes `/,=` for a direction of both.
bool honours_direction(const std::string& part, bool first) {
  const auto direction = part.find_first_of("/\\");
  if (direction == std::string::npos) return true;
  const bool alone =
      part.find_first_of("/\\", direction + 1) == std::string::npos && part.find(',') == std::string::npos;
  return first && direction == 0 && alone;
}

/// Writes `/,\` as `-`. @param stereo_refusal  out: why a direction cannot be honoured; untouched where all can
std::string clean_bond(const std::string& bond, std::string& stereo_refusal) {
  if (bond.find_first_of("/\\") == std::string::npos) return bond;
  std::string result;
  std::size_t begin = 0;
  while (true) {
    const auto end = bond.find(';', begin);
    const std::string part = bond.substr(begin, end == std::string::npos ? end : end - begin);
    const bool is_either = std::ranges::find(kEitherDirection, part) != std::end(kEitherDirection);
    result += is_either ? "-" : part;
    if (!is_either && !honours_direction(part, begin == 0) && stereo_refusal.empty()) {
      stereo_refusal = "the direction in bond '" + bond + "' cannot be honoured";
    }
    if (end == std::string::npos) return result;
    result += ';';
    begin = end + 1;
  }
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  SmartsText run() {
    check_characters();
    scan_molecule();
    if (result_.smarts.empty()) refuse("the SMARTS is empty");
    result_.grouped = next_group_ > 0;
    return std::move(result_);
  }

 private:
  /// One molecule: the whole SMARTS, or the body of a `$()`.
  struct Scope {
    std::map<int, std::string> open_rings;  // ring number: bond at its opening
    int branches = 0;
    bool part_begins = true;  // nothing has come since the last dot
    bool after_group = false;
    std::int32_t group = -1;
  };

  bool at_end() const { return position_ == text_.size(); }
  char peek(std::size_t ahead = 0) const { return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0'; }
  char take() { return text_[position_++]; }
  void copy() { result_.smarts += take(); }

  void check_characters() const {
    if (text_.size() > kMaxSmartsLength) {
      refuse("the SMARTS has " + std::to_string(text_.size()) + " characters; at most " +
             std::to_string(kMaxSmartsLength) + " are supported");
    }
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const unsigned char byte = text_[i];
      if (byte <= ' ' || byte > '~') {
        refuse("byte " + std::to_string(byte) + " at position " + std::to_string(i + 1) +
               " does not belong in a SMARTS");
      }
    }
  }

  /// Reads up to the end of the text or, in a `$()`, up to its closing parenthesis.
  void scan_molecule() {
    Scope scope;
    while (!at_end()) {
      const char c = peek();
      if (c == ')' && scope.branches == 0 && scope.group < 0) {
        if (recursion_ == 0) refuse("a parenthesis is closed that was not opened");
        return;
      }
      if (scope.after_group && c != '.') refuse("a component group must end its dot-separated part");
      if (c == '(') {
        open_parenthesis(scope);
      } else if (c == ')') {
        close_parenthesis(scope);
      } else if (c == '.') {
        copy();
        scope.part_begins = scope.branches == 0;
        scope.after_group = false;
        continue;
      } else {
        scan_token(scope, c);
      }
      scope.part_begins = false;
    }
    if (scope.branches > 0 || scope.group >= 0 || recursion_ > 0) refuse("a parenthesis is not closed");
  }

  void open_parenthesis(Scope& scope) {
    if (!scope.part_begins) {
      if (++scope.branches > kMaxSmartsBranches) {
        refuse("branches are nested deeper than " + std::to_string(kMaxSmartsBranches));
      }
      copy();
      return;
    }
    if (recursion_ > 0) refuse("component grouping inside $() is not supported");
    if (scope.group >= 0) refuse("component groups cannot be nested");
    scope.group = next_group_++;
    take();
    if (peek() == ')') refuse("a component group is empty");
    if (peek() == '(') refuse("component groups cannot be nested");
  }

  void close_parenthesis(Scope& scope) {
    if (scope.branches > 0) {
      --scope.branches;
      copy();
      return;
    }
    scope.group = -1;
    scope.after_group = true;
    take();
  }

  void scan_token(Scope& scope, char c) {
    if (c == '[') {
      add_atom(scope);
      scan_bracket();
    } else if (is_letter(c) || c == '*') {
      add_atom(scope);
      const bool two_letters = (c == 'C' && peek(1) == 'l') || (c == 'B' && peek(1) == 'r');
      copy();
      if (two_letters) copy();
    } else if (c == '>') {
      refuse("reaction SMARTS are not supported");
    } else if (at_arrow()) {
      scan_arrow();
    } else if (kBondCharacters.find(c) != std::string_view::npos) {
      scan_bond(scope);
    } else if (is_digit(c) || c == '%') {
      scan_ring_number(scope, "");
    } else {
      copy();  // RDKit says what is wrong with it
    }
  }

  void add_atom(const Scope& scope) {
    if (recursion_ == 0) result_.atom_groups.push_back(scope.group);
  }

  bool at_arrow() const { return (peek() == '-' && peek(1) == '>') || (peek() == '<' && peek(1) == '-'); }

  /// A dative bond. RDKit forgets what it is combined with.
  void scan_arrow() {
    std::string arrow(1, take());
    arrow += take();
    result_.smarts += arrow;
    if (kBondCharacters.find(peek()) != std::string_view::npos || at_arrow())
      refuse("the dative bond '" + arrow + "' cannot be combined with other bonds");
    if (is_digit(peek()) || peek() == '%') refuse("a dative bond ('" + arrow + "') cannot close a ring");
  }

  void scan_bond(Scope& scope) {
    std::string bond;
    while (!at_end() && (at_arrow() || kBondCharacters.find(peek()) != std::string_view::npos)) {
      if (at_arrow()) refuse("a dative bond cannot be combined with other bonds");
      bond += take();
      if (bond.size() > kMaxBondExpression) {
        refuse("a bond expression is longer than " + std::to_string(kMaxBondExpression) + " characters");
      }
      if (bond.back() == '\\' && peek() == '\\') take();  // an escaped backslash, as RDKit reads it
    }
    bond = clean_bond(bond, result_.stereo_refusal);
    result_.smarts += bond;
    if (is_digit(peek()) || peek() == '%') scan_ring_number(scope, bond);
  }

  /// RDKit keeps the first of two bonds given to one ring closure.
  void scan_ring_number(Scope& scope, const std::string& bond) {
    const int number = take_ring_number();
    const auto opened = scope.open_rings.find(number);
    if (opened == scope.open_rings.end()) {
      scope.open_rings.emplace(number, bond);
      return;
    }
    if (!bond.empty() && !opened->second.empty() && opened->second != reversed(bond)) {
      const std::string reason =
          "ring closure " + std::to_string(number) + " is given two bonds, '" + opened->second + "' and '" + bond + "'";
      if (without_sense(opened->second) != without_sense(bond)) refuse(reason);
      refuse_stereo(reason);
    }
    scope.open_rings.erase(opened);
  }

  /// One digit, `%nn` or `%(n...)` with up to five digits.
  int take_ring_number() {
    std::size_t digits = 1;
    bool parentheses = false;
    if (peek() == '%') {
      copy();
      digits = 2;
      parentheses = peek() == '(';
    }
    if (parentheses) {
      copy();
      digits = 5;
    }
    int number = 0;
    for (; digits > 0 && is_digit(peek()); --digits) {
      number = 10 * number + (peek() - '0');
      copy();
    }
    if (parentheses && peek() == ')') copy();
    return number;
  }

  void scan_bracket() {
    const std::size_t outer = expression_;
    int marks = 0;
    bool part_has_mark = false, part_has_or = false;
    copy();
    while (peek() != ']') {
      if (at_end()) refuse("a bracket is not closed");
      if (++expression_ > kMaxSmartsExpression) {
        refuse("an atom expression is longer than " + std::to_string(kMaxSmartsExpression) + " characters");
      }
      const char c = peek();
      if (c == '$' && peek(1) == '(') {
        scan_recursion();
        continue;
      }
      if (c == ';') part_has_mark = part_has_or = false;
      if (c == ',') part_has_or = true;
      if (c == '@') {
        if (++marks > 1) refuse_stereo("an atom has more than one chirality mark");
        part_has_mark = true;
        scan_chirality();
      } else {
        copy();
      }
      if (part_has_mark && part_has_or) refuse_stereo("an or-ed chirality mark cannot be honoured");
    }
    copy();
    expression_ = outer;
  }

  /// `@`, `@@`, or a class. RDKit takes a class wherever `@` and its letters follow each other, and loses the number of @TH.
  void scan_chirality() {
    const std::string_view letters = text_.substr(position_ + 1, 2);
    copy();
    if (std::ranges::find(kChiralClasses, letters) != std::end(kChiralClasses)) {
      refuse_stereo("chirality class @" + std::string(letters) + " is not supported");
      copy();
      copy();
    } else if (peek() == '@') {
      copy();
    }
  }

  /// Only where chirality is asked for.
  void refuse_stereo(const std::string& reason) {
    if (result_.stereo_refusal.empty()) result_.stereo_refusal = reason;
  }

  void scan_recursion() {
    if (++recursion_ > kMaxSmartsRecursion) {
      refuse("$() is nested deeper than " + std::to_string(kMaxSmartsRecursion));
    }
    copy();
    copy();
    const std::size_t begin = position_;
    scan_molecule();
    const std::string_view body = text_.substr(begin, position_ - begin);
    copy();
    if (peek() == '_') scan_serial_number(body);
    --recursion_;
  }

  /// RDKit matches the first `$()` of a serial number, and takes the answer for all others of that number.
  void scan_serial_number(std::string_view body) {
    copy();
    std::string number;
    while (is_digit(peek())) {
      number += peek();
      copy();
    }
    const auto [known, is_new] = serial_numbers_.try_emplace(number, body);
    if (!is_new && known->second != body) refuse("serial number " + number + " is given to two different $()");
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t expression_ = 0;
  int recursion_ = 0;
  std::int32_t next_group_ = 0;
  std::map<std::string, std::string_view> serial_numbers_;  // of `$()`, with its body
  SmartsText result_;
};

}  // namespace

SmartsText scan_smarts(std::string_view smarts) { return Scanner(smarts).run(); }

}  // namespace quarry
