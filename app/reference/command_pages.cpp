// One page of documentation for each command, in Markdown.
#include <fmt/format.h>

#include "reference/reference.h"

namespace wordsway::app {
namespace {

// Escapes text for a cell of a table, where a bar would end it and < would begin a tag.
std::string in_cell(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '|')
      result += "\\|";
    else if (letter == '<')
      result += "&lt;";
    else
      result += letter;
  }
  return result;
}

std::string table_of(const std::vector<OptionEntry>& options, const char* title) {
  if (options.empty()) return "";
  std::string result = fmt::format("\n| {} | |\n|---|---|\n", title);
  for (const OptionEntry& option : options) {
    const bool is_argument = !option.names.front().starts_with('-');
    const std::string value = option.value.empty() || is_argument ? "" : " " + option.value;
    result += fmt::format("| `{}{}` | {} |\n", fmt::join(option.names, "`, `"), value, in_cell(option.description));
  }
  return result;
}

std::string page_of(const CommandEntry& command) {
  std::string usage = fmt::format("wordsway {} [OPTIONS]", command.name);
  for (const OptionEntry& argument : command.arguments)
    usage += fmt::format(" [{}{}]", argument.names.front(), argument.takes_many ? "..." : "");
  std::string result = fmt::format("# wordsway {}\n\n{}.\n\n    {}\n", command.name, command.summary, usage);
  result += table_of(command.arguments, "argument") + table_of(command.options, "option");
  if (!command.epilogue.empty()) result += fmt::format("\n```text\n{}\n```\n", command.epilogue);
  return result;
}

}  // namespace

std::vector<ReferenceFile> command_pages(const CLI::App& app) {
  std::string front =
      "# Commands\n\nMade from the options themselves by `wordsway_reference`.\n\n| command | |\n|---|---|\n";
  std::vector<ReferenceFile> files;
  for (const CommandEntry& command : commands_of(app)) {
    front += fmt::format("| [{0}]({0}.md) | {1} |\n", command.name, in_cell(command.summary));
    files.push_back({fmt::format("commands/{}.md", command.name), page_of(command)});
  }
  files.push_back({"commands/README.md", front});
  return files;
}

}  // namespace wordsway::app
