#include "options/common.h"

#include <CLI/CLI.hpp>

#include "options/names.h"
#include "system/streams.h"
#include "wordsway/core/parallel.h"

namespace wordsway::app {

void add_common_options(CLI::App& command, CommonOptions& options) {
  command.add_option("--format", options.format, "How results are written: table, json, jsonl or csv")
      ->check(one_of("format", {"table", "json", "jsonl", "csv"}))
      ->capture_default_str();
  command.add_flag("--quiet", options.quiet, "Write nothing but errors to stderr");
  command
      .add_option_function<int>(
          "--threads", [](const int& threads) { set_thread_count(threads); },
          "How many threads to use; results do not depend on it (default: all cores)")
      ->check(CLI::Range(1, 4096));
}

void add_examples(CLI::App& command, const std::string& examples, const std::string& explanation) {
  command.footer((explanation.empty() ? "" : explanation + "\n\n") + "Examples:\n" + examples);
}

void say(const CommonOptions& options, const std::string& message) {
  if (!options.quiet) write_error({message, "\n"});
}

}  // namespace wordsway::app
