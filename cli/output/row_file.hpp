/// A file that rows are written to.
#pragma once
#include <string_view>

namespace quarry::cli {

class RowFile {
 public:
  virtual ~RowFile() = default;
  /// @param rows  whole rows, as the format of the file makes them
  virtual void write(std::string_view rows) = 0;
  /// Completes the file. @throws SystemError
  virtual void finish() = 0;
};

}  // namespace quarry::cli
