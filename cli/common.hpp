/// What every verb shares: its shape, and options for reading molecules.
#pragma once
#include <memory>
#include <string>

#include "quarry/library.hpp"

namespace CLI {
class App;
}

namespace quarry::cli {

/// Exit status of the program.
enum Exit : int { kFound = 0, kNothingFound = 1, kError = 2 };

/// A verb owns its options; main asks the one that was named to run.
class Verb {
 public:
  Verb() = default;
  Verb(const Verb&) = delete;
  Verb& operator=(const Verb&) = delete;
  virtual ~Verb() = default;
  /// @return exit status
  virtual int run() = 0;
};

/// Each adds its options to the subcommand of its name.
std::unique_ptr<Verb> make_index(CLI::App& verb);
std::unique_ptr<Verb> make_info(CLI::App& verb);
std::unique_ptr<Verb> make_match(CLI::App& verb);
std::unique_ptr<Verb> make_grep(CLI::App& verb);
std::unique_ptr<Verb> make_similar(CLI::App& verb);
std::unique_ptr<Verb> make_cluster(CLI::App& verb);
std::unique_ptr<Verb> make_pick(CLI::App& verb);
std::unique_ptr<Verb> make_mine(CLI::App& verb);
std::unique_ptr<Verb> make_doctor(CLI::App& verb);

/// Adds --explicit-h, --smiles-column, --id-column, --format and --threads.
void add_read_options(CLI::App& verb, ReadOptions& options);

/// --device and --device-memory.
class DeviceOptions {
 public:
  /// @param preferred  where nothing is asked for
  explicit DeviceOptions(std::string preferred = "auto") : name_(std::move(preferred)) {}
  void add_to(CLI::App& verb);
  /// What will run, never `auto`. @throws InputError, DeviceError  as resolve_device
  std::string name() const;
  Index bytes() const { return mebibytes_ << 20; }

 private:
  std::string name_;
  Index mebibytes_ = 0;
};

/// --threads as it works out: 0 means all cores.
int threads_in_use(int threads);

/// "2.5%" or "2.5" as 2.5. @throws InputError  not a number in 0..100
double parse_percent(const std::string& text);

/// @throws InputError  writing `output` would replace the file `input`
void refuse_same_file(const std::string& input, const std::string& output);

/// @throws InputError  two outputs, each perhaps empty, are one file or both standard output
void refuse_same_output(const std::string& one, const std::string& other);

}  // namespace quarry::cli
