#include "dock/batch/like_rows.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace quarry::dock {
namespace {

/// A rejected row is the least work.
Index ligands_of(const LigandRow& row) { return std::max<Index>(1, std::ssize(row.ligand.conformers)); }

}  // namespace

std::vector<NumberedRow> LikeRows::take() {
  while (Bucket* const bucket = read()) {
    if (bucket->num_ligands >= most_) return take_from(*bucket, most_);
    if (num_waiting_ >= kWaiting * most_) return take_from(largest(), most_);
    if (num_read_ - oldest().rows.front().number > kBehind * most_) return take_from(oldest(), most_);
  }
  if (num_waiting_ == 0) return {};
  if (last_share_ == 0) last_share_ = std::min(most_, (num_waiting_ + num_queues_ - 1) / num_queues_);
  return take_from(largest(), last_share_);
}

LikeRows::Bucket* LikeRows::read() {
  if (read_.empty()) {
    std::vector<LigandRow> more = next_();
    if (more.empty()) return nullptr;
    std::move(more.begin(), more.end(), std::back_inserter(read_));
  }
  Bucket& bucket = buckets_[bucket_of(read_.front().ligand)];
  bucket.num_ligands += ligands_of(read_.front());
  bucket.rows.push_back({num_read_++, std::move(read_.front())});
  read_.pop_front();
  num_waiting_ += ligands_of(bucket.rows.back().row);
  return &bucket;
}

std::vector<NumberedRow> LikeRows::take_from(Bucket& bucket, Index count) {
  std::vector<NumberedRow> rows;
  for (Index taken = 0; taken < count && !bucket.rows.empty();) {
    const Index ligands = ligands_of(bucket.rows.front().row);
    taken += ligands;
    if (taken > count && !rows.empty()) break;
    bucket.num_ligands -= ligands;
    num_waiting_ -= ligands;
    rows.push_back(std::move(bucket.rows.front()));
    bucket.rows.pop_front();
  }
  return rows;
}

LikeRows::Bucket& LikeRows::largest() { return *std::ranges::max_element(buckets_, {}, &Bucket::num_ligands); }

LikeRows::Bucket& LikeRows::oldest() {
  return *std::ranges::min_element(buckets_, {}, [](const Bucket& bucket) {
    return bucket.rows.empty() ? std::numeric_limits<Index>::max() : bucket.rows.front().number;
  });
}

}  // namespace quarry::dock
