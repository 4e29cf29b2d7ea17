#include "output/pairs/stored_hits.hpp"

#include <utility>

namespace quarry::cli {
namespace {

constexpr std::size_t kRowBytes = std::size_t{1} << 20;

}  // namespace

StoredHits::StoredHits(const std::string& path) : reader_(path) { read_ahead(); }

void StoredHits::read_ahead() {
  reading_ = std::async(std::launch::async, [this] { return reader_.next(next_block_); });
}

bool StoredHits::next(MoleculeHits& molecule) {
  while (row_ == block_.num_molecules()) {
    if (!reading_.valid() || !reading_.get()) return false;
    std::swap(block_, next_block_);
    row_ = 0;
    read_ahead();
  }
  molecule = {};
  molecule.result = &block_;
  molecule.first_hit = block_.hit_offsets[row_];
  molecule.last_hit = block_.hit_offsets[row_ + 1];
  molecule.name = block_.names[row_++];
  return true;
}

FormattedRows::FormattedRows(const HitFormat& format, const std::string& path)
    : format_(format), file_(format.open(path)) {
  file_->write(format.header());
}

void FormattedRows::add(const MoleculeHits& molecule) {
  if (!format_.has_rows(molecule)) return;
  format_.append(molecule, rows_);
  if (rows_.size() >= kRowBytes) write_rows();
}

void FormattedRows::write_rows() {
  if (writing_.valid()) writing_.get();
  rows_.swap(written_);
  rows_.clear();
  writing_ = std::async(std::launch::async, [this] { file_->write(written_); });
}

void FormattedRows::finish() {
  write_rows();
  writing_.get();
  file_->finish();
}

}  // namespace quarry::cli
