/// Numbers, names and table cells as text; printing.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/error.hpp"

namespace quarry::cli {

/// 1234567 as "1,234,567".
std::string grouped(Index number);

/// "1 row", "2 rows".
std::string counted(Index number, std::string_view noun);

/// Appends the digits. There may be millions of rows.
void append_number(std::uint64_t number, std::string& text);

/// "a, b, c"
std::string joined(const std::vector<std::string>& parts, std::string_view separator);

/// The text with tabs and line breaks replaced by blanks, so that it fits in one cell of a table.
std::string tab_safe(std::string_view text);

/// The text in quotes where CSV needs them (RFC 4180).
std::string csv_safe(std::string_view text);

/// The text `tab_safe`, and in quotes where it begins with one: programs that read cells between tabs take that for a cell in
/// quotes.
std::string tsv_safe(std::string_view text);

/// The text as a cell of a table with commas or tabs.
std::string cell_of(std::string_view text, char separator);

/// Rows of `tab_safe` cells between tabs, as the name of their file wants them: with commas and quotes where it ends in .csv.
std::string rows_for_file(std::string rows, const std::string& path);

/// The text with its ASCII letters in lower case.
std::string lower_case(std::string text);

/// The path in lower case, without .gz, .zst, .bz2 or .xz at its end.
std::string name_without_compression(const std::string& path);

/// The extension that names a format, in lower case with its dot: ".smi" of "A.SMI.gz"; empty where there is none.
std::string extension_of(const std::string& path);

/// Writes the text to standard output at once, `terminal_safe` where that is a terminal. @throws SystemError  it cannot
/// be written
void print(std::string_view text);

/// Writes the text, `terminal_safe`, to standard error. Where that is closed or full it is lost, and the run goes on.
void say(std::string_view text);

/// Writes "quarry: " and the sentence as one line to standard error.
void complain(std::string_view sentence);

/// From now on `print` and `say` keep their texts, for all that needs memory must be done before outputs are shown.
void hold_texts();
/// Writes the texts that are kept, and keeps no more. Allocates nothing. @throws SystemError as `print`
void show_texts();
/// Forgets them.
void drop_texts() noexcept;

}  // namespace quarry::cli
