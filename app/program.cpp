#include "program.h"

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

namespace wordsway::app {
namespace {

enum ExitCode { kDone = 0, kCheckFailed = 1, kUsage = 2, kData = 3, kSystem = 4, kInternal = 70, kInterrupted = 130 };

int fail(int code, const char* what) noexcept {
  write_error({"wordsway: ", what, "\n"});
  return code;
}

int run(int argc, char** argv) {
  CLI::App program("wordsway measures word sensitivity: how far one changed word can move a representation.");
  program.name("wordsway");
  program.set_version_flag("--version", version_text());
  program.require_subcommand(1);
  program.formatter(help_format());
  program.footer(
      "Start with:  wordsway reproduce -o out      the paper's effect as a picture\n"
      "             wordsway serve                 a page in your browser to play with\n"
      "             wordsway measure --map raf     one measurement\n"
      "Each command explains itself: wordsway COMMAND --help");
  add_commands(program);
  if (argc < 2) {
    print_out(program.help());
    check_out();
    return kDone;
  }
  check_arguments(program, {argv + 1, argv + argc});
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& help) {
    std::ostringstream text;
    program.exit(help, text, text);
    print_out(text.str());
  } catch (const CLI::ParseError& error) {
    return fail(kUsage, describe_refusal(program, error).c_str());
  }
  check_out();
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
  if (is<CheckFailed>(error)) return kCheckFailed;
  if (is<Stopped>(error)) return kInterrupted;
  if (is<std::bad_alloc>(error) || is<std::system_error>(error)) return kSystem;
  return kInternal;
}

// The standard library's texts are not sentences, and there may be no memory left to build one.
const char* sentence_of(const std::exception& error) {
  if (is<std::bad_alloc>(error)) return "the system refused memory; smaller sizes or fewer --threads need less";
  const auto* refusal = dynamic_cast<const std::system_error*>(&error);
  if (refusal != nullptr && refusal->code() == std::errc::resource_unavailable_try_again)
    return "the system refused to start a thread";
  return error.what();
}

// Handles exceptions that nothing can catch, such as running out of memory inside a noexcept function of CLI11.
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
    ignore_file_size_signal();
    join_process_group();
    const bool idle = !is_first_process() && !(argc > 1 && is_shared(argv[1]));
    return idle ? kDone : run(argc, argv);
  } catch (const GroupDismissed&) {
    return kDone;  // the first process says why
  } catch (const std::exception& error) {
    notify_group(error);
    return fail(exit_code_of(error), sentence_of(error));
  }
}

}  // namespace

int run_program(int argc, char** argv) {
  occupy_standard_descriptors();
  leave_on_signals();
  std::set_terminate(on_terminate);
  keep_freed_memory();
  const int code = run_to_exit_code(argc, argv);
  leave_process_group();
  return code;
}

}  // namespace wordsway::app
