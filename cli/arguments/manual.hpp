/// Manual pages from the tables of options.
#pragma once
#include <string>

#include "arguments/arguments.hpp"

namespace quarry::cli {

/// The page quarry(1), as roff with the macros of man(7).
/// @param date  when the page was made, as YYYY-MM-DD
std::string manual_page(const Program& program, const std::string& date);

/// The page quarry-VERB(1).
std::string manual_page(const Program& program, const Arguments& verb, const std::string& date);

}  // namespace quarry::cli
