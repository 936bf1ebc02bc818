// Options that say which texts a command works on: positional arguments, or -i.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/text/corpus/corpus.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace CLI {
class App;
}

namespace wordsway::app {

struct TextOptions {
  std::vector<std::string> texts;
  std::string input, column, label_column;
  std::optional<Index> select, max_tokens;  // the paper's choice of texts, where asked for
};

/// Adds TEXT…, -i/--input, --column and --label-column.
void add_text_options(CLI::App& command, TextOptions& options);

/// Adds -i/--input, --column and --label-column alone.
void add_corpus_options(CLI::App& command, TextOptions& options);

/// Adds --select and --max-tokens, for commands that read with the second read_texts.
void add_selection_options(CLI::App& command, TextOptions& options);

/// The texts given, or those of -i. Throws UsageError when there are both or none, or a selection is asked for.
std::vector<LabelledText> read_texts(const TextOptions& options);

/// The same; where --select or --max-tokens was given, the paper's choice of them (text/corpus/text_selection.h): fewer
/// tokens than --max-tokens (240), drawn by the seed, as many of each label as of the others where there are labels.
/// For commands that can do nothing without a text: throws DataError when there is none.
std::vector<LabelledText> read_texts(const TextOptions& options, const Tokenizer& tokenizer, std::uint64_t seed);

/// Throws DataError, naming where the texts were looked for, when there is none.
void require_text(const std::vector<LabelledText>& texts, const TextOptions& options);

}  // namespace wordsway::app
