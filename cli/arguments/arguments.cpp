/// Parsing and --help by CLI11, which no other file knows.
#include "arguments/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>
#include <type_traits>

#include "output/text.hpp"
#include "quarry/suggestion.hpp"

namespace quarry::cli {
namespace {

CLI::Option* add_target(CLI::App& verb, const Argument& argument) {
  const std::string names = joined(argument.names, ",");
  return std::visit(
      [&](const auto& target) {
        using Value = std::remove_cvref_t<decltype(target)>;
        if constexpr (std::is_same_v<Value, bool*>)
          return verb.add_flag(names, *target, argument.help);
        else if constexpr (std::is_pointer_v<Value>)
          return verb.add_option(names, *target, argument.help);
        else
          return verb.add_option_function<std::string>(names, target, argument.help);
      },
      argument.target);
}

/// How help shows the bounds where there is no `shown_as`.
std::string bounds_text(const Rules& rules) {
  if (!rules.least) return "";
  if (rules.most) return fmt::format("INT in [{} - {}]", *rules.least, *rules.most);
  return *rules.least == 0 ? "NONNEGATIVE" : "POSITIVE";
}

template <class Integer>
CLI::Validator whole_number(const Rules& rules) {
  using Limits = std::numeric_limits<Integer>;
  const auto bound = [](const std::optional<Index>& given, Integer otherwise) {
    return given ? static_cast<Integer>(*given) : otherwise;
  };
  const Integer least = bound(rules.least, rules.is_size ? 0 : Limits::min()), most = bound(rules.most, Limits::max());
  const auto complaint = [least, most](const std::string& text) {
    Integer number = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    const bool good = error == std::errc() && stopped == end && number >= least && number <= most;
    return good ? "" : fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
  };
  return {complaint, bounds_text(rules)};
}

std::string real_bounds_text(const Rules& rules) {
  if (rules.least && rules.most) return fmt::format(" from {} to {}", *rules.least, *rules.most);
  return rules.least ? fmt::format(" of {} or more", *rules.least) : "";
}

CLI::Validator real_number(const Rules& rules) {
  const auto complaint = [rules](const std::string& text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    const bool good = error == std::errc() && stopped == end && std::isfinite(number) &&
                      (!rules.least || number >= 1.0 * *rules.least) && (!rules.most || number <= 1.0 * *rules.most);
    return good ? "" : fmt::format("'{}' is not a number{}", text, real_bounds_text(rules));
  };
  return {complaint, rules.least && rules.most ? fmt::format("FLOAT in [{} - {}]", *rules.least, *rules.most) : ""};
}

/// Refuses numbers out of bounds.
void add_bounds(CLI::Option& option, const Argument& argument) {
  const Rules& rules = argument.rules;
  const auto add_whole = [&]<class Integer>() { option.check(whole_number<Integer>(rules)); };
  const bool is_real = std::holds_alternative<double*>(argument.target) ||
                       std::holds_alternative<std::optional<double>*>(argument.target);
  if (is_real)
    option.check(real_number(rules));
  else if (std::holds_alternative<int*>(argument.target))
    add_whole.operator()<int>();
  else if (std::holds_alternative<Index*>(argument.target) ||
           std::holds_alternative<std::optional<Index>*>(argument.target))
    add_whole.operator()<Index>();
  else if (std::holds_alternative<std::uint64_t*>(argument.target))
    add_whole.operator()<std::uint64_t>();
}

/// Refuses other words than those listed.
CLI::Validator one_of(const std::vector<std::string>& words) {
  const auto complaint = [words](const std::string& text) {
    if (std::ranges::count(words, text) > 0) return std::string();
    return fmt::format("'{}' is none of {}{}", text, joined(words, ", "), suggestion(text, words));
  };
  return {complaint, "{" + joined(words, ",") + "}"};
}

/// CLI11 takes '[N,O]' for a list, cuts it at the comma and drops the brackets: such words go through it with this in front.
constexpr char kNoList = '\x01';

void protect(std::string& word) {
  if (word.starts_with('[') && word.ends_with(']')) word.insert(0, 1, kNoList);
}

std::string unprotected(std::string word) {
  if (word.starts_with(kNoList)) word.erase(0, 1);
  return word;
}

void add_argument(CLI::App& verb, const Argument& argument) {
  const Rules& rules = argument.rules;
  CLI::Option* option = add_target(verb, argument);
  if (argument.is_repeated() && !argument.is_positional()) option->allow_extra_args(false);
  if (!rules.words.empty()) option->check(one_of(rules.words));
  if (!rules.alone.empty()) option->expected(0, 1)->default_str(rules.alone);
  if (rules.names_file)
    option->check([](const std::string& path) { return path.empty() ? "the name of the file is empty" : ""; }, "");
  if (rules.is_size) option->transform(CLI::AsSizeValue(false));
  add_bounds(*option, argument);
  option->required(rules.required)->option_text(rules.shown_as);
  if (rules.show_default) option->capture_default_str();
  if (option->get_expected_max() > 0) option->transform(unprotected);  // before all checks
}

/// The end of --help.
std::string footer(const Guide& guide) {
  std::string text = "Example: " + joined(guide.examples, "\n         ");
  if (!guide.notes.empty()) text += "\n" + guide.notes;
  if (!guide.exit_status.empty()) text += fmt::format("\nExit status: {}.", guide.exit_status);
  return text;
}

void add_verb(CLI::App& app, const Arguments& arguments) {
  CLI::App* verb = app.add_subcommand(arguments.verb(), arguments.purpose());
  verb->footer(footer(arguments.guide()));
  if (!arguments.has_short_help()) verb->set_help_flag("--help", "Print this help message and exit");
  for (const Argument& argument : arguments.all()) add_argument(*verb, argument);
  for (const Argument& argument : arguments.all())
    for (const auto& other : argument.excluded)
      verb->get_option(argument.names.front())->excludes(verb->get_option(other));
}

/// The words of the command line that the verb does not know, and for each option what it may be a misspelling of.
std::string unexpected(const CLI::App& chosen, const Arguments& verb) {
  std::vector<std::string> names = {"--help"};
  for (const Argument& argument : verb.all())
    if (!argument.is_positional()) names.insert(names.end(), argument.names.begin(), argument.names.end());
  std::string text;
  for (const auto& each : chosen.remaining()) {
    const std::string word = unprotected(each);
    if (!text.empty()) text += "; ";
    const std::string name = word.substr(0, word.find('='));
    const bool is_option = word.starts_with('-');
    text += is_option ? fmt::format("there is no option '{}'{}", name, suggestion(name, names))
                      : fmt::format("'{}' is one argument too many", word);
  }
  return text;
}

/// @throws InputError  the first word, or that after `help`, is no verb: CLI11 would print help if --help follows
void require_verb(const Program& program, const std::vector<std::string>& words) {
  const std::size_t place = words.size() > 1 && words.front() == "help" ? 1 : 0;
  if (words.size() <= place || words[place].empty() || words[place].front() == '-') return;
  std::vector<std::string> verbs = {"help"};
  for (const Arguments& verb : program.verbs) verbs.push_back(verb.verb());
  const std::string& word = words[place];
  if (std::ranges::count(verbs, word) > 0) return;
  throw InputError(fmt::format("there is no verb '{}'{} (see quarry --help)", word, suggestion(word, verbs)));
}

/// What is wrong with the command line, in one sentence.
std::string usage_error(const CLI::App& app, const Program& program, const CLI::ParseError& error) {
  for (const Arguments& verb : program.verbs) {
    if (!app.got_subcommand(verb.verb())) continue;
    const bool is_unknown = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    const auto text = is_unknown ? unexpected(*app.get_subcommand(verb.verb()), verb) : std::string(error.what());
    return fmt::format("{} (see quarry {} --help)", text, verb.verb());
  }
  return fmt::format("{} (see quarry --help)", error.what());
}

/// Gives options that stand without a value the one that this means: CLI11 would take the next word, whatever it is.
/// @param words  the last of them first
void give_values(const Program& program, std::vector<std::string>& words) {
  const auto verb = std::ranges::find_if(
      program.verbs, [&](const Arguments& each) { return !words.empty() && words.back() == each.verb(); });
  if (verb == program.verbs.end()) return;
  for (const Argument& argument : verb->all()) {
    if (argument.rules.alone.empty()) continue;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool has_value = i > 0 && words[i - 1].find_first_not_of("0123456789") == std::string::npos;
      if (std::ranges::count(argument.names, words[i]) > 0 && !has_value) words[i] += "=" + argument.rules.alone;
    }
  }
}

/// @throws InputError  an option is given, and none of those that it goes with
void require_needed(const Arguments& verb) {
  for (const Argument& argument : verb.all()) {
    const std::vector<std::string>& needs = argument.rules.needs;
    if (argument.given.empty() || needs.empty() || !verb.given(needs).empty()) continue;
    throw InputError(fmt::format("{} goes with {} (see quarry {} --help)", argument.names.back(),
                                 fmt::join(needs, " or "), verb.verb()));
  }
}

}  // namespace

void Arguments::option(const std::string& names, Target target, std::string help, Rules rules) {
  arguments_.push_back({CLI::detail::split(names, ','), std::move(target), std::move(help), std::move(rules)});
}

void Arguments::exclude(const std::string& one, const std::string& other) {
  named(one).excluded.push_back(other);
  named(other).excluded.push_back(one);
}

std::vector<std::string> Arguments::given(const std::vector<std::string>& names) const {
  std::vector<std::string> given;
  for (const Argument& argument : arguments_) {
    if (!argument.given.empty() && std::ranges::count(names, argument.names.back()) > 0)
      given.push_back(argument.names.back());
  }
  return given;
}

bool Arguments::has_short_help() const {
  return std::ranges::none_of(arguments_,
                              [](const Argument& argument) { return std::ranges::count(argument.names, "-h") > 0; });
}

Argument& Arguments::named(const std::string& name) {
  const auto has_name = [&](const Argument& argument) { return std::ranges::count(argument.names, name) > 0; };
  return *std::ranges::find_if(arguments_, has_name);
}

std::optional<std::size_t> parse(Program& program, std::vector<std::string> words) {
  require_verb(program, words);
  CLI::App app(program.purpose);
  app.name(program.name);
  app.set_version_flag("--version", program.version);
  app.require_subcommand(1);
  app.footer(
      fmt::format("Exit status: {}. `{} help VERB` shows options and an example.", program.exit_status, program.name));
  for (const Arguments& verb : program.verbs) add_verb(app, verb);
  std::ranges::for_each(words, protect);
  // CLI11 takes words from the end. `quarry help VERB` is `quarry VERB --help`.
  std::ranges::reverse(words);
  if (!words.empty() && words.back() == "help") {
    words.pop_back();
    words.insert(words.begin(), "--help");
  }
  give_values(program, words);
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw InputError(usage_error(app, program, error));
    std::ostringstream text, unused;
    app.exit(error, text, unused);
    print(text.str());
    return {};
  }
  std::size_t chosen = 0;
  while (!app.got_subcommand(program.verbs[chosen].verb())) ++chosen;  // require_subcommand: there is one
  const CLI::App* const verb = app.get_subcommand(program.verbs[chosen].verb());
  for (Argument& argument : program.verbs[chosen].all())
    argument.given = verb->get_option(argument.names.front())->results();
  require_needed(program.verbs[chosen]);
  return chosen;
}

}  // namespace quarry::cli
