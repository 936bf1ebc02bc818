#include "options/texts.h"

#include <CLI/CLI.hpp>

#include "wordsway/core/error.h"

namespace wordsway::app {

void add_corpus_options(CLI::App& command, TextOptions& options) {
  command.add_option("-i,--input", options.input,
                     "Texts from a file: txt (a line a text), csv, tsv, jsonl (text, y), each also .gz and .xz; an "
                     "aclImdb folder; - for standard input");
  command.add_option("--column", options.column, "The column of a csv or tsv that holds the texts");
  command.add_option("--label-column", options.label_column, "The column that holds the labels");
}

void add_text_options(CLI::App& command, TextOptions& options) {
  // Each argument is one text: never split, whatever commas or brackets it holds.
  command.add_option("TEXT", options.texts, "Texts, each one argument")->delimiter('\0');
  add_corpus_options(command, options);
}

std::vector<LabelledText> read_texts(const TextOptions& options) {
  if (options.input.empty() == options.texts.empty())
    throw UsageError(options.input.empty() ? "there is no text: give one as an argument, or a file with -i"
                                           : "texts come as arguments or from -i, not both");
  if (!options.input.empty())
    return read_corpus(options.input, {.column = options.column, .label_column = options.label_column});
  std::vector<LabelledText> result;
  for (const std::string& text : options.texts) result.push_back({text, std::nullopt, std::to_string(result.size())});
  return result;
}

}  // namespace wordsway::app
