/// What every verb shares: its shape, and options for reading molecules.
#pragma once
#include <memory>
#include <string>

#include "arguments.hpp"
#include "quarry/library.hpp"

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

/// Each adds its options to the verb of its name.
std::unique_ptr<Verb> make_index(Arguments& verb);
std::unique_ptr<Verb> make_info(Arguments& verb);
std::unique_ptr<Verb> make_match(Arguments& verb);
std::unique_ptr<Verb> make_grep(Arguments& verb);
std::unique_ptr<Verb> make_similar(Arguments& verb);
std::unique_ptr<Verb> make_cluster(Arguments& verb);
std::unique_ptr<Verb> make_pick(Arguments& verb);
std::unique_ptr<Verb> make_mine(Arguments& verb);
std::unique_ptr<Verb> make_doctor(Arguments& verb);

/// Adds the positional argument INPUT: a library, or a file of molecules.
void add_molecule_input(Arguments& verb, std::string& path);

/// Adds --explicit-h, --smiles-column, --id-column, --format and --threads.
void add_read_options(Arguments& verb, ReadOptions& options);

/// Adds --threads.
void add_threads_option(Arguments& verb, int& threads);

/// Adds --rejects.
void add_rejects_option(Arguments& verb, std::string& path);

/// --device and --device-memory.
class DeviceOptions {
 public:
  /// @param preferred  where nothing is asked for
  explicit DeviceOptions(std::string preferred = "auto") : name_(std::move(preferred)) {}
  void add_to(Arguments& verb);
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
