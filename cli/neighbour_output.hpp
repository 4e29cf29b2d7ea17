/// How `quarry similar` writes pairs of molecules.
#pragma once
#include <memory>
#include <string>

#include "numpy_files.hpp"
#include "quarry/output.hpp"
#include "quarry/similar.hpp"

namespace quarry::cli {

/// Turns pairs into text.
class NeighbourFormat {
 public:
  virtual ~NeighbourFormat() = default;
  virtual std::string header() const { return {}; }
  virtual void append(const std::string& query, const std::string& molecule, float similarity,
                      std::string& text) const = 0;
};

/// Format by the extension of `path`: tsv (also where there is none), csv, jsonl; each also .gz or .zst.
/// @throws InputError  any other extension
std::unique_ptr<NeighbourFormat> make_neighbour_format(const std::string& path);

/// Adds consecutive rows, their columns put in ascending order.
void append_rows(const similar::Neighbours& found, SparseMatrix& matrix);

}  // namespace quarry::cli
