// Makes every question a command of the program.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace wordsway::app {

/// Adds the command of the question of this name.
void add_question_command(CLI::App& app, const std::string& name);

}  // namespace wordsway::app
