/// The graph that a verb works on: read from a file, or made.
#pragma once
#include <string>

#include "arguments.hpp"
#include "quarry/graph.hpp"

namespace quarry::cli {

/// Options that say where the graph comes from.
class GraphOptions {
 public:
  void add_to(Arguments& verb);
  bool is_generated() const { return !generate_.empty(); }
  /// Reads `path`, or makes what --generate says, then writes what --save asks for; says on standard error what was
  /// cleaned. @throws InputError, CapacityError, DeviceError
  Graph load(const std::string& path, int threads, bool quiet) const;

 private:
  GraphReadOptions read_;
  std::string generate_, save_, rejects_;
};

}  // namespace quarry::cli
