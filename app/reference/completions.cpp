// Completion for bash, zsh and fish. An option with names to choose from offers them, one that takes another text
// offers files, and one that takes a number nothing.
#include <algorithm>

#include <fmt/format.h>

#include "reference/reference.h"

namespace wordsway::app {
namespace {

bool takes_text(const OptionEntry& option) {
  return option.value.starts_with("TEXT");
}

// 'As a shell quotes it.'
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) result += letter == '\'' ? "'\\''" : std::string(1, letter);
  return result + "'";
}

// Up to the first sentence, default or semicolon: a line of a menu.
std::string in_short(const std::string& description) {
  const size_t end = std::min({description.find(" ("), description.find("; "), description.find(": "),
                               description.find(" ["), description.find(". ")});
  return description.substr(0, end);
}

std::vector<std::string> option_names(const CommandEntry& command) {
  std::vector<std::string> names;
  for (const OptionEntry& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// The values after `option`, as a case of bash.
std::string bash_case(const CommandEntry& command, const OptionEntry& option) {
  std::vector<std::string> patterns;
  for (const std::string& name : option.names) patterns.push_back(command.name + ":" + name);
  std::string action = takes_text(option) ? "return" : "compopt +o default; return";
  if (!option.choices.empty())
    action = fmt::format("_wordsway_names {}; return", quoted(fmt::format("{}", fmt::join(option.choices, " "))));
  return fmt::format("    {}) {} ;;\n", fmt::join(patterns, "|"), action);
}

std::string for_bash(const std::vector<CommandEntry>& commands) {
  std::string names, cases, words;
  for (const CommandEntry& command : commands) {
    names += (names.empty() ? "" : " ") + command.name;
    for (const OptionEntry& option : command.options)
      if (!option.value.empty()) cases += bash_case(command, option);
    std::string arguments;
    for (const OptionEntry& argument : command.arguments)
      if (!argument.choices.empty())
        arguments = fmt::format("; _wordsway_names {}", quoted(fmt::format("{}", fmt::join(argument.choices, " "))));
    words += fmt::format("    {}) [[ $cur == -* ]] && COMPREPLY=($(compgen -W {} -- \"$cur\")) && return{} ;;\n",
                         command.name, quoted(fmt::format("{}", fmt::join(option_names(command), " "))), arguments);
  }
  return fmt::format(R"(# bash completion for wordsway, made from its options.

# The last name of a comma-separated list.
_wordsway_names() {{
  local before=
  [[ $cur == *,* ]] && before=${{cur%,*}},
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "${{cur##*,}}"))
}}

_wordsway() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$cur"))
    return
  fi
  case "$command:$prev" in
{}  esac
  case "$command" in
{}  esac
}}
complete -o bashdefault -o default -F _wordsway wordsway
)",
                     names, cases, words);
}

// Brackets and colons mean something in what _arguments takes.
std::string in_zsh(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') result += '\\';
    result += letter;
  }
  return result;
}

std::string zsh_value(const OptionEntry& option) {
  if (!option.choices.empty()) return fmt::format(":{}:({})", option.value, fmt::join(option.choices, " "));
  if (option.value.empty()) return "";
  return fmt::format(":{}:{}", option.value, takes_text(option) ? "_files" : " ");
}

std::string for_zsh(const std::vector<CommandEntry>& commands) {
  std::string menu, cases;
  for (const CommandEntry& command : commands) {
    menu += fmt::format("    {}\n", quoted(command.name + ":" + in_zsh(command.summary)));
    cases += fmt::format("        {}) _arguments \\\n", command.name);
    for (const OptionEntry& option : command.options) {
      const std::string others = fmt::format("({})", fmt::join(option.names, " "));
      for (const std::string& name : option.names)
        cases += fmt::format(
            "          {} \\\n",
            quoted(fmt::format("{}{}[{}]{}", others, name, in_zsh(in_short(option.description)), zsh_value(option))));
    }
    const bool has_choices = !command.arguments.empty() && !command.arguments.front().choices.empty();
    cases += has_choices ? fmt::format("          '*:{}:({})' ;;\n", command.arguments.front().names.front(),
                                       fmt::join(command.arguments.front().choices, " "))
                         : "          '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef wordsway
# zsh completion for wordsway, made from its options.
_wordsway() {{
  local line state
  local -a commands=(
{})
  _arguments -C '--help[Print help]' '--version[Print the version]' '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
{}      esac ;;
  esac
}}
_wordsway "$@"
)",
                     menu, cases);
}

std::string for_fish(const std::vector<CommandEntry>& commands) {
  std::string result =
      "# fish completion for wordsway, made from its options.\n"
      "complete -c wordsway -n __fish_use_subcommand -f\n"
      "complete -c wordsway -n __fish_use_subcommand -l help -d 'Print help'\n"
      "complete -c wordsway -n __fish_use_subcommand -l version -d 'Print the version'\n";
  for (const CommandEntry& command : commands) {
    const std::string there = fmt::format("'__fish_seen_subcommand_from {}'", command.name);
    result += fmt::format("complete -c wordsway -n __fish_use_subcommand -a {} -d {}\n", command.name,
                          quoted(command.summary));
    for (const OptionEntry& argument : command.arguments)
      if (!argument.choices.empty())
        result += fmt::format("complete -c wordsway -n {} -f -a '{}'\n", there, fmt::join(argument.choices, " "));
    for (const OptionEntry& option : command.options) {
      std::string names;
      for (const std::string& name : option.names)
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      std::string value;
      if (!option.choices.empty())
        value = fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
      else if (!option.value.empty())
        value = takes_text(option) ? " -r" : " -x";
      result += fmt::format("complete -c wordsway -n {}{}{} -d {}\n", there, names, value,
                            quoted(in_short(option.description)));
    }
  }
  return result;
}

}  // namespace

std::vector<ReferenceFile> completions(const CLI::App& app) {
  const std::vector<CommandEntry> commands = commands_of(app);
  return {{"bash/wordsway", for_bash(commands)},
          {"zsh/_wordsway", for_zsh(commands)},
          {"fish/wordsway.fish", for_fish(commands)}};
}

}  // namespace wordsway::app
