/// Refuses work that would not fit in memory, before it begins.
#pragma once
#include <string>

#include "quarry/error.hpp"

namespace quarry {

class MemoryBudget {
 public:
  /// @param bytes  0: what the machine has to spare now
  explicit MemoryBudget(Index bytes);
  /// @param what  begins the message: "graph.txt, with 7 rows,"
  /// @throws CapacityError  `bytes` are more than there are
  void require(Index bytes, const std::string& what) const;
  bool has(Index bytes) const { return bytes <= limit_bytes_; }

 private:
  Index limit_bytes_;
};

}  // namespace quarry
