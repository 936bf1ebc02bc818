#include "commands/unknown_arguments.h"

#include <algorithm>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"

namespace wordsway::app {
namespace {

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// --map as well as -m.
std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
  }
  return flags;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// --mpa=raf is about --mpa.
std::string without_value(const std::string& argument) {
  return argument.substr(0, argument.find('='));
}

std::string describe_unknown(const CLI::App& command, const std::string& argument) {
  const std::string more = fmt::format("; see 'wordsway {} --help'", command.get_name());
  if (!argument.starts_with('-')) return fmt::format("'{}' was not expected{}", argument, more);
  const std::string flag = without_value(argument), meant = suggestion(flag, flags_of(command));
  return fmt::format("unknown option '{}' of {}{}", flag, command.get_name(), meant.empty() ? more : meant);
}

}  // namespace

void check_arguments(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front().starts_with('-')) return;
  const std::string& name = arguments.front();
  const std::vector<std::string> commands = commands_of(app);
  if (!contains(commands, name)) throw UsageError(unknown_name("command", name, commands));
  const std::vector<std::string> flags = flags_of(*app.get_subcommand(name));
  for (const std::string& argument : arguments) {
    if (argument == "--") return;  // what follows are texts
    const std::string flag = without_value(argument);
    if (flag.starts_with('-') && flag.size() > 2 && contains(flags, "-" + flag))
      throw UsageError(fmt::format("unknown option '{0}' of {1}; did you mean '-{0}'?", flag, name));
  }
}

std::string describe_refusal(const CLI::App& app, const CLI::ParseError& error) {
  for (const CLI::App* command : app.get_subcommands())
    for (const std::string& argument : command->remaining())
      if (argument != "--") return describe_unknown(*command, argument);
  for (const std::string& argument : app.remaining())
    if (argument.starts_with("-") && argument != "--")
      return fmt::format("unknown option '{0}' of wordsway; options of a command come after it: wordsway COMMAND {0}",
                         argument);
  return error.what();
}

}  // namespace wordsway::app
