/// NumPy's files: `.npy`, a dense matrix written row by row, and `.npz`, a sparse one as SciPy's load_npz reads it.
///
/// Source: NumPy Enhancement Proposal 1 (format version 1.0); scipy.sparse.save_npz.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "quarry/output.hpp"

namespace quarry::cli {

/// The bytes of a .npy file before the data of a C-ordered array. `type` is NumPy's, for example "<f4".
std::string npy_header(const std::string& type, const std::vector<Index>& shape);

/// A matrix in compressed sparse rows.
struct SparseMatrix {
  Index num_rows = 0, num_columns = 0;
  std::vector<std::int64_t> row_offsets{0};  ///< [rows + 1]
  std::vector<std::int64_t> columns;         ///< ascending in a row
  std::vector<float> values;
};

/// The same bytes each time. @throws SystemError  the file cannot be written
void write_npz(Output& output, const SparseMatrix& matrix);

}  // namespace quarry::cli
