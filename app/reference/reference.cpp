#include "reference/reference.h"

#include <CLI/CLI.hpp>

namespace wordsway::app {
namespace {

// "TEXT:{cosine,distance}" as CLI11 joins the kind of a value and what its validators say of themselves.
std::vector<std::string> choices_in(const std::string& type) {
  const size_t begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  if (option.get_positional()) entry.names.push_back(option.get_name(true));
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  const std::string type = option.get_type_name();
  if (option.get_type_size() != 0) entry.value = type.substr(0, type.find(':'));
  entry.choices = choices_in(type);
  entry.description = option.get_description();
  if (option.get_required()) entry.description += " (required)";
  if (!option.get_default_str().empty()) entry.description += " [" + option.get_default_str() + "]";
  entry.takes_many = option.get_expected_max() > 1;
  return entry;
}

}  // namespace

std::vector<CommandEntry> commands_of(const CLI::App& app) {
  std::vector<CommandEntry> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    CommandEntry entry{command->get_name(), command->get_description(), command->get_footer(), {}, {}};
    for (const CLI::Option* option : command->get_options())
      (option->get_positional() ? entry.arguments : entry.options).push_back(entry_of(*option));
    commands.push_back(std::move(entry));
  }
  return commands;
}

}  // namespace wordsway::app
