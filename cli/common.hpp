/// What the verbs share: their interface, and options that several of them have.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arguments/arguments.hpp"
#include "quarry/library.hpp"

namespace quarry::cli {

/// Exit status of the program.
enum Exit : int { kFound = 0, kNothingFound = 1, kError = 2 };

class Sharded;

/// A verb holds the values of its options; main runs the verb that the command line names.
class Verb {
 public:
  Verb() = default;
  Verb(const Verb&) = delete;
  Verb& operator=(const Verb&) = delete;
  virtual ~Verb() = default;
  /// @return exit status
  virtual int run() = 0;
  /// Its work cut into shards. @throws InputError  that cannot be done (a sentence without its subject)
  virtual Sharded& sharded();
};

/// What went wrong, with the program's own words for the option of the library that the error names.
std::string sentence_of(const Error& error);

/// The program and the library that decide its answers: "Quarry 1.0.0, RDKit 2022.09.3".
std::string version_text();

/// Each makes the verb of its name and adds its options to `verb`.
std::unique_ptr<Verb> make_index(Arguments& verb);
std::unique_ptr<Verb> make_info(Arguments& verb);
std::unique_ptr<Verb> make_match(Arguments& verb);
std::unique_ptr<Verb> make_cat(Arguments& verb);
std::unique_ptr<Verb> make_grep(Arguments& verb);
std::unique_ptr<Verb> make_sets(Arguments& verb);
std::unique_ptr<Verb> make_similar(Arguments& verb);
std::unique_ptr<Verb> make_cluster(Arguments& verb);
std::unique_ptr<Verb> make_pick(Arguments& verb);
std::unique_ptr<Verb> make_mine(Arguments& verb);
std::unique_ptr<Verb> make_watch(Arguments& verb);
std::unique_ptr<Verb> make_dock(Arguments& verb);
std::unique_ptr<Verb> make_plan(Arguments& verb);
std::unique_ptr<Verb> make_work(Arguments& verb);
std::unique_ptr<Verb> make_status(Arguments& verb);
std::unique_ptr<Verb> make_merge(Arguments& verb);
std::unique_ptr<Verb> make_doctor(Arguments& verb);

/// Adds the positional argument INPUT: libraries, collections and files of molecules.
void add_molecule_inputs(Arguments& verb, std::vector<std::string>& paths);

/// Adds --explicit-h, and what add_row_options adds.
void add_read_options(Arguments& verb, ReadOptions& options);

/// Adds --smiles-column, --id-column, --id-rest, --format, --max-atoms and --threads.
void add_row_options(Arguments& verb, ReadOptions& options, const char* max_atoms_help);

/// Adds --max-atoms.
void add_max_atoms_option(Arguments& verb, Index& max_atoms, const char* help);

/// Adds --threads.
void add_threads_option(Arguments& verb, int& threads);

/// Adds --rejects.
void add_rejects_option(Arguments& verb, std::string& path);

/// --device and --device-memory.
class DeviceOptions {
 public:
  /// @param preferred  the device where --device is not given
  explicit DeviceOptions(std::string preferred = "auto") : name_(std::move(preferred)) {}
  void add_to(Arguments& verb);
  /// The device that will run, never `auto`. @throws InputError, DeviceError  as resolve_device
  std::string name() const;
  Index bytes() const { return mebibytes_ << 20; }

 private:
  std::string name_;
  Index mebibytes_ = 0;
};

/// The number of threads that a run with `--threads threads` uses.
int threads_in_use(int threads);

/// The numbers of `I/N`, with I counted from 0 instead of 1. @throws InputError
std::pair<Index, Index> parse_shard(const std::string& text);

/// The number of "2.5%" or "2.5". @throws InputError  not a number up to 100 and above 0, or 0 where that is none (names the
/// option)
double parse_percent(const std::string& option, const std::string& text, bool zero = false);

}  // namespace quarry::cli
