// Options of commands in which a model writes text: how long, how it chooses tokens, what ends it.
#pragma once

#include <string>

#include "wordsway/audit/generate.h"

namespace CLI {
class App;
}

namespace wordsway::app {

/// Adds --max-new-tokens, --temperature, --top-p, --seed, --stop and --template to a command. `options` must live as
/// long as the app.
void add_generation_options(CLI::App& command, GenerateOptions& options);

}  // namespace wordsway::app
