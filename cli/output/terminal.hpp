/// The terminal, which rows, sentences and a line of progress share.
#pragma once
#include <mutex>
#include <string>
#include <string_view>

namespace quarry::cli {

/// Columns of the terminal behind standard error; 80 where it does not say.
int terminal_columns();

/// Writes the text to standard error. Where that is closed or full the text is lost, and the run goes on.
void write_to_stderr(std::string_view text) noexcept;

/// Draws the line in the place of the one drawn before. An empty one removes it.
void draw_line(std::string_view line);

/// As long as it lives the drawn line is away, and none is drawn: for text that others write to the terminal.
/// A thread holds one at a time.
class WithoutLine {
 public:
  WithoutLine();

 private:
  std::lock_guard<std::mutex> lock_;
};

}  // namespace quarry::cli
