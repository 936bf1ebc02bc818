#include "commands/commands.h"

namespace wordsway::app {

void add_commands(CLI::App& app) {
  add_measure_command(app);
  add_generalize_command(app);
  add_reproduce_command(app);
  add_list_command(app);
}

}  // namespace wordsway::app
