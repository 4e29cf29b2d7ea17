/// A table on its way to a file, or to a terminal, which shows only its first rows and how many there are.
#pragma once
#include <string>
#include <string_view>

#include "arguments/arguments.hpp"
#include "output/row_file.hpp"
#include "quarry/files/output.hpp"

namespace quarry::cli {

/// Adds --rows.
void add_rows_option(Arguments& verb);

/// From now on a terminal gets all rows: mpirun gives its processes one that ends in a file.
void show_all_rows();

class TableOutput : public RowFile {
 public:
  /// @param path  as that of Output. Only "-" can be a terminal: a path is asked for, and gets all rows.
  /// @throws SystemError  the folder cannot be written
  explicit TableOutput(const std::string& path);
  /// @param text  whole lines; the first of all is the header
  void write(std::string_view text) override;
  void finish() override;

 private:
  void show(std::string_view text);

  Output output_;
  bool on_terminal_;
  Index num_lines_ = 0;
};

}  // namespace quarry::cli
