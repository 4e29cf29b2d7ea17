/// Ways to write updates as lines of text.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/index.hpp"

namespace quarry {

/// Where `long double` is wider than `double`, as on x86-64 and AArch64 under Linux, whole numbers of 64 bits are exact.
using TimeStamp = long double;

/// What a line says.
struct UpdateRow {
  bool deletes = false;
  bool is_vertex = false;          ///< `from` alone
  std::uint64_t from = 0, to = 0;  ///< ids
  std::optional<std::uint32_t> label, from_label, to_label;
  TimeStamp time = 0;
  bool has_date = false;  ///< `time` is a date, in seconds, and not a number
};

class UpdateFormat {
 public:
  virtual ~UpdateFormat() = default;
  /// Does the first line name columns? Then `read_header` takes it before `parse` takes others.
  virtual bool has_header() const { return false; }
  /// @return what is wrong, or nothing
  virtual std::string read_header(std::string_view) { return ""; }
  /// Are the ends of an inserted edge added where they are missing?
  virtual bool adds_ends() const { return true; }
  /// @param line    neither blank nor a comment; a line end follows it in memory
  /// @param row     fresh; filled in
  /// @param reason  why not, where it cannot be read
  virtual bool parse(std::string_view line, UpdateRow& row, std::string& reason) = 0;
  /// Names of columns, or members of the first object, that mean nothing here. Known when a row has been read.
  const std::vector<std::string>& ignored() const { return ignored_; }

 protected:
  std::vector<std::string> ignored_;
};

/// `e FROM TO [LABEL]`, `-e FROM TO [LABEL]`, `v ID [LABEL]`, `-v ID [LABEL]`.
std::unique_ptr<UpdateFormat> update_text_format();
/// Columns with names. @param timed  is a column `time` needed?
std::unique_ptr<UpdateFormat> update_table_format(char separator, bool timed);
/// An object a line. @param timed  is a member `time` needed?
std::unique_ptr<UpdateFormat> update_json_format(bool timed);

// Fields that tables and objects share. They return false, and the reason, where the text is no such value.

bool take_operation(std::string_view text, bool& deletes, std::string& reason);
bool take_time(std::string_view text, UpdateRow& row, std::string& reason);
/// @param what  for the message: "vertex id"
bool take_number(std::string_view text, const char* what, std::uint64_t highest, std::uint64_t& value,
                 std::string& reason);
/// Highest label of an update: kAnyLabel is none.
inline constexpr std::uint64_t kHighestUpdateLabel = 0xFFFFFFFE;

}  // namespace quarry
