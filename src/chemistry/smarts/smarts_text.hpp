/// What is read from the text of a SMARTS before RDKit parses it.
///
/// Some things are not in RDKit's query tree: parentheses that group components (RDKit refuses them), a chirality mark
/// that was or-ed or given twice, two different bonds of one ring closure. A scan of the text finds them; it recognises
/// atoms, brackets, bonds and ring closures but leaves their meaning to RDKit, and refuses by name what cannot be
/// honoured. Stereo marks that cannot be honoured are only named, because they mean nothing while chirality is not asked
/// for: a mark alone is then always true, so `!@` never is, and a direction is a single bond. The scan also limits length and
/// nesting, so that no SMARTS can exhaust a stack.
/// Source: Daylight Theory Manual, chapter 4 (SMARTS); RDKit 2022.09, SmilesParse/smarts.yy and smarts.ll.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quarry {

/// Longest SMARTS, in characters.
inline constexpr std::size_t kMaxSmartsLength = 100'000;
/// Deepest nesting of `$()`.
inline constexpr int kMaxSmartsRecursion = 64;
/// Deepest nesting of branches.
inline constexpr int kMaxSmartsBranches = 1024;
/// Most characters in a bracket atom and those that enclose it together, where a `$()` counts as one: RDKit's query
/// tree is this deep, and takes 600 bytes of stack for each level.
inline constexpr std::size_t kMaxSmartsExpression = 4096;
/// Most characters in a bond, for the same reason.
inline constexpr std::size_t kMaxBondExpression = 256;

/// A SMARTS made ready for RDKit.
struct SmartsText {
  std::string smarts;                     ///< without component parentheses; `/,\` (either direction) becomes `-`
  std::vector<std::int32_t> atom_groups;  ///< per atom: its component group, or -1
  bool grouped = false;
  std::string stereo_refusal;  ///< why its stereo marks cannot be honoured; empty where they can
};

/// @throws InputError  the SMARTS is empty, too long, too deep, unbalanced, or asks for what cannot be honoured
SmartsText scan_smarts(std::string_view smarts);

}  // namespace quarry
