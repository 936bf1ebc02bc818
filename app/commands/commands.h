// The commands of the program. Each is one file that adds its options and what to do to the command line.
#pragma once

namespace CLI {
class App;
}

namespace wordsway::app {

void add_commands(CLI::App& app);

void add_generalize_command(CLI::App& app);
void add_list_command(CLI::App& app);
void add_measure_command(CLI::App& app);
void add_reproduce_command(CLI::App& app);

}  // namespace wordsway::app
