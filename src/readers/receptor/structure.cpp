#include "readers/receptor/structure.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "quarry/error.hpp"
#include "util/ascii.hpp"

namespace quarry {

std::string name_of(const SiteResidue& residue) {
  return shown((residue.chain.empty() ? "" : residue.chain + ":") + residue.name + " " + residue.number, 60);
}

std::string name_of(const SiteResidue& residue, const SiteAtom& atom) {
  return name_of(residue) + ":" + shown(atom.name, 20);
}

void append_atom(Structure& structure, SiteResidue&& residue, SiteAtom&& atom) {
  const bool same = !structure.empty() && structure.back().chain == residue.chain &&
                    structure.back().name == residue.name && structure.back().number == residue.number;
  if (!same) structure.push_back(std::move(residue));
  structure.back().atoms.push_back(std::move(atom));
}

double parse_coordinate(std::string_view text, const std::string& name, Index line) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
  throw InputError(name + ", line " + std::to_string(line) + ": '" + shown(text, 20) + "' is not a coordinate");
}

std::string_view columns(std::string_view line, std::size_t begin, std::size_t end) {
  return begin < line.size() ? trimmed(line.substr(begin, end - begin)) : std::string_view();
}

Point parse_position(std::string_view line, const std::string& name, Index number) {
  return {parse_coordinate(columns(line, 30, 38), name, number), parse_coordinate(columns(line, 38, 46), name, number),
          parse_coordinate(columns(line, 46, 54), name, number)};
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

Index line_of_atom(std::string_view text, const SiteAtom& atom) {
  const std::string serial = std::to_string(atom.serial);
  Index number = 0;
  while (!text.empty()) {
    ++number;
    const std::string_view line = take_line(text);
    if (!line.starts_with("ATOM") && !line.starts_with("HETATM")) continue;
    const std::string_view rest = trimmed(line.substr(line.starts_with("ATOM") ? 4 : 6));
    if (rest.starts_with(serial) && rest.find(atom.name) != std::string_view::npos) return number;
  }
  return 0;
}

}  // namespace quarry
