/// Roff with the macros of man(7), one section after the other.
#include "arguments/manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <type_traits>
#include <utility>

#include "output/text.hpp"

namespace quarry::cli {
namespace {

/// One word, or a line of an example, as it is: nothing in it is a command of roff, and dashes can be copied.
std::string literal(const std::string& text) {
  std::string roff = text.starts_with('.') ? "\\&" : "";
  for (const char letter : text) {
    switch (letter) {
      case '\\':
        roff += "\\e";
        break;
      case '-':
        roff += "\\-";
        break;
      case '\'':
        roff += "\\(aq";
        break;
      default:
        roff += letter;
    }
  }
  return roff;
}

std::string bold(const std::string& text) { return "\\fB" + literal(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + literal(text) + "\\fR"; }

/// Lines of running text. Words in backticks become bold.
std::string prose(const std::string& text) {
  constexpr std::size_t kLineLength = 78;
  std::istringstream words(text);
  std::string roff, line;
  bool in_bold = false;
  for (std::string word; words >> word;) {
    std::string shown;
    for (const char letter : literal(word))
      if (letter == '`')
        shown += std::exchange(in_bold, !in_bold) ? "\\fR" : "\\fB";
      else
        shown += letter;
    if (!line.empty() && line.size() + shown.size() >= kLineLength) roff += std::exchange(line, "") + '\n';
    line += (line.empty() ? "" : " ") + shown;
  }
  return roff + line + '\n';
}

/// Paragraphs with an empty line between them.
std::string paragraphs(const std::string& text) {
  std::string roff;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", begin), text.size());
    roff += (begin > 0 ? ".PP\n" : "") + prose(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return roff;
}

std::string title(const std::string& name, const Program& program, const std::string& date) {
  std::string upper = name;
  for (char& letter : upper) letter = std::toupper(letter);
  return fmt::format(".TH {} 1 {} \"{}\" \"User Commands\"\n", literal(upper), date, program.version);
}

/// "Pack molecules" as a phrase after a dash.
std::string lower_first(std::string text) {
  text.front() = std::tolower(text.front());
  return text;
}

/// "found" as "Found."
std::string sentence(std::string text) {
  text.front() = std::toupper(text.front());
  return text.ends_with('.') ? text : text + '.';
}

std::string value_name(const Argument& argument) {
  const Rules& rules = argument.rules;
  if (!rules.shown_as.empty()) return rules.shown_as;
  if (!rules.words.empty()) return joined(rules.words, "|");
  if (rules.names_file) return "FILE";
  return std::holds_alternative<std::string*>(argument.target) ? "TEXT" : "N";
}

std::string default_text(const Argument& argument) {
  return std::visit(
      [](const auto& target) -> std::string {
        using Value = std::remove_cvref_t<decltype(target)>;
        constexpr bool kOne = std::is_same_v<Value, int*> || std::is_same_v<Value, Index*> ||
                              std::is_same_v<Value, std::uint64_t*> || std::is_same_v<Value, std::string*>;
        if constexpr (kOne) return fmt::format("{}", *target);
        return "";
      },
      argument.target);
}

/// What an argument is called, and with which value.
std::string tag(const Argument& argument) {
  if (argument.is_positional()) return italic(argument.names.front());
  std::string text;
  for (const auto& name : argument.names) text += (text.empty() ? "" : ", ") + bold(name);
  return argument.is_flag() ? text : text + ' ' + italic(value_name(argument));
}

std::string rules_text(const Argument& argument) {
  const Rules& rules = argument.rules;
  std::string text;
  if (rules.least && rules.most && argument.rules.shown_as.empty())
    text += fmt::format(" From {} to {}.", *rules.least, *rules.most);
  if (rules.is_size) text += " A suffix such as MB or GiB may follow the number.";
  if (rules.show_default) text += fmt::format(" The default is `{}`.", default_text(argument));
  if (rules.required && !argument.is_positional()) text += " This option is required.";
  if (!argument.excluded.empty()) text += " Not together with " + joined(argument.excluded, ", ") + '.';
  return text;
}

std::string entry(const std::string& tag, const std::string& text) { return ".TP\n" + tag + '\n' + prose(text); }

std::string synopsis(const std::string& command, const Arguments& verb) {
  std::string text = ".SH SYNOPSIS\n" + bold(command + ' ' + verb.verb()) + " [" + italic("OPTIONS") + ']';
  for (const Argument& argument : verb.all())
    if (argument.rules.required && !argument.is_positional())
      text += ' ' + bold(argument.names.front()) + ' ' + italic(value_name(argument));
  for (const Argument& argument : verb.all())
    if (argument.is_positional()) {
      const std::string name = italic(argument.names.front()) + (argument.is_repeated() ? "..." : "");
      text += argument.rules.required ? ' ' + name : " [" + name + ']';
    }
  return text + '\n';
}

std::string options(const Arguments& verb) {
  std::string text = ".SH OPTIONS\n";
  for (const bool positional : {true, false})
    for (const Argument& argument : verb.all())
      if (argument.is_positional() == positional)
        text += entry(tag(argument), sentence(argument.help) + rules_text(argument));
  return text +
         entry((verb.has_short_help() ? bold("-h") + ", " : "") + bold("--help"), "Print a summary of these options.");
}

/// @param text  "0 found, 1 nothing found, 2 error"
std::string exit_status(const std::string& text) {
  std::string roff = ".SH EXIT STATUS\n";
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    roff += entry(bold(text.substr(begin, 1)), sentence(text.substr(begin + 2, end - begin - 2)));
    begin = end + 2;
  }
  return roff;
}

std::string examples(const std::vector<std::string>& lines) {
  std::string text = ".SH EXAMPLES\n.EX\n";
  for (const auto& line : lines) text += literal(line) + '\n';
  return text + ".EE\n";
}

std::string see_also(const Program& program, const std::string& verb) {
  std::vector<std::string> pages;
  if (!verb.empty()) pages.push_back(program.name);
  for (const Arguments& other : program.verbs)
    if (other.verb() != verb) pages.push_back(program.name + '-' + other.verb());
  std::string text = ".SH SEE ALSO\n";
  for (const auto& page : pages) text += fmt::format(".BR {} (1){}\n", literal(page), page == pages.back() ? "" : ",");
  return text;
}

}  // namespace

std::string manual_page(const Program& program, const std::string& date) {
  std::string text = title(program.name, program, date);
  text += ".SH NAME\n" + prose(program.name + " - " + program.purpose);
  text += ".SH SYNOPSIS\n" + bold(program.name) + ' ' + italic("VERB") + " [" + italic("OPTIONS") + "] [" +
          italic("ARGUMENT") + "...]\n";
  text += ".SH DESCRIPTION\n" + paragraphs(program.description);
  text += ".SH VERBS\n";
  for (const Arguments& verb : program.verbs) text += entry(bold(verb.verb()), sentence(verb.purpose()));
  text += ".SH OPTIONS\n" + entry(bold("-h") + ", " + bold("--help"), "Print a summary of the verbs.") +
          entry(bold("--version"), "Print the versions of the program and of RDKit.");
  text += exit_status(program.exit_status);
  std::vector<std::string> lines;
  for (const Arguments& verb : program.verbs) lines.push_back(verb.guide().examples.front());
  return text + examples(lines) + see_also(program, "");
}

std::string manual_page(const Program& program, const Arguments& verb, const std::string& date) {
  const Guide& guide = verb.guide();
  const std::string name = program.name + '-' + verb.verb();
  std::string text = title(name, program, date);
  text += ".SH NAME\n" + prose(name + " - " + lower_first(verb.purpose()));
  text += synopsis(program.name, verb);
  text += ".SH DESCRIPTION\n" + paragraphs(guide.description + (guide.notes.empty() ? "" : "\n\n") + guide.notes);
  text += options(verb);
  text += exit_status(guide.exit_status.empty() ? "0 done, 2 error" : guide.exit_status);
  return text + examples(guide.examples) + see_also(program, verb.verb());
}

}  // namespace quarry::cli
