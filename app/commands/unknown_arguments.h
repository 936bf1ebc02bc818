// What the program says about arguments that it does not know, with what was probably meant.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace wordsway::app {

/// Throws UsageError when the first argument should be a command and is none.
void check_command(const CLI::App& app, const std::string& argument);

/// The sentence for a command line that `app` refused: about the first argument it does not know where there is one,
/// since whatever else is missing may be a consequence; else what the error says.
std::string describe_refusal(const CLI::App& app, const CLI::ParseError& error);

}  // namespace wordsway::app
