/// QUARRY_CHECK: a bug stops here. It throws std::logic_error with file and line, so that a test can see it and a
/// program can still unwind and remove its temporary files. Never used for bad data: that is an InputError.
#pragma once
#include <stdexcept>
#include <string>

namespace quarry {

[[noreturn]] inline void check_failed(const char* condition, const std::string& message, const char* file, int line) {
  throw std::logic_error(std::string(file) + ":" + std::to_string(line) + ": " + message +
                         " (check failed: " + condition + ")");
}

}  // namespace quarry

#define QUARRY_CHECK(condition, message) \
  ((condition) ? void() : ::quarry::check_failed(#condition, (message), __FILE__, __LINE__))
