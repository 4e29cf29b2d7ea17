/// One script for each shell. bash gets lists of words, zsh and fish the help texts too.
#include "arguments/completion.hpp"

#include <fmt/format.h>

#include "output/text.hpp"

namespace quarry::cli {
namespace {

/// What kind of value an argument takes.
enum class Value { none, words, file, text };

Value value_of(const Argument& argument) {
  if (argument.is_flag()) return Value::none;
  if (!argument.rules.words.empty()) return Value::words;
  return argument.rules.names_file ? Value::file : Value::text;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// Between single quotes of bash and zsh.
std::string quoted(const std::string& text) { return '\'' + replaced(text, "'", "'\\''") + '\''; }

std::string words_of(const Argument& argument) { return joined(argument.rules.words, " "); }

std::string verbs_of(const Program& program) {
  std::string verbs;
  for (const Arguments& verb : program.verbs) verbs += (verbs.empty() ? "" : " ") + verb.verb();
  return verbs;
}

// bash: one function; `words` are what may stand at the cursor.

std::string bash_verb(const Arguments& verb) {
  std::string options, values;
  for (const Argument& argument : verb.all()) {
    if (argument.is_positional()) continue;
    options += joined(argument.names, " ") + ' ';
    const std::string pattern = "        " + joined(argument.names, "|") + ')';
    switch (value_of(argument)) {
      case Value::none:
        break;
      case Value::words:
        values += fmt::format("{} words='{}' ;;\n", pattern, words_of(argument));
        break;
      case Value::file:
        values += pattern + " files=yes ;;\n";
        break;
      case Value::text:
        values += pattern + " ;;\n";
        break;
    }
  }
  return fmt::format(
      "    {})\n"
      "      case $previous in\n{}"
      "        *) if [[ $current == -* ]]; then words='{}--help'; else files=yes; fi ;;\n"
      "      esac ;;\n",
      verb.verb(), values, options);
}

std::string bash(const Program& program) {
  std::string verbs;
  for (const Arguments& verb : program.verbs) verbs += bash_verb(verb);
  return fmt::format(
      "# bash completion of {0}, written by `{0} --completion bash`\n"
      "_{0}() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} words='' files=''\n"
      "  local verb=${{COMP_WORDS[1]}}\n"
      "  ((COMP_CWORD > 1)) || verb=''\n"
      "  if [[ $current == '=' ]]; then current=''; fi # bash takes --option=value for three words\n"
      "  if [[ $previous == '=' ]]; then previous=${{COMP_WORDS[COMP_CWORD - 2]}}; fi\n"
      "  case $verb in\n"
      "    '') words='{1} help --help --version' ;;\n"
      "    help) ((COMP_CWORD > 2)) || words='{1}' ;;\n{2}"
      "  esac\n"
      "  COMPREPLY=()\n"
      "  if [[ $files ]]; then\n"
      "    compopt -o filenames\n"
      "    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
      "  else\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      "  fi\n"
      "}}\n"
      "complete -F _{0} {0}\n",
      program.name, verbs_of(program), verbs);
}

// zsh: a specification for `_arguments` per option.

/// The text of a specification, where brackets and colons have a meaning.
std::string zsh_text(const std::string& text) {
  return replaced(replaced(replaced(text, "[", "\\["), "]", "\\]"), ":", "\\:");
}

std::string zsh_action(const Argument& argument) {
  switch (value_of(argument)) {
    case Value::none:
      return "";
    case Value::words:
      return fmt::format(":value:({})", words_of(argument));
    case Value::file:
      return ":file:_files";
    case Value::text:
      return ":value: ";
  }
  return "";
}

std::string zsh_argument(const Argument& argument) {
  std::string lines;
  const auto add = [&](const std::string& text) { lines += fmt::format("        {} \\\n", quoted(text)); };
  if (argument.is_positional()) {
    add((argument.is_repeated() ? "*" : "") + (':' + zsh_text(argument.names.front())) +
        (argument.rules.names_file ? ":_files" : ": "));
    return lines;
  }
  // One spelling excludes the others; a repeated option may always stand again.
  for (const auto& name : argument.names) {
    const std::string before = argument.is_repeated() ? "*" : '(' + joined(argument.names, " ") + ')';
    const bool equals = name.starts_with("--") && !argument.is_flag();  // --option=value
    add(fmt::format("{}{}{}[{}]{}", before, name, equals ? "=" : "", zsh_text(argument.help), zsh_action(argument)));
  }
  return lines;
}

std::string zsh(const Program& program) {
  std::string verbs, cases;
  for (const Arguments& verb : program.verbs) {
    verbs += fmt::format("    {}\n", quoted(verb.verb() + ':' + zsh_text(verb.purpose())));
    cases += fmt::format("    {})\n      _arguments -s \\\n", verb.verb());
    for (const Argument& argument : verb.all()) cases += zsh_argument(argument);
    const char* const names = verb.has_short_help() ? "'(-h --help)'{-h,--help}'" : "'--help";
    cases += fmt::format("        {}[Print a summary of these options]' ;;\n", names);
  }
  return fmt::format(
      "#compdef {0}\n"
      "# zsh completion of {0}, written by `{0} --completion zsh`\n"
      "_{0}() {{\n"
      "  local -a verbs=(\n{1}  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe -t commands verb verbs\n"
      "    _values word 'help[Print the options of a verb]'\n"
      "    _arguments '--help[Print a summary of the verbs]' '--version[Print the version]'\n"
      "    return\n"
      "  fi\n"
      "  local verb=$words[2]\n"
      "  if [[ $verb == help ]]; then\n"
      "    ((CURRENT > 3)) || _describe -t commands verb verbs\n"
      "    return\n"
      "  fi\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $verb in\n{2}"
      "  esac\n"
      "}}\n"
      "_{0} \"$@\"\n",
      program.name, verbs, cases);
}

// fish: one command per option.

/// Between single quotes of fish.
std::string fish_quoted(const std::string& text) {
  return '\'' + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + '\'';
}

std::string fish_argument(const std::string& condition, const Argument& argument) {
  std::string line = condition;
  for (const auto& name : argument.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  switch (value_of(argument)) {
    case Value::none:
      break;
    case Value::words:
      line += fmt::format(" -x -a {}", fish_quoted(words_of(argument)));
      break;
    case Value::file:
      line += " -r -F";
      break;
    case Value::text:
      line += " -x";
      break;
  }
  return line + " -d " + fish_quoted(argument.help) + '\n';
}

std::string fish(const Program& program) {
  const std::string any = fmt::format("complete -c {} -n __fish_use_subcommand", program.name);
  std::string text = fmt::format("# fish completion of {0}, written by `{0} --completion fish`\n", program.name);
  text += any + " -f\n" + any + " -l help -d 'Print a summary of the verbs'\n";
  text += any + " -l version -d 'Print the version'\n";
  text += any + " -a help -d 'Print the options of a verb'\n";
  text += fmt::format("complete -c {} -n '__fish_seen_subcommand_from help' -f -a {}\n", program.name,
                      fish_quoted(verbs_of(program)));
  for (const Arguments& verb : program.verbs) {
    text += fmt::format("{} -a {} -d {}\n", any, verb.verb(), fish_quoted(verb.purpose()));
    const std::string condition =
        fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", program.name, verb.verb());
    for (const Argument& argument : verb.all())
      if (!argument.is_positional()) text += fish_argument(condition, argument);
    text += condition + (verb.has_short_help() ? " -s h" : "") + " -l help -d 'Print a summary of these options'\n";
  }
  return text;
}

}  // namespace

std::string completion(const Program& program, const std::string& shell) {
  if (shell == "bash") return bash(program);
  if (shell == "zsh") return zsh(program);
  if (shell == "fish") return fish(program);
  throw InputError(fmt::format("--completion takes bash, zsh or fish, not '{}'", shell));
}

}  // namespace quarry::cli
