// Names and lists on the command line.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace wordsway::app {

/// One of these names; another one is answered with what was probably meant. `kind` is what the sentence calls it, as in
/// "format". The names are the validator's description, {table,json}, from which shells complete them
/// (reference/reference.h).
CLI::Validator one_of(const std::string& kind, const std::vector<std::string>& names);

/// Names that shells complete and that are checked later, or that are only some of what is taken.
CLI::Validator such_as(const std::vector<std::string>& names);

/// "a,b" as names. Throws UsageError naming `flag` when an entry is empty.
std::vector<std::string> parse_names(const std::string& text, const std::string& flag);

}  // namespace wordsway::app
