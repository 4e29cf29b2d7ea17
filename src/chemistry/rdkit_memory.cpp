#include "chemistry/rdkit_memory.hpp"

#include <RDGeneral/Invariant.h>

#include <new>
#include <string>

namespace quarry {
namespace {

/// A check of RDKit, or of its scanners, of what malloc returned.
bool says_that_memory_was_short(const std::exception& error) {
  const std::string what = error.what();
  if (what.starts_with("out of dynamic memory in yy") || what.starts_with("out of memory")) return true;
  const auto* const assertion = dynamic_cast<const Invar::Invariant*>(&error);
  if (assertion == nullptr) return false;
  return assertion->getExpression().find("lex_init") != std::string::npos || what == "bad pointer" ||
         what == "allocation failed";
}

}  // namespace

void throw_if_out_of_memory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) throw;
  if (says_that_memory_was_short(error)) throw std::bad_alloc();
}

}  // namespace quarry
