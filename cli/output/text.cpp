/// Small functions on text.
#include "output/text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <mutex>
#include <optional>

#include "output/terminal.hpp"
#include "quarry/files/output.hpp"

namespace quarry::cli {
namespace {

/// What `print` and `say` keep between `hold_texts` and `show_texts`.
struct HeldTexts {
  std::mutex mutex;
  bool holding = false;
  std::optional<Output> output;
  std::string errors;
};
HeldTexts held;

/// As RFC 4180 has it.
std::string in_quotes(std::string_view text) {
  std::string cell = "\"";
  for (const char c : text) cell.append(c == '"' ? 2 : 1, c);
  return cell + "\"";
}

}  // namespace

std::string grouped(Index number) {
  std::string digits = std::to_string(number);
  for (Index position = std::ssize(digits) - 3; position > (number < 0 ? 1 : 0); position -= 3)
    digits.insert(position, 1, ',');
  return digits;
}

std::string counted(Index number, std::string_view noun) {
  if (number == 1 || noun.ends_with('s')) return fmt::format("{} {}", grouped(number), noun);
  if (noun.ends_with('y') && !noun.ends_with("oy") && !noun.ends_with("ay"))
    return fmt::format("{} {}ies", grouped(number), noun.substr(0, noun.size() - 1));
  if (noun.ends_with("ex")) return fmt::format("{} {}ices", grouped(number), noun.substr(0, noun.size() - 2));
  return fmt::format("{} {}s", grouped(number), noun);
}

void append_number(std::uint64_t number, std::string& text) {
  char digits[20];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) text.append(text.empty() ? "" : separator).append(part);
  return text;
}

std::string tab_safe(std::string_view text) {
  std::string cell(text);
  std::replace_if(
      cell.begin(), cell.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return cell;
}

std::string csv_safe(std::string_view text) {
  return text.find_first_of(",\"\r\n") == std::string_view::npos ? std::string(text) : in_quotes(text);
}

std::string tsv_safe(std::string_view text) {
  return text.starts_with('"') ? in_quotes(tab_safe(text)) : tab_safe(text);
}

std::string cell_of(std::string_view text, char separator) {
  return separator == ',' ? csv_safe(text) : tsv_safe(text);
}

std::string rows_for_file(std::string rows, const std::string& path) {
  const char separator = extension_of(path) == ".csv" ? ',' : '\t';
  if (separator == '\t' && rows.find('"') == std::string::npos) return rows;
  std::string text;
  const std::string_view all(rows);
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find_first_of("\t\n", begin), all.size());
    text += cell_of(all.substr(begin, end - begin), separator);
    if (end < all.size()) text += all[end] == '\t' ? separator : '\n';
    begin = end + 1;
  }
  return text;
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return text;
}

std::string name_without_compression(const std::string& path) {
  const std::string name = lower_case(path);
  for (const std::string_view end : {".gz", ".zst", ".bz2", ".xz"})
    if (name.ends_with(end)) return name.substr(0, name.size() - end.size());
  return name;
}

std::string extension_of(const std::string& path) {
  return std::filesystem::path(name_without_compression(path)).extension();
}

void print(std::string_view text) {
  const std::string safe = ::isatty(STDOUT_FILENO) == 1 ? terminal_safe(text) : std::string();
  if (!safe.empty()) text = safe;
  {
    const std::lock_guard lock(held.mutex);
    if (held.holding) {
      if (!held.output) held.output.emplace("-");
      held.output->write(text);
      return;
    }
  }
  const WithoutLine above;
  Output output("-");
  output.write(text);
  output.finish();
}

void say(std::string_view words) {
  const std::string text = terminal_safe(words);
  {
    const std::lock_guard lock(held.mutex);
    if (held.holding) {
      held.errors += text;
      return;
    }
  }
  const WithoutLine above;
  write_to_stderr(text);
}

void hold_texts() {
  const std::lock_guard lock(held.mutex);
  held.holding = true;
}

void show_texts() {
  const std::lock_guard lock(held.mutex);
  held.holding = false;
  const WithoutLine above;
  write_to_stderr(held.errors);
  held.errors.clear();
  if (held.output) held.output->finish();
  held.output.reset();
}

void drop_texts() noexcept {
  const std::lock_guard lock(held.mutex);
  held.holding = false;
  held.errors.clear();
  held.output.reset();
}

void complain(std::string_view sentence) { say(fmt::format("quarry: {}\n", sentence)); }

}  // namespace quarry::cli
