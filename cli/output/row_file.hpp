/// A file that rows are written to.
#pragma once
#include <string_view>

#include "quarry/job.hpp"

namespace quarry::cli {

class RowFile {
 public:
  virtual ~RowFile() = default;
  /// @param rows  whole rows, as the format of the file makes them
  virtual void write(std::string_view rows) = 0;
  /// Completes the file. @throws SystemError
  virtual void finish() = 0;
};

/// Rows that go to a text of a shard.
class ShardText : public RowFile {
 public:
  ShardText(ShardSink& shard, int output) : shard_(shard), output_(output) {}
  void write(std::string_view rows) override { shard_.write(output_, rows); }
  void finish() override {}

 private:
  ShardSink& shard_;
  int output_;
};

}  // namespace quarry::cli
