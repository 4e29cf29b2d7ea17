/// The atoms of a SMILES stand in its text in the order of their numbers.
#include "output/molecules/smiles_colour.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace quarry::cli {
namespace {

using Range = std::pair<std::size_t, std::size_t>;  // begin, end

/// Whether a text in brackets is a hydrogen atom: [H], [2H], [H+], [H:1].
bool is_hydrogen(std::string_view atom) {
  atom.remove_prefix(std::min(atom.find_first_not_of("[0123456789"), atom.size()));
  return atom.starts_with('H') && (atom.size() < 2 || !(atom[1] >= 'a' && atom[1] <= 'z'));
}

/// The text of each atom; none where there are hydrogens among them.
std::optional<std::vector<Range>> atoms_of(std::string_view line) {
  std::vector<Range> atoms;
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
  for (std::size_t i = begin; i < end;) {
    std::size_t size = 1;
    if (line[i] == '[') {
      size = std::min(line.find(']', i), end - 1) + 1 - i;
      if (is_hydrogen(line.substr(i, size))) return std::nullopt;
    } else if (line[i] == '%') {
      i += 3;  // the number of a ring
      continue;
    } else if (line.substr(i, 2) == "Cl" || line.substr(i, 2) == "Br") {
      size = 2;
    } else if (std::string_view("BCNOPSFIbcnops*").find(line[i]) == std::string_view::npos) {
      ++i;  // a bond, a ring, a branch
      continue;
    }
    atoms.emplace_back(i, i + size);
    i += size;
  }
  return atoms;
}

}  // namespace

std::string with_colours(std::string_view line, const std::vector<std::uint32_t>& atoms) {
  const auto texts = atoms_of(line);
  if (!texts || (!atoms.empty() && atoms.back() >= texts->size())) return std::string(line);
  std::string coloured;
  std::size_t written = 0;
  for (const std::uint32_t atom : atoms) {
    const auto [begin, end] = (*texts)[atom];
    coloured.append(line.substr(written, begin - written)).append(kMatchColour);
    coloured.append(line.substr(begin, end - begin)).append(kNoColour);
    written = end;
  }
  return coloured.append(line.substr(written));
}

}  // namespace quarry::cli
