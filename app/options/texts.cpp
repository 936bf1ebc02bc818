#include "options/texts.h"

#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/text/corpus/text_selection.h"

namespace wordsway::app {
namespace {

CorpusOptions corpus_options(const TextOptions& options) {
  return {.column = options.column, .label_column = options.label_column};
}

std::vector<LabelledText> read_all(const TextOptions& options) {
  if (options.input.empty() == options.texts.empty())
    throw UsageError(options.input.empty() ? "there is no text: give one as an argument, or a file with -i"
                                           : "texts come as arguments or from -i, not both");
  if (!options.input.empty()) return read_corpus(options.input, corpus_options(options));
  std::vector<LabelledText> result;
  for (const std::string& text : options.texts) result.push_back({text, std::nullopt, std::to_string(result.size())});
  return result;
}

std::string name_of(const TextOptions& options) {
  return options.input == "-" ? "standard input" : options.input;
}

bool selects(const TextOptions& options) {
  return options.select || options.max_tokens;
}

}  // namespace

void add_corpus_options(CLI::App& command, TextOptions& options) {
  command.add_option(
      "-i,--input", options.input,
      "Texts from a file: txt (one text per line), csv, tsv or jsonl (keys text and y), each also as .gz and .xz; "
      "or from an aclImdb folder; or from standard input with - (without it: no file is read)");
  command.add_option("--column", options.column,
                     "The column of a csv or tsv file that holds the texts (default: text)");
  command.add_option("--label-column", options.label_column,
                     "The column that holds the labels (default: y or label, where there is one)");
}

void add_text_options(CLI::App& command, TextOptions& options) {
  // Each argument is one text: never split, whatever commas or brackets it holds.
  command.add_option("TEXT", options.texts, "Texts, each in quotes as one argument (without them: those of -i)")
      ->delimiter('\0');
  add_corpus_options(command, options);
}

void add_selection_options(CLI::App& command, TextOptions& options) {
  command
      .add_option(
          "--select", options.select,
          "Choose this many texts of -i as the paper does: short ones, in an order drawn by --seed, as many of each "
          "label (without it: all texts)")
      ->check(CLI::Range(1, 100'000'000));
  command
      .add_option(
          "--max-tokens", options.max_tokens,
          "Which texts are short: those with fewer tokens than this; without --select, all such texts are taken "
          "(default: 240 with --select, else no limit)")
      ->check(CLI::Range(1, 100'000'000));
}

std::vector<LabelledText> read_texts(const TextOptions& options) {
  if (selects(options)) throw UsageError("--select and --max-tokens need a model whose tokens they count: give -m");
  return read_all(options);
}

std::vector<LabelledText> read_texts(const TextOptions& options, const Tokenizer& tokenizer, std::uint64_t seed) {
  auto texts = read_all(options);
  require_text(texts, options);
  if (!selects(options)) return texts;
  if (options.input.empty()) throw UsageError("--select and --max-tokens choose among the texts of -i");
  SelectionOptions selection;
  selection.count = options.select;
  selection.max_tokens = options.max_tokens.value_or(selection.max_tokens);
  selection.balanced = std::any_of(texts.begin(), texts.end(), [](const LabelledText& text) { return text.label; });
  auto selected = select_texts(texts, tokenizer, Stream(seed).derive("select"), selection);
  if (selected.empty())
    throw DataError(fmt::format("{}: there is no text with fewer than {} tokens{}", name_of(options),
                                selection.max_tokens, selection.balanced ? " of every label" : ""));
  return selected;
}

TextBatches::TextBatches(const TextOptions& options, const Tokenizer& tokenizer, std::uint64_t seed, const Check& check,
                         NoText no_text)
    : options_(options), no_text_(no_text) {
  if (options.input.empty() || !options.texts.empty() || selects(options)) {
    kept_ = read_texts(options, tokenizer, seed);
    for (const LabelledText& text : kept_) check(text);
    count_ = static_cast<Index>(kept_.size());
    return;
  }
  std::error_code ignored;
  const std::filesystem::file_type type = std::filesystem::status(options.input, ignored).type();
  using enum std::filesystem::file_type;
  if (options.input == "-" || type == fifo || type == character || type == socket) return;
  Index count = 0;
  for_each_text(options.input, corpus_options(options), [&](LabelledText&& text) {
    check(text);
    return ++count > 0;
  });
  if (count == 0 && no_text == NoText::kIsRefused) throw DataError(name_of(options) + ": there is no text");
  count_ = count;
}

void TextBatches::for_each(Index most, const std::function<void(const std::vector<LabelledText>&)>& visit) const {
  std::vector<LabelledText> batch;
  Index seen = 0;
  const auto take = [&](LabelledText&& text) {
    batch.push_back(std::move(text));
    ++seen;
    if (static_cast<Index>(batch.size()) == most) {
      visit(batch);
      batch.clear();
    }
    return true;
  };
  if (streams()) {
    for_each_text(options_.input, corpus_options(options_), take);
  } else {
    for (const LabelledText& text : kept_) take(LabelledText(text));
  }
  if (!batch.empty()) visit(batch);
  if (seen == 0 && no_text_ == NoText::kIsRefused) throw DataError(name_of(options_) + ": there is no text");
}

void WordlessTexts::add(std::span<const Encoding> encodings) {
  for (const Encoding& encoding : encodings) {
    const auto& words = encoding.words;
    if (std::none_of(words.begin(), words.end(), [](const auto& word) { return word.has_value(); })) {
      if (count_ == 0) first_ = texts_;
      ++count_;
    }
    ++texts_;
  }
}

void WordlessTexts::tell(const CommonOptions& common) const {
  if (count_ == 0) return;
  if (texts_ == 1) return say(common, "the text has no word");
  say(common, count_ == 1 ? fmt::format("text {} (counted from 0) has no word", first_)
                          : fmt::format("{} of {} texts have no word; the first is text {} (counted from 0)", count_,
                                        texts_, first_));
}

void tell_wordless_texts(std::span<const Encoding> encodings, const CommonOptions& common) {
  WordlessTexts wordless;
  wordless.add(encodings);
  wordless.tell(common);
}

void require_text(const std::vector<LabelledText>& texts, const TextOptions& options) {
  if (texts.empty()) throw DataError(name_of(options) + ": there is no text");
}

}  // namespace wordsway::app
