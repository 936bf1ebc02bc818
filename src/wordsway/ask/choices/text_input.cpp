#include "wordsway/ask/choices/text_input.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"
#include "wordsway/text/corpus/text_selection.h"

namespace wordsway {
namespace {

CorpusOptions corpus_options(const TextInput& input) {
  return {.column = input.column, .label_column = input.label_column};
}

std::string file_name(const TextInput& input) {
  return input.input == "-" ? "standard input" : input.input;
}

std::vector<LabelledText> read_all(const TextInput& input) {
  if (input.input.empty() == input.texts.empty())
    throw UsageError(input.input.empty() ? "there is no text: give one as an argument, or a file with {input}"
                                         : "texts come as arguments or from {input}, not both");
  if (!input.input.empty()) return read_corpus(input.input, corpus_options(input));
  std::vector<LabelledText> result;
  for (const std::string& text : input.texts) result.push_back({text, std::nullopt, std::to_string(result.size())});
  return result;
}

void require_text(const std::vector<LabelledText>& texts, const TextInput& input) {
  if (texts.empty()) throw_no_text(input);
}

bool can_be_read_once(const std::string& path) {
  using enum std::filesystem::file_type;
  std::error_code ignored;
  const std::filesystem::file_type type = std::filesystem::status(path, ignored).type();
  return path == "-" || type == fifo || type == character || type == socket;
}

bool has_word(const Encoding& encoding) {
  return std::ranges::any_of(encoding.words, [](const auto& word) { return word.has_value(); });
}

}  // namespace

void TextInput::describe(Fields<TextInput>& fields, const Parts& parts) {
  // Each argument is one text, never split at commas or brackets.
  if (parts.arguments)
    fields.texts("texts", &TextInput::texts, parts.argument_help).argument(parts.argument).on_page("text");
  fields
      .path(
          "input", &TextInput::input, FieldKind::kInput,
          "Texts from a file: txt (one text per line), csv, tsv or jsonl (keys text and y), each also as .gz and .xz; "
          "or from an aclImdb folder; or from standard input with - (without it: no file is read)")
      .short_flag("i", true);
  fields.text("column", &TextInput::column, "The column of a csv or tsv file that holds the texts")
      .by_default("text")
      .not_on_page();
  fields.text("label_column", &TextInput::label_column, "The column that holds the labels")
      .by_default("y or label, where there is one")
      .not_on_page();
  if (!parts.selection) return;
  fields
      .whole("select", &TextInput::select, {1, 100'000'000},
             "Choose this many texts of -i as the paper does: short ones, in an order drawn by --seed, as many of each "
             "label (without it: all texts)")
      .not_on_page();
  fields
      .whole("max_tokens", &TextInput::max_tokens, {1, 100'000'000},
             "Texts with fewer tokens than this are short; without --select, all such texts are taken")
      .by_default("240 with --select, else no limit")
      .not_on_page();
}

void throw_no_text(const TextInput& input) {
  throw DataError(file_name(input) + ": there is no text");
}

std::string TextInput::name() const {
  return input.empty() ? fmt::format("{}", fmt::join(texts, " | ")) : input;
}

std::vector<LabelledText> read_texts(const TextInput& input) {
  if (input.selects()) throw UsageError("{select} and {max_tokens} need a model whose tokens they count: give {model}");
  return read_all(input);
}

std::vector<LabelledText> read_texts(const TextInput& input, const Tokenizer& tokenizer, std::uint64_t seed) {
  auto texts = read_all(input);
  require_text(texts, input);
  if (!input.selects()) return texts;
  if (input.input.empty()) throw UsageError("{select} and {max_tokens} choose among the texts of {input}");
  SelectionOptions selection;
  selection.count = input.select;
  selection.max_tokens = input.max_tokens.value_or(selection.max_tokens);
  selection.balanced = std::ranges::any_of(texts, [](const LabelledText& text) { return text.label.has_value(); });
  auto selected = select_texts(texts, tokenizer, Stream(seed).derive("select"), selection);
  if (selected.empty())
    throw DataError(fmt::format("{}: there is no text with fewer than {} tokens{}", file_name(input),
                                selection.max_tokens, selection.balanced ? " of every label" : ""));
  return selected;
}

TextBatches::TextBatches(const TextInput& input, const Tokenizer& tokenizer, std::uint64_t seed, const Check& check,
                         NoText no_text)
    : input_(input), no_text_(no_text) {
  if (input.input.empty() || !input.texts.empty() || input.selects()) {
    kept_ = read_texts(input, tokenizer, seed);
    for (const LabelledText& text : kept_) check(text);
    count_ = static_cast<Index>(kept_.size());
    return;
  }
  if (can_be_read_once(input.input)) return;
  Index count = 0;
  for_each_text(input.input, corpus_options(input), [&](LabelledText&& text) {
    check(text);
    return ++count > 0;
  });
  if (count == 0 && no_text == NoText::kIsRefused) throw_no_text(input);
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
  if (kept_.empty()) {
    for_each_text(input_.input, corpus_options(input_), take);
  } else {
    for (const LabelledText& text : kept_) take(LabelledText(text));
  }
  if (!batch.empty()) visit(batch);
  if (seen == 0 && no_text_ == NoText::kIsRefused) throw_no_text(input_);
}

void EncodingWarnings::add(std::span<const Encoding> encodings) {
  for (const Encoding& encoding : encodings) {
    if (!has_word(encoding) && wordless_++ == 0) first_wordless_ = texts_;
    if (encoding.cut) ++cut_;
    ++texts_;
  }
}

void EncodingWarnings::tell(Context& context, Index most_tokens) const {
  if (wordless_ > 0 && texts_ == 1) {
    context.warn("the text has no word");
  } else if (wordless_ > 0) {
    context.warn(wordless_ == 1 ? fmt::format("text {} (counted from 0) has no word", first_wordless_)
                                : fmt::format("{} of {} texts have no word; the first is text {} (counted from 0)",
                                              wordless_, texts_, first_wordless_));
  }
  if (cut_ > 0)
    context.warn(fmt::format("{} of {} texts were cut to the {} tokens the model takes", cut_, texts_, most_tokens));
}

}  // namespace wordsway
