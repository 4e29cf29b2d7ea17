#include "bench/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

namespace quarry::bench {

CommandLine::CommandLine(const std::string& description, ReportOptions& options)
    : app_(std::make_unique<CLI::App>(description)) {
  app_->add_flag("--quick", options.quick, "A small part of everything");
  app_->add_option("--json", options.json_path, "Write the record here");
  app_->add_option("--program", options.program, "The built `quarry`, where a section runs it");
  app_->add_option("--commit", options.commit, "Goes into the record");
}

CommandLine::~CommandLine() = default;

void CommandLine::option(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(name, value, help);
}

void CommandLine::option(const std::string& name, int& value, const std::string& help) {
  app_->add_option(name, value, help);
}

void CommandLine::option(const std::string& name, std::vector<std::string>& values, int num_values,
                         const std::string& help) {
  app_->add_option(name, values, help)->expected(num_values);
}

void CommandLine::device_option(std::string& device) {
  option("--device", device, "Only measure this device, such as cuda:0; PLATFORM in --json becomes its name");
}

void CommandLine::choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                         const std::string& help) {
  app_->add_option(name, value, help)->required()->check(CLI::IsMember(choices));
}

int CommandLine::run(int argc, char** argv, const std::function<void()>& work) {
  CLI11_PARSE(*app_, argc, argv);
  try {
    work();
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return 2;
  }
  return 0;
}

int run_bench(int argc, char** argv, const std::string& description,
              const std::function<void(const ReportOptions&)>& on_host,
              const std::function<void(const ReportOptions&, const std::string& device)>& on_device) {
  ReportOptions options;
  std::string device;
  CommandLine command_line(description, options);
  command_line.device_option(device);
  return command_line.run(argc, argv, [&] { device.empty() ? on_host(options) : on_device(options, device); });
}

}  // namespace quarry::bench
