/// What each verb takes on the command line, as plain tables. arguments.cpp parses by them and prints --help; manual.cpp
/// and completion.cpp make manual pages and the completions of shells from the same tables.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "quarry/error.hpp"

namespace quarry::cli {

/// Where the value of an argument goes. A flag sets a bool; a function receives the text.
using Target = std::variant<bool*, int*, Index*, std::uint64_t*, double*, std::string*, std::optional<Index>*,
                            std::optional<double>*, std::vector<std::string>*, std::function<void(const std::string&)>>;

/// What an argument accepts, and how help shows it.
struct Rules {
  std::string shown_as = {};  ///< the value as help shows it; empty: its type and what it accepts
  bool required = false;
  bool show_default = false;
  bool names_file = false;
  bool names_output = false;            ///< a file that is written; names_file holds too
  bool is_size = false;                 ///< a number of bytes; a suffix such as MB may follow
  std::vector<std::string> words = {};  ///< not empty: any other value is refused
  std::vector<std::string> needs = {};  ///< not empty: options of which one must be given too
  std::optional<Index> least = {}, most = {};
  /// Not empty: the value where the option stands without one. The word after it is its value only if it is a number.
  std::string alone = {};
};

/// An option, or a positional argument.
struct Argument {
  std::vector<std::string> names;  ///< "-o", "--output"; of a positional argument one name without a dash
  Target target;
  std::string help;
  Rules rules = {};
  std::vector<std::string> excluded = {};  ///< names of options that cannot be given with this one
  std::vector<std::string> given = {};     ///< its values on the command line; of a flag "true". Filled by `parse`

  bool is_positional() const { return names.front().front() != '-'; }
  bool is_flag() const { return std::holds_alternative<bool*>(target); }
  /// A repeated option may be given many times; a repeated positional argument takes all that follow.
  bool is_repeated() const { return std::holds_alternative<std::vector<std::string>*>(target); }
};

/// What there is to say of a verb beside its options.
struct Guide {
  std::vector<std::string> examples;
  std::string notes = {};        ///< what is written, and by which method; --help shows it below the examples
  std::string exit_status = {};  ///< where it says more than the program's own
  std::string description = {};  ///< for the manual page: paragraphs, with an empty line between
};

/// The command line of one verb. --help shows the arguments in the order in which they are added.
class Arguments {
 public:
  Arguments(std::string verb, std::string purpose) : verb_(std::move(verb)), purpose_(std::move(purpose)) {}

  /// @param names  "-o,--output"
  void option(const std::string& names, Target target, std::string help, Rules rules = {});
  void flag(const std::string& names, bool& value, std::string help) { option(names, &value, std::move(help)); }
  /// @param words  each with the value that it means
  template <class Value>
  void choice(const std::string& names, Value& value, std::string help,
              std::vector<std::pair<const char*, Value>> words);
  /// The two options cannot be given together. Both have been added.
  void exclude(const std::string& one, const std::string& other);
  void guide(Guide guide) { guide_ = std::move(guide); }

  /// Those of the options that the command line gives, in order of --help.
  std::vector<std::string> given(const std::vector<std::string>& names) const;

  const std::string& verb() const { return verb_; }
  /// Whether -h asks for help, as --help does: no option has that name.
  bool has_short_help() const;
  const std::string& purpose() const { return purpose_; }
  const std::vector<Argument>& all() const { return arguments_; }
  std::vector<Argument>& all() { return arguments_; }
  const Guide& guide() const { return guide_; }

 private:
  Argument& named(const std::string& name);

  std::string verb_, purpose_;
  std::vector<Argument> arguments_;
  Guide guide_;
};

/// The command line of the whole program.
struct Program {
  std::string name, purpose, version, exit_status;
  std::string description;  ///< for the manual page, as `Guide::description`
  std::vector<Arguments> verbs;
};

/// Sets the targets of the verb that the command line names. Where help or the version is asked for, prints that.
/// @param words  of the command line, without the name of the program
/// @return  which of `program.verbs` is to run; none where something was printed instead
/// @throws InputError  the command line cannot be understood
std::optional<std::size_t> parse(Program& program, std::vector<std::string> words);

template <class Value>
void Arguments::choice(const std::string& names, Value& value, std::string help,
                       std::vector<std::pair<const char*, Value>> words) {
  Rules rules;
  for (const auto& [word, meaning] : words) {
    rules.shown_as += rules.shown_as.empty() ? "" : "|";
    rules.shown_as += word;
    rules.words.push_back(word);
  }
  const auto set = [&value, words = std::move(words)](const std::string& text) {
    for (const auto& [word, meaning] : words)
      if (text == word) value = meaning;
  };
  option(names, set, std::move(help), std::move(rules));
}

}  // namespace quarry::cli
