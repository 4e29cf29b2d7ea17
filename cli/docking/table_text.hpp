/// Tables as TSV, CSV or JSON lines, by the name of the file.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quarry/index.hpp"

namespace quarry::cli {

/// What stands in one column of a row.
class Cell {
 public:
  Cell(std::string text) : text_(std::move(text)), kind_(Kind::text) {}
  Cell(const char* text) : Cell(std::string(text)) {}
  Cell(Index number) : text_(std::to_string(number)), kind_(Kind::number) {}
  Cell(int number) : Cell(Index{number}) {}
  /// "1" or "0"; in JSON true or false.
  Cell(bool value) : text_(value ? "1" : "0"), kind_(Kind::flag) {}
  /// Not finite: "nan"; in JSON null.
  Cell(double number, int decimals);

  std::string in_table(char separator) const;
  std::string in_json() const;

 private:
  enum class Kind { text, number, flag };
  std::string text_;
  Kind kind_;
};

/// The columns of a row, with their names.
using Cells = std::vector<std::pair<std::string_view, Cell>>;

class TableText {
 public:
  /// @throws InputError  the path ends neither in .tsv, .csv nor .jsonl, each also .gz, .zst, .bz2 or .xz; "-" is TSV
  explicit TableText(const std::string& path);
  /// The names of the columns; for JSON nothing.
  std::string header(const Cells& cells) const;
  std::string row(const Cells& cells) const;

 private:
  char separator_ = '\t';  ///< '\0': JSON
};

}  // namespace quarry::cli
