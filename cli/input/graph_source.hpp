/// The graph that a verb works on: read from a file or generated.
#pragma once
#include <string>

#include "arguments/arguments.hpp"
#include "quarry/graph.hpp"
#include "quarry/graph_pattern.hpp"

namespace quarry::cli {

/// Options that say where the graph comes from.
class GraphOptions {
 public:
  void add_to(Arguments& verb);
  bool is_generated() const { return !generate_.empty(); }
  bool is_saved() const { return !save_.empty(); }
  /// Which graph is meant, beside its path.
  std::string text() const;
  /// Sizes and checksums of the files that the graph is read from; a pipe has none.
  std::string identity(const std::string& path) const;
  /// Reads the graph at `path` or generates that of --generate, reports on standard error what was left out, and
  /// writes the file of --save. @throws InputError, CapacityError, DeviceError
  LoadedGraph load(const std::string& path, int threads, bool quiet) const;

 private:
  GraphReadOptions read_;
  std::string generate_, save_, rejects_;
};

}  // namespace quarry::cli
