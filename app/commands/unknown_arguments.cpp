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

void check_command(const CLI::App& app, const std::string& argument) {
  const std::vector<std::string> commands = commands_of(app);
  if (argument.starts_with('-') || std::find(commands.begin(), commands.end(), argument) != commands.end()) return;
  throw UsageError(unknown_name("command", argument, commands));
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
