// wordsway: the command-line program. One file a command in commands/; errors become exit codes here.
#include <cstdio>
#include <exception>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "check_failed.h"
#include "commands/commands.h"
#include "process.h"
#include "signals.h"
#include "wordsway/core/error.h"
#include "wordsway/core/freed_memory.h"

namespace {

enum ExitCode { kDone = 0, kCheckFailed = 1, kUsage = 2, kData = 3, kFile = 4, kInternal = 70, kInterrupted = 130 };

int fail(int code, const char* what) {
  fmt::print(stderr, "wordsway: {}\n", what);
  return code;
}

int run(int argc, char** argv) {
  CLI::App app("wordsway measures word sensitivity: how far one changed word can move a representation.");
  app.name("wordsway");
  app.set_version_flag("--version", "wordsway " WORDSWAY_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Start with:  wordsway reproduce -o out      the paper's effect as a picture\n"
      "             wordsway measure --map raf     one measurement\n"
      "Each command explains itself: wordsway COMMAND --help");
  wordsway::app::add_commands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return fail(kUsage, error.what());
  }
  // A large output fails before the end, and then there may be nothing left to flush.
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  return written ? kDone : fail(kFile, "standard output could not be written");
}

int exit_code_of(const std::exception& error) {
  if (dynamic_cast<const wordsway::UsageError*>(&error) != nullptr) return kUsage;
  if (dynamic_cast<const wordsway::DataError*>(&error) != nullptr) return kData;
  if (dynamic_cast<const wordsway::FileError*>(&error) != nullptr) return kFile;
  if (dynamic_cast<const wordsway::app::CheckFailed*>(&error) != nullptr) return kCheckFailed;
  if (dynamic_cast<const wordsway::app::Interrupted*>(&error) != nullptr) return kInterrupted;
  return kInternal;
}

int run_to_exit_code(int argc, char** argv) {
  try {
    wordsway::app::ignore_file_size_signal();
    wordsway::app::join_process_group();
    const bool idle = !wordsway::app::is_first_process() && !(argc > 1 && wordsway::app::is_shared(argv[1]));
    return idle ? kDone : run(argc, argv);
  } catch (const wordsway::GroupDismissed&) {
    return kDone;  // the first process says why
  } catch (const std::bad_alloc& error) {
    wordsway::app::tell_group(error);
    return fail(kUsage, "there is not enough memory for these sizes");
  } catch (const std::exception& error) {
    wordsway::app::tell_group(error);
    return fail(exit_code_of(error), error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  wordsway::keep_freed_memory();
  const int code = run_to_exit_code(argc, argv);
  wordsway::app::leave_process_group();
  return code;
}
