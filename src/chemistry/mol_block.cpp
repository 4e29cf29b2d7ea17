#include "chemistry/mol_block.hpp"

#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/RWMol.h>

#include <algorithm>
#include <new>
#include <string_view>

#include "chemistry/rdkit_memory.hpp"
#include "quarry/index.hpp"

namespace quarry {
namespace {

/// RDKit does not look at what snprintf returns, which is an error where memory is short.
void require_whole(std::string_view block, Index num_atoms) {
  constexpr int kLinesBefore = 3;
  constexpr std::size_t kAtomLine = 69;
  const auto take_line = [&] {
    const auto end = std::min(block.find('\n'), block.size() - 1);
    const std::string_view line = block.substr(0, end);
    block.remove_prefix(end + 1);
    return line;
  };
  for (int i = 0; i < kLinesBefore; ++i) take_line();
  if (!take_line().ends_with("V2000")) return;  // the other version is written by streams
  for (Index i = 0; i < num_atoms; ++i) {
    if (take_line().size() < kAtomLine) throw std::bad_alloc();
  }
}

}  // namespace

std::string mol_block(const RDKit::RWMol& molecule, std::string title) {
  std::ranges::replace_if(
      title, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  RDKit::RWMol named(molecule);
  named.setProp("_Name", title);
  std::string block = in_rdkit([&] { return RDKit::MolToMolBlock(named); });
  require_whole(block, molecule.getNumAtoms());
  return block;
}

}  // namespace quarry
