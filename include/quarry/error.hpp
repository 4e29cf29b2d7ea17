/// The three errors Quarry throws at its public boundary, named by who can act on them.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

#pragma GCC visibility push(default)
namespace quarry {

/// Every count, offset and product of counts.
using Index = std::int64_t;

/// Base of the three: its text is one sentence that names the thing and the value.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The data or an option is wrong: a file is missing or damaged, a SMARTS cannot be read.
class InputError : public Error {
 public:
  using Error::Error;
};

/// A stated limit is too small for the job.
class CapacityError : public Error {
 public:
  using Error::Error;
  /// @param what   the thing and the option that raises the limit
  /// @param limit  the limit in force
  /// @param found  what the job needs
  CapacityError(const std::string& what, Index limit, Index found)
      : Error(what + ": the limit is " + std::to_string(limit) + ", the job needs " + std::to_string(found)) {}
};

/// The machine failed: no such device, a full disk, a write that did not succeed.
class DeviceError : public Error {
 public:
  using Error::Error;
};

}  // namespace quarry
#pragma GCC visibility pop
