// The layout of --help: two columns, lines that fit, and each option's default in brackets after its description.
#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace wordsway::app {

/// For CLI::App::formatter, before commands are added: they inherit it.
std::shared_ptr<CLI::FormatterBase> help_format();

}  // namespace wordsway::app
