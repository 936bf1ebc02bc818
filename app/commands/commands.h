// The commands of the program: every question (shell/question_commands.h), and programs built on questions, one file
// each.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace wordsway::app {

void add_commands(CLI::App& app);

/// Whether all processes of a group take part in this command; otherwise only the first process works.
bool is_shared(const std::string& command);

void add_list_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_reproduce_command(CLI::App& app);
void add_serve_command(CLI::App& app);

}  // namespace wordsway::app
