// How --help looks: two columns, lines that fit, the default of every option in brackets behind its description.
#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace wordsway::app {

/// For CLI::App::formatter, before commands are added: they inherit it.
std::shared_ptr<CLI::FormatterBase> help_format();

}  // namespace wordsway::app
