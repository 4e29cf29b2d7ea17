/// Options for the ids of molecules, and what there is to say of them.
#pragma once
#include <string>
#include <vector>

#include "arguments/arguments.hpp"
#include "quarry/files/distinct_ids.hpp"
#include "quarry/index.hpp"
#include "quarry/report.hpp"

namespace quarry::cli {

/// Adds --id-column and --id-rest.
void add_id_options(Arguments& verb, std::string& id_column, bool& whole_ids);

/// Says on standard error where the ids of a file come from, and what was ignored.
/// @param id_column  the value of --id-column
/// @param quiet      only counts for --strict
void say_notes(const std::string& path, const ReadNotes& notes, const std::string& id_column, bool quiet);

/// Why a run had fewer molecules than its files have rows: the first rejected rows, and files without any row.
class MissingMolecules {
 public:
  /// @param path  of the file of these rows; "-" is standard input
  void add_rejected(const std::string& path, const std::vector<RejectedRow>& rows);
  void add_empty(const std::string& path);
  /// Are more rejected rows of no use?
  bool is_full() const;
  /// "; a.smi, line 7: REASON" of the first rejected row; empty where there is none.
  std::string first_reason() const;
  /// Says it on standard error; with `quiet` it only counts for --strict.
  void say(bool quiet) const;

 private:
  std::vector<std::string> rejected_, empty_;
};

/// Warns of ids that several rows have. @param consequence  what becomes of them
void say_equal_ids(Index num_equal, const char* consequence, bool quiet);
void say_equal_ids(const DistinctIds& ids, const char* consequence, bool quiet);

/// The consequence where tables have a row a molecule.
inline constexpr const char* kNamedApart = "tables name them file:id, or file:line:id";

}  // namespace quarry::cli
