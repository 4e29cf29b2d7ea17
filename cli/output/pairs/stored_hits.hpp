/// Hits of a file on their way to rows of another format.
#pragma once
#include <future>
#include <memory>
#include <string>

#include "output/hits.hpp"
#include "output/row_file.hpp"
#include "quarry/files/hits.hpp"

namespace quarry::cli {

/// The molecules of a file of hits, one after the other. While those of a block are used, the next block is read.
class StoredHits {
 public:
  /// @throws InputError  as match::HitsReader
  explicit StoredHits(const std::string& path);
  const match::HitsHeader& header() const { return reader_.header(); }
  /// The next molecule: its hits, and its name where it has some. They are valid until the next call.
  /// @return  false at the end. @throws InputError  as match::HitsReader
  bool next(MoleculeHits& molecule);

 private:
  void read_ahead();

  match::HitsReader reader_;
  match::NamedResult block_, next_block_;
  Index row_ = 0;              ///< of the block
  std::future<bool> reading_;  ///< whether there is a next block; of the one that was the last, not valid
};

/// Rows of a format on their way to a file. While some are written, the next are made.
class FormattedRows {
 public:
  FormattedRows(const HitFormat& format, const std::string& path);
  void add(const MoleculeHits& molecule);
  /// Completes the file. @throws SystemError
  void finish();

 private:
  void write_rows();

  const HitFormat& format_;
  std::unique_ptr<RowFile> file_;
  std::string rows_, written_;
  std::future<void> writing_;
};

}  // namespace quarry::cli
