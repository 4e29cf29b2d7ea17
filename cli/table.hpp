/// Text of one table cell.
#pragma once
#include <string>
#include <string_view>

namespace quarry::cli {

/// Tabs and line breaks become blanks, so that a row stays a row.
std::string tab_safe(std::string_view text);

/// In quotes where CSV needs them (RFC 4180).
std::string csv_safe(std::string_view text);

}  // namespace quarry::cli
