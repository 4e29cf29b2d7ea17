/// A report that is read while it grows, and the JSON record of it.
#pragma once
#include <string>

#include "bench/command_line.hpp"
#include "bench/machine.hpp"
#include "bench/stopwatch.hpp"

namespace quarry::bench {

class Report {
 public:
  /// Prints what is measured, on what.
  Report(const ReportOptions& options, const std::string& workload);
  /// Records a section that has printed itself, or what there is of it: a bench that is cut short leaves a record
  /// marked `unfinished`. @throws SystemError  the record cannot be written
  void add(const char* name, Json section);
  /// @throws SystemError  the record cannot be written
  void finish();

 private:
  void write() const;

  ReportOptions options_;
  ProcessStopwatch stopwatch_;
  Json record_;
};

}  // namespace quarry::bench
