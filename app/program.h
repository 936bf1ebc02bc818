// wordsway, the command-line program. Each question and each other command is one file; errors become exit codes here.
#pragma once

namespace wordsway::app {

/// Runs the command that the arguments name and returns the exit code of the process.
int run_program(int argc, char** argv);

}  // namespace wordsway::app
