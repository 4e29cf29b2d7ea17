#include "docking/table_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "output/json.hpp"
#include "output/text.hpp"
#include "quarry/error.hpp"

namespace quarry::cli {

Cell::Cell(double number, int decimals) : kind_(Kind::number) {
  const double scale = std::pow(10, decimals);
  // 0 is added so that a rounded number is never "-0.0000".
  text_ = std::isfinite(number) ? fmt::format("{:.{}f}", std::round(number * scale) / scale + 0.0, decimals) : "nan";
}

std::string Cell::in_table(char separator) const {
  if (kind_ != Kind::text) return text_;
  return cell_of(text_, separator);
}

std::string Cell::in_json() const {
  if (kind_ == Kind::text) return Json(text_).text();
  if (kind_ == Kind::flag) return text_ == "1" ? "true" : "false";
  return text_ == "nan" ? "null" : text_;
}

TableText::TableText(const std::string& path) {
  const std::string extension = extension_of(path);
  if (path == "-" || path == "/dev/null" || extension == ".tsv") return;
  if (extension == ".csv") {
    separator_ = ',';
  } else if (extension == ".jsonl") {
    separator_ = '\0';
  } else {
    throw InputError(fmt::format(
        "'{}' names no format of a table: use .tsv, .csv or .jsonl, each also with .gz, .zst, .bz2 or .xz", path));
  }
}

std::string TableText::header(const Cells& cells) const {
  if (separator_ == '\0') return "";
  std::string text;
  for (const auto& [name, cell] : cells) text.append(text.empty() ? "" : std::string(1, separator_)).append(name);
  return text + '\n';
}

std::string TableText::row(const Cells& cells) const {
  const bool json = separator_ == '\0';
  std::string text = json ? "{" : "";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto& [name, cell] = cells[i];
    if (i > 0) text += json ? ',' : separator_;
    text += json ? Json(name).text() + ':' + cell.in_json() : cell.in_table(separator_);
  }
  return text + (json ? "}\n" : "\n");
}

}  // namespace quarry::cli
