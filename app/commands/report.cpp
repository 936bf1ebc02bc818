// wordsway report: tables and charts from journals alone.
#include <CLI/CLI.hpp>

#include "commands/commands.h"

namespace wordsway::app {
void add_report_command(CLI::App&) {}
}  // namespace wordsway::app
