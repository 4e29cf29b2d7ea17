/// The formats in which `quarry similar` writes pairs of molecules.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "output/numpy_files.hpp"
#include "quarry/files/output.hpp"
#include "quarry/similar.hpp"

namespace quarry::cli {

/// An output format: turns a pair into text.
class NeighbourFormat {
 public:
  virtual ~NeighbourFormat() = default;
  virtual std::string header() const { return {}; }
  virtual void append(std::string_view query, std::string_view molecule, float similarity, std::string& text) const = 0;
};

/// The format for the extension of `path`: .tsv, .csv or .jsonl, each also .gz, .zst, .bz2 or .xz; none is tsv.
/// @throws InputError  any other extension
std::unique_ptr<NeighbourFormat> make_neighbour_format(const std::string& path);

/// Adds consecutive rows to the file, and sorts the columns of each.
void append_rows(const similar::Neighbours& found, SparseFile<float>& file);

}  // namespace quarry::cli
