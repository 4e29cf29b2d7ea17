/// The command line of a bench. Only command_line.cpp includes the parser, whose header is large.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace quarry::bench {

/// What bench/run.sh passes to every bench.
struct ReportOptions {
  bool quick = false;
  std::string json_path, program, commit = "unknown";
};

/// Options are stored where they were declared when `run` parses the command line.
class CommandLine {
 public:
  /// Declares the options that every bench has.
  CommandLine(const std::string& description, ReportOptions& options);
  ~CommandLine();

  void option(const std::string& name, std::string& value, const std::string& help);
  void option(const std::string& name, int& value, const std::string& help);
  /// @param num_values  how many the option takes
  void option(const std::string& name, std::vector<std::string>& values, int num_values, const std::string& help);
  /// The option that says where to measure.
  void device_option(std::string& device);
  /// A required argument, one of `choices`.
  void choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
              const std::string& help);

  /// Parses, runs `work`, and reports an error on standard error. @return the exit status
  int run(int argc, char** argv, const std::function<void()>& work);

 private:
  std::unique_ptr<CLI::App> app_;
};

/// The main function of a bench that measures on the host or, where --device is given, on that device alone.
int run_bench(int argc, char** argv, const std::string& description,
              const std::function<void(const ReportOptions&)>& on_host,
              const std::function<void(const ReportOptions&, const std::string& device)>& on_device);

}  // namespace quarry::bench
