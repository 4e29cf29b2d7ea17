/// What every verb shares: its shape, options for reading molecules, numbers as people write them.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "quarry/library.hpp"

namespace quarry::cli {

/// Exit status of the program.
enum Exit : int { kFound = 0, kNothingFound = 1, kError = 2 };

using Json = nlohmann::ordered_json;

/// A verb owns its options; main asks the one that was named to run.
class Verb {
 public:
  explicit Verb(CLI::App* app) : app_(app) {}
  Verb(const Verb&) = delete;
  Verb& operator=(const Verb&) = delete;
  virtual ~Verb() = default;
  bool chosen() const { return app_->parsed(); }
  /// @return exit status
  virtual int run() = 0;

 protected:
  CLI::App& app() const { return *app_; }

 private:
  CLI::App* app_;
};

std::unique_ptr<Verb> make_index(CLI::App& app);
std::unique_ptr<Verb> make_info(CLI::App& app);
std::unique_ptr<Verb> make_match(CLI::App& app);
std::unique_ptr<Verb> make_grep(CLI::App& app);
std::unique_ptr<Verb> make_doctor(CLI::App& app);

/// Adds --explicit-h, --smiles-column, --id-column, --format and --threads.
void add_read_options(CLI::App& app, ReadOptions& options);

/// --threads as it works out: 0 means all cores.
int threads_in_use(int threads);

/// "2.5%" or "2.5" as 2.5. @throws InputError  not a number in 0..100
double parse_percent(const std::string& text);

/// 1234567 as "1,234,567".
std::string grouped(Index number);

/// "1 row", "2 rows".
std::string counted(Index number, std::string_view noun);

bool ends_with(std::string_view text, std::string_view end);

/// File name in lower case without a closing .gz or .zst.
std::string name_without_compression(const std::string& path);

/// One line, whatever bytes the strings hold.
std::string dump(const Json& json);

/// Standard output, in one write. @throws DeviceError  it cannot be written
void print(std::string_view text);

/// One line on standard error that starts with "quarry: ".
void complain(std::string_view sentence);

}  // namespace quarry::cli
