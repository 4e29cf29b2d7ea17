/// The errors that Quarry throws at its public boundary, named by who can act on them.
#pragma once
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "quarry/index.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// Base of them all: `what()` is one sentence that names the thing and the value.
class Error : public std::runtime_error {
 public:
  /// @param option  the option that helps, as the library names it, for example "device_bytes"; empty where none does
  explicit Error(const std::string& sentence, std::string option = "")
      : std::runtime_error(sentence), option_(std::move(option)) {}
  const std::string& option() const noexcept { return option_; }

 private:
  std::string option_;
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
  /// @param what    what is limited, in the plural: "bytes of one row on cuda:0"
  /// @param limit   the limit in force
  /// @param found   what the job needs
  /// @param option  the option that raises the limit
  CapacityError(const std::string& what, Index limit, Index found, std::string option = "")
      : Error(what + ": the limit is " + std::to_string(limit) + ", the job needs " + std::to_string(found) +
                  (option.empty() ? "" : "; raise " + option),
              option),
        limit_(limit),
        found_(found) {}
  /// The same with another sentence.
  CapacityError(const std::string& sentence, const CapacityError& error)
      : Error(sentence, error.option()), limit_(error.limit()), found_(error.found()) {}
  Index limit() const noexcept { return limit_; }  ///< 0 where it is not one number
  Index found() const noexcept { return found_; }  ///< 0 where it is not known

 private:
  Index limit_ = 0, found_ = 0;
};

/// The machine failed: a full disk, a write that did not succeed.
class SystemError : public Error {
 public:
  using Error::Error;
};

/// Memory ran out; `what()` names what was worked at: "lib.qlib: chunk 3: out of memory".
class OutOfMemory : public std::bad_alloc {
 public:
  /// @param place  cut where it is very long: nothing is allocated here
  explicit OutOfMemory(std::string_view place) noexcept;
  const char* what() const noexcept override { return sentence_; }

 private:
  char sentence_[512];
};

/// A device failed, or there is no such device.
class DeviceError : public SystemError {
 public:
  using SystemError::SystemError;
};

}  // namespace quarry
#pragma GCC visibility pop
