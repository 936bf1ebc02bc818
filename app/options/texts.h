// Options that say which texts a command works on: positional arguments, or -i.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "options/common.h"
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

/// How many texts there are, and hands them out in batches.
class TextBatches {
 public:
  using Check = std::function<void(const LabelledText&)>;
  enum class NoText { kIsRefused, kIsFine };  // the second for commands that describe none as an empty list

  /// The texts are those of the second read_texts. Those of a file that is not a selection are read twice instead of
  /// kept: first they are counted and checked, so that a fault at the end of a file is found before work begins.
  TextBatches(const TextOptions& options, const Tokenizer& tokenizer, std::uint64_t seed, const Check& check,
              NoText no_text = NoText::kIsRefused);

  /// Nothing for standard input and pipes, which can be read but once.
  std::optional<Index> count() const { return count_; }
  /// Calls visit(texts) with at most `most` texts at a time, in order.
  void for_each(Index most, const std::function<void(const std::vector<LabelledText>&)>& visit) const;

 private:
  bool streams() const { return kept_.empty(); }

  TextOptions options_;
  NoText no_text_;
  std::vector<LabelledText> kept_;
  std::optional<Index> count_;
};

/// Texts without a word, such as an empty one: results about words are then empty, and those about tokens are about the
/// model's special tokens alone. That is no error, but people should be told.
class WordlessTexts {
 public:
  /// The next texts.
  void add(std::span<const Encoding> encodings);
  /// Says on stderr how many of all texts have no word, and which is the first; nothing when all have one.
  void tell(const CommonOptions& common) const;

 private:
  size_t texts_ = 0, count_ = 0, first_ = 0;
};

/// The same for texts that are all there.
void tell_wordless_texts(std::span<const Encoding> encodings, const CommonOptions& common);

/// Throws DataError, naming where the texts were looked for, when there is none.
void require_text(const std::vector<LabelledText>& texts, const TextOptions& options);

}  // namespace wordsway::app
