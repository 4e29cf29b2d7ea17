/// Numbers, names and table cells as text; and where text goes.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "quarry/error.hpp"

namespace quarry::cli {

/// 1234567 as "1,234,567".
std::string grouped(Index number);

/// "1 row", "2 rows".
std::string counted(Index number, std::string_view noun);

/// "a, b, c"
std::string joined(const std::vector<std::string>& parts, std::string_view separator);

/// Tabs and line breaks become blanks, so that a row stays a row.
std::string tab_safe(std::string_view text);

/// In quotes where CSV needs them (RFC 4180).
std::string csv_safe(std::string_view text);

/// File name in lower case without a closing .gz or .zst.
std::string name_without_compression(const std::string& path);

/// Standard output, in one write. @throws DeviceError  it cannot be written
void print(std::string_view text);

/// One line on standard error that starts with "quarry: ".
void complain(std::string_view sentence);

}  // namespace quarry::cli
