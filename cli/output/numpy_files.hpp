/// NumPy's files: `.npy`, a dense matrix written row by row, and `.npz`, a sparse one as SciPy's load_npz reads it.
///
/// Source: NumPy Enhancement Proposal 1 (format version 1.0); scipy.sparse.save_npz.
#pragma once
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "quarry/output.hpp"

namespace quarry::cli {

/// The bytes of a .npy file before the data of a C-ordered array. `type` is NumPy's, for example "<f4".
std::string npy_header(const std::string& type, const std::vector<Index>& shape);

/// A matrix in compressed sparse rows on its way to a .npz file, which has the same bytes each time. What an array holds
/// comes after its length, so columns and values wait in files without a name.
class SparseFile {
 public:
  /// @throws SystemError  the folder cannot be written
  SparseFile(const std::string& path, Index num_columns);
  /// To be called for one row after the other.
  /// @param columns  ascending
  /// @throws SystemError  the disk is full
  void add_row(std::span<const std::int64_t> columns, std::span<const float> values);
  /// @throws SystemError
  void finish();

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

  std::string path_;
  Output output_;
  Index num_columns_;
  std::vector<std::int64_t> row_offsets_{0};  // [rows + 1]
  File columns_, values_;
};

}  // namespace quarry::cli
