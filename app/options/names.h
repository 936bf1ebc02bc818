// Names and lists on the command line.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace wordsway::app {

/// Accepts one of these names and answers others with a suggestion. `kind` is the word for it in the sentence, as in
/// "format". The validator's description lists the names, {table,json}, and shells complete them from there
/// (reference/reference.h).
CLI::Validator one_of(const std::string& kind, const std::vector<std::string>& names);

/// Names that shells complete and that are checked later, or that are only some of what is taken.
CLI::Validator such_as(const std::vector<std::string>& names);

/// "a,b" as names. Throws UsageError naming `flag` when an entry is empty.
std::vector<std::string> parse_names(const std::string& text, const std::string& flag);

}  // namespace wordsway::app
