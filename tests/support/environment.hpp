/// A variable of the environment, set while a test needs it.
#pragma once
#include <cstdlib>
#include <string>

namespace quarry::test {

class Environment {
 public:
  Environment(std::string name, const std::string& value) : name_(std::move(name)) {
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { ::unsetenv(name_.c_str()); }

 private:
  std::string name_;
};

}  // namespace quarry::test
