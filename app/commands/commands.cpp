#include "commands/commands.h"

#include <functional>
#include <map>

#include <CLI/CLI.hpp>

#include "shell/question_commands.h"
#include "wordsway/ask/question.h"

namespace wordsway::app {

void add_commands(CLI::App& app) {
  // Questions and the programs built on them, in the order of the help.
  std::multimap<int, std::function<void()>> commands{{30, [&] { add_report_command(app); }},
                                                     {40, [&] { add_reproduce_command(app); }},
                                                     {80, [&] { add_serve_command(app); }},
                                                     {160, [&] { add_list_command(app); }}};
  for (const std::string& name : question_names())
    commands.emplace(question_registry().get(name)->guide().order, [&app, name] { add_question_command(app, name); });
  for (const auto& [order, add] : commands) add();
  for (CLI::App* command : app.get_subcommands({})) command->group("Commands");
}

bool is_shared(const std::string& command) {
  return command == "reproduce" ||
         (question_registry().contains(command) && question_registry().get(command)->is_shared());
}

}  // namespace wordsway::app
