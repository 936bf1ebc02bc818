// The texts of a request, given one by one or read from a file.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordsway/ask/context.h"
#include "wordsway/ask/fields.h"
#include "wordsway/text/corpus/corpus.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

struct TextInput {
  std::vector<std::string> texts;
  std::string input, column, label_column;
  std::optional<Index> select, max_tokens;  // the paper's choice of texts

  /// The fields that a request has.
  struct Parts {
    bool arguments = true;  // texts
    bool selection = true;  // select, max_tokens
    std::string argument_help = "Texts, each in quotes as one argument (without them: those of -i)";
    std::string argument = "TEXT";
  };
  static void describe(Fields<TextInput>& fields, const Parts& parts);

  bool has_any() const { return !texts.empty() || !input.empty(); }
  bool selects() const { return select || max_tokens; }
  /// The name of the texts in results: the file, or the texts themselves.
  std::string name() const;
};

/// Reads the texts from the arguments or the file. Throws UsageError if there are both or neither, or with a selection.
std::vector<LabelledText> read_texts(const TextInput& input);

/// Reads the texts and applies the paper's selection, if asked for (text/corpus/text_selection.h): texts of fewer than
/// max_tokens (240) tokens, drawn by the seed, equally many of each label. Throws DataError if there is no text.
std::vector<LabelledText> read_texts(const TextInput& input, const Tokenizer& tokenizer, std::uint64_t seed);

/// Counts texts and hands them out in batches.
class TextBatches {
 public:
  using Check = std::function<void(const LabelledText&)>;
  enum class NoText { kIsRefused, kIsFine };

  /// Reads the same texts as the second read_texts. A file without a selection is not kept but read twice: first to
  /// count and check its texts, so that a fault at its end is found before work begins.
  TextBatches(const TextInput& input, const Tokenizer& tokenizer, std::uint64_t seed, const Check& check,
              NoText no_text = NoText::kIsRefused);

  /// The number of texts; unknown for standard input and pipes, which can be read only once.
  std::optional<Index> count() const { return count_; }
  /// Calls visit(texts) with at most `most` texts at a time, in order.
  void for_each(Index most, const std::function<void(const std::vector<LabelledText>&)>& visit) const;

 private:
  TextInput input_;
  NoText no_text_;
  std::vector<LabelledText> kept_;
  std::optional<Index> count_;
};

/// Throws DataError: the file or stream of `input` holds no text.
[[noreturn]] void throw_no_text(const TextInput& input);

/// Collects texts that were cut or have no word, batch by batch, to warn about them at the end.
class EncodingWarnings {
 public:
  void add(std::span<const Encoding> encodings);
  /// `most_tokens` is the length that texts were cut to.
  void tell(Context& context, Index most_tokens) const;

 private:
  size_t texts_ = 0, wordless_ = 0, first_wordless_ = 0, cut_ = 0;
};

}  // namespace wordsway
