// Sentences about arguments that the program does not know, with suggestions.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace wordsway::app {

/// Throws UsageError when the first argument should be a command and is none, or when a later one is the name of an
/// option with one dash instead of two: -map would be read as -m ap.
void check_arguments(const CLI::App& app, const std::vector<std::string>& arguments);

/// The sentence for a command line that `app` refused: about the first unknown argument if there is one, because other
/// complaints may be consequences of it; otherwise the error's own text.
std::string describe_refusal(const CLI::App& app, const CLI::ParseError& error);

}  // namespace wordsway::app
