/// Refuses work that would not fit in memory, before it begins.
#pragma once
#include <string>

#include "quarry/index.hpp"

namespace quarry {

class MemoryBudget {
 public:
  /// Of the host. @param bytes  0: what the machine has to spare now
  explicit MemoryBudget(Index bytes);
  /// Of a device. @param name  for the message
  MemoryBudget(Index bytes, const std::string& name);

  Index bytes() const { return bytes_; }
  /// @param what  for the message: "graph.txt, with 7 rows"
  /// @throws CapacityError  `bytes` are more than the budget
  void require(Index bytes, const std::string& what) const;

 private:
  Index bytes_;
  std::string where_;   // the end of the message
  std::string option_;  // raises the limit; empty where the machine sets it
};

}  // namespace quarry
