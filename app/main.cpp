// wordsway: the command-line program. One file a command in commands/; errors become exit codes here.
#include <cstdio>
#include <exception>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands/commands.h"
#include "wordsway/core/error.h"

namespace {

enum ExitCode { kDone = 0, kCheckFailed = 1, kUsage = 2, kData = 3, kFile = 4, kInternal = 70 };

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
  return std::fflush(stdout) == 0 ? kDone : fail(kFile, "standard output could not be written");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const wordsway::UsageError& error) {
    return fail(kUsage, error.what());
  } catch (const wordsway::DataError& error) {
    return fail(kData, error.what());
  } catch (const wordsway::FileError& error) {
    return fail(kFile, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kUsage, "there is not enough memory for these sizes");
  } catch (const std::exception& error) {
    return fail(kInternal, error.what());
  }
}
