#include "chemistry/parser_memory.hpp"

#include <RDGeneral/Invariant.h>

#include <new>
#include <string>
#include <string_view>

namespace quarry {

void throw_if_out_of_memory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) throw;
  const auto* const assertion = dynamic_cast<const Invar::Invariant*>(&error);
  const bool no_scanner = assertion != nullptr && assertion->getExpression().find("lex_init") != std::string::npos;
  if (no_scanner || std::string_view(error.what()).starts_with("out of dynamic memory in yy")) throw std::bad_alloc();
}

}  // namespace quarry
