// The fields of a request as options of a command.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "wordsway/ask/fields.h"

namespace CLI {
class App;
}

namespace wordsway::app {

/// The written texts of each field by name; a flag that was given has no texts.
using WrittenFields = std::map<std::string, std::vector<std::string>>;

/// Adds an option, a flag or an argument for every field that a shell has. `written` must live as long as the app;
/// `defaults` is a request in its initial state, which supplies the defaults to show.
void add_field_options(CLI::App& command, const FieldTable& table, const void* defaults, WrittenFields& written);

/// The name of a field in a shell's sentences: --radius-unit, -m.
std::string shell_name(const FieldInfo& field);

/// The sentence with the fields in it named as in a shell.
std::string in_shell(std::string_view sentence, const FieldTable& table);

/// Calls `work`; an error that names fields is thrown again with their names in a shell.
void with_shell_names(const FieldTable& table, const std::function<void()>& work);

}  // namespace wordsway::app
