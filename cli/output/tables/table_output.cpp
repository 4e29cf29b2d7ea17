#include "output/tables/table_output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "output/text.hpp"

namespace quarry::cli {
namespace {

Index rows_to_show = 40;

}  // namespace

void add_rows_option(Arguments& verb) {
  verb.option("--rows", &rows_to_show, "Rows of the table to show on a terminal; 0 is all",
              {.show_default = true, .least = 0});
}

void show_all_rows() { rows_to_show = 0; }

TableOutput::TableOutput(const std::string& path)
    : output_(path), on_terminal_(path == "-" && isatty(STDOUT_FILENO) == 1) {}

void TableOutput::write(std::string_view text) {
  if (on_terminal_)
    show(text);
  else
    output_.write(text);
}

void TableOutput::show(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t next; (next = text.find('\n', end)) != std::string_view::npos; end = next + 1) {
    if (rows_to_show > 0 && num_lines_ > rows_to_show) break;
    ++num_lines_;
  }
  if (end > 0) print(text.substr(0, end));
  num_lines_ += std::ranges::count(text.substr(end), '\n');
}

void TableOutput::finish() {
  output_.finish();
  const Index num_rows = num_lines_ - 1;
  if (on_terminal_ && rows_to_show > 0 && num_rows > rows_to_show)
    say(fmt::format("{} of {} {} shown; --rows 0 shows all, -o FILE writes them to a file\n", grouped(rows_to_show),
                    counted(num_rows, "row"), rows_to_show == 1 ? "is" : "are"));
}

}  // namespace quarry::cli
