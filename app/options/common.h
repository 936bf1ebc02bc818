// Options that every command has.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace wordsway::app {

struct CommonOptions {
  std::string format = "table";
  bool quiet = false;
  int threads = 0;  // 0: all cores
};

/// Adds --format, --quiet and --threads; the thread count is set before the command runs. `options` must
/// live as long as the app.
void add_common_options(CLI::App& command, CommonOptions& options);

/// Two examples at the end of a command's help.
void add_examples(CLI::App& command, const std::string& examples, const std::string& explanation = {});

/// A remark on stderr, unless the user wants quiet.
void say(const CommonOptions& options, const std::string& message);

}  // namespace wordsway::app
