/// NumPy's files: `.npy`, a dense matrix written row by row, and `.npz`, a sparse one as SciPy's load_npz reads it.
///
/// Source: NumPy Enhancement Proposal 1 (format version 1.0); scipy.sparse.save_npz.
#pragma once
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/files/output.hpp"

namespace quarry::cli {

/// The bytes of a .npy file before the data of a C-ordered array. `type` is NumPy's, for example "<f4".
std::string npy_header(const std::string& type, const std::vector<Index>& shape);

/// A matrix in compressed sparse rows on its way to a .npz file, which has the same bytes each time. What an array holds
/// comes after its length, so all of it waits in files without a name. `Value` is float or std::int64_t.
template <class Value>
class SparseFile {
 public:
  /// @param texts  names of arrays of bytes beside those of the matrix
  /// @throws SystemError  the folder cannot be written
  SparseFile(const std::string& path, Index num_columns, const std::vector<std::string>& texts = {});
  /// To be called for one row after the other.
  /// @param columns  ascending
  /// @throws SystemError  the disk is full
  void add_row(std::span<const std::int64_t> columns, std::span<const Value> values);
  /// Appends to an array of bytes. @throws SystemError  the disk is full
  void add_text(std::size_t array, std::string_view text);
  /// @throws SystemError
  void finish();

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  struct Text {
    std::string name;
    File file;
    Index bytes = 0;
  };

  std::string path_;
  Output output_;
  Index num_rows_ = 0, num_columns_, num_values_ = 0;
  File offsets_, columns_, values_;
  std::vector<Text> texts_;
};

}  // namespace quarry::cli
