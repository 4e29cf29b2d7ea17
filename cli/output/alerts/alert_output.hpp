/// The rows of `watch` on their way to a file or a pipe.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "output/alerts/alert_rows.hpp"

namespace quarry::cli {

/// A file that appears when it is complete; or, for a run that can be resumed, one that grows in place.
class AlertOutput {
 public:
  /// @param path    "-" is standard output; for "/dev/null" no row is made
  /// @param keep    not negative: the file grows in place, after its first `keep` bytes
  /// @throws SystemError  the file cannot be written
  AlertOutput(std::string path, Index keep);
  AlertOutput(const AlertOutput&) = delete;
  AlertOutput& operator=(const AlertOutput&) = delete;
  ~AlertOutput();

  bool is_wanted() const { return path_ != "/dev/null"; }
  std::string& text() { return text_; }  ///< rows that wait to be written
  /// Writes the rows that wait, where there are many or `now`. @throws SystemError
  void write(bool now);
  /// Takes rows that come after those that wait, and writes where there are many or `now`.
  void take(std::string_view rows, bool now);
  /// Writes everything to the disk. @return the length of the file
  Index sync();
  void finish();

 private:
  void put(std::string_view text);
  void write_in_place(std::string_view text);

  std::string path_, text_;
  std::optional<Output> whole_;
  int file_ = -1;  ///< of a file that grows in place
  Index length_ = 0;
};

}  // namespace quarry::cli
