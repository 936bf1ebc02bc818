// wordsway: the command-line program. Each command is one file in commands/; errors become exit codes here.
#include <exception>
#include <new>
#include <sstream>
#include <system_error>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "commands/commands.h"
#include "commands/unknown_arguments.h"
#include "options/help_format.h"
#include "system/check_failed.h"
#include "system/process.h"
#include "system/signals.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/core/freed_memory.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/run/machine.h"

namespace {

using namespace wordsway;

enum ExitCode { kDone = 0, kCheckFailed = 1, kUsage = 2, kData = 3, kSystem = 4, kInternal = 70, kInterrupted = 130 };

int fail(int code, const char* what) noexcept {
  app::write_error({"wordsway: ", what, "\n"});
  return code;
}

int run(int argc, char** argv) {
  CLI::App app("wordsway measures word sensitivity: how far one changed word can move a representation.");
  app.name("wordsway");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.formatter(app::help_format());
  app.footer(
      "Start with:  wordsway reproduce -o out      the paper's effect as a picture\n"
      "             wordsway serve                 a page in your browser to play with\n"
      "             wordsway measure --map raf     one measurement\n"
      "Each command explains itself: wordsway COMMAND --help");
  app::add_commands(app);
  if (argc < 2) {
    app::print_out(app.help());
    app::check_out();
    return kDone;
  }
  app::check_arguments(app, {argv + 1, argv + argc});
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    std::ostringstream text;
    app.exit(help, text, text);
    app::print_out(text.str());
  } catch (const CLI::ParseError& error) {
    return fail(kUsage, app::describe_refusal(app, error).c_str());
  }
  app::check_out();
  return kDone;
}

template <typename E>
bool is(const std::exception& error) {
  return dynamic_cast<const E*>(&error) != nullptr;
}

int exit_code_of(const std::exception& error) {
  if (is<UsageError>(error)) return kUsage;
  if (is<DataError>(error)) return kData;
  if (is<FileError>(error) || is<SystemError>(error)) return kSystem;
  if (is<app::CheckFailed>(error)) return kCheckFailed;
  if (is<Stopped>(error)) return kInterrupted;
  if (is<std::bad_alloc>(error) || is<std::system_error>(error)) return kSystem;
  return kInternal;
}

// What the standard library says is no sentence, and there may be no memory left to build one.
const char* sentence_of(const std::exception& error) {
  if (is<std::bad_alloc>(error)) return "the system refused memory; smaller sizes or fewer --threads need less";
  const auto* refusal = dynamic_cast<const std::system_error*>(&error);
  if (refusal != nullptr && refusal->code() == std::errc::resource_unavailable_try_again)
    return "the system refused to start a thread";
  return error.what();
}

// For an exception that nothing can catch, as when memory ends inside a function of CLI11 that promises not to throw.
[[noreturn]] void on_terminate() noexcept {
  unlink_temporary_files();
  try {
    if (std::current_exception()) throw;
  } catch (const std::exception& error) {
    _exit(fail(exit_code_of(error), sentence_of(error)));
  } catch (...) {
  }
  _exit(fail(kInternal, "an unknown error ended the program"));
}

int run_to_exit_code(int argc, char** argv) {
  try {
    app::ignore_file_size_signal();
    app::join_process_group();
    const bool idle = !app::is_first_process() && !(argc > 1 && app::is_shared(argv[1]));
    return idle ? kDone : run(argc, argv);
  } catch (const GroupDismissed&) {
    return kDone;  // the first process says why
  } catch (const std::exception& error) {
    app::tell_group(error);
    return fail(exit_code_of(error), sentence_of(error));
  }
}

}  // namespace

int main(int argc, char** argv) {
  app::occupy_standard_descriptors();
  app::leave_on_signals();
  std::set_terminate(on_terminate);
  keep_freed_memory();
  const int code = run_to_exit_code(argc, argv);
  app::leave_process_group();
  return code;
}
