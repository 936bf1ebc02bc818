// Options that say which texts a command works on: positional arguments, or -i.
#pragma once

#include <string>
#include <vector>

#include "wordsway/text/corpus.h"

namespace CLI {
class App;
}

namespace wordsway::app {

struct TextOptions {
  std::vector<std::string> texts;
  std::string input, column, label_column;
};

/// Adds TEXT…, -i/--input, --column and --label-column.
void add_text_options(CLI::App& command, TextOptions& options);

/// Adds -i/--input, --column and --label-column alone.
void add_corpus_options(CLI::App& command, TextOptions& options);

/// The texts given, or those of -i. Throws UsageError when there are both or none.
std::vector<LabelledText> read_texts(const TextOptions& options);

}  // namespace wordsway::app
