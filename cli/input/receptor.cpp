#include "input/receptor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "output/text.hpp"
#include "output/warnings.hpp"

namespace quarry::cli {
namespace {

/// The names, at most ten of them.
std::string listed(const std::vector<std::string>& names) {
  constexpr Index kMost = 10;
  const Index num_shown = std::min<Index>(std::ssize(names), kMost);
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + num_shown, ", "));
  if (num_shown < std::ssize(names))
    text += fmt::format(" and {} more (`dock.Receptor` of Python lists all)", std::ssize(names) - num_shown);
  return text;
}

}  // namespace

void warn_of(const Receptor& receptor, const std::string& path) {
  if (receptor.num_doubled > 0)
    warn(fmt::format(
        "'{}' has {} at the position of another one, and energies count both: is the structure in it twice?", path,
        counted(receptor.num_doubled, "atom")));
  if (!receptor.missing_atoms.empty())
    warn(fmt::format("'{}' lacks {}: {}", path, counted(std::ssize(receptor.missing_atoms), "atom"),
                     listed(receptor.missing_atoms)));
  if (!receptor.unknown_residues.empty())
    warn(fmt::format("'{}' has {} without a template, typed by the lengths of bonds: {}", path,
                     counted(std::ssize(receptor.unknown_residues), "residue"), listed(receptor.unknown_residues)));
}

Receptor load_receptor(const std::string& path, const ReceptorOptions& options) {
  Receptor receptor = read_receptor(path, options);
  warn_of(receptor, path);
  return receptor;
}

}  // namespace quarry::cli
