// A text with one word replaced by another, or left out: how far the output of a model moves.
//
//   change = ‖φ(changed) − φ(text)‖ / ‖φ(text)‖
//
// The changed text is tokenised and embedded afresh, so words and replacements may have any number of tokens. Where φ
// has a row for every token, rows of the same token are compared, those of the word in order, and a
// row that the other text does not have is compared with 0. Where φ is logits, less their mean (model/model_map.h),
// changes are told apart by the divergence of the distributions of the next word: it is what the model says.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordsway/audit/model.h"

namespace wordsway {

/// Which way of changing words this is: to be raised when the same settings and seed give other numbers.
inline constexpr int kReplacementMethod = 3;

/// A word of a text, as the tokenizer sees words.
struct Word {
  std::string text;
  std::array<Index, 2> characters{};  // [begin, end) in code points of the text
  std::array<Index, 2> bytes{};       // the same in bytes
  std::vector<Index> tokens;          // that it is made of, in order; at least one
};

/// The words of a text in their order, without spaces around them; tokens that the template adds belong to none.
std::vector<Word> words_of(const std::string& text, const Encoding& encoding);

struct WordEdit {
  size_t word;                              // its index in words()
  std::string replacement;                  // nothing: the word is left out, with the space before it
  std::optional<std::string> article = {};  // takes the place of the word before, one space away: "an" for "a"
};

struct TextChange {
  double change = 0;
  std::optional<double> cosine = {};      // of the two vectors, where a text has one
  std::optional<double> divergence = {};  // of the distributions of the next word, where φ is its logits
  std::optional<int> next = {};           // the likeliest next token then

  /// What changes are ordered by, the largest being the worst: the divergence where there is one, else the change.
  double magnitude() const { return divergence.value_or(change); }
};

/// What a text is changed in, and what is looked at.
struct ChangeOptions {
  std::optional<ModelOutput> output = {};  // nothing: the last layer
  std::string prompt = {};                 // goes before every text (audit/model.h)
};

class ChangedText {
 public:
  /// `encoding` is that of the text with its prompt. Throws DataError when φ(text) is not to be divided by
  /// (check_features). The model must outlive it.
  ChangedText(const Model& model, std::string text, Encoding encoding, const ChangeOptions& options = {});
  /// Encodes it too.
  ChangedText(const Model& model, const std::string& text, const ChangeOptions& options = {});

  const std::vector<Word>& words() const { return words_; }
  const Model& model() const { return model_; }
  const std::string& text() const { return text_; }
  const Encoding& encoding() const { return encoding_; }
  const ModelMap& map() const { return map_; }  // φ
  /// The likeliest next token of the text itself, where φ is logits.
  std::optional<int> next() const;
  std::string with(const WordEdit& edit) const;

  /// One for each edit; nothing where no token is left of the text. `each` is called after every text, from any
  /// thread, one at a time. Throws as embed_texts does.
  std::vector<std::optional<TextChange>> evaluate(std::span<const WordEdit> edits,
                                                  const std::function<void()>& each = {}) const;

  /// For each edit the gradient of change², or of the divergence where φ is logits, by the replacement's row of
  /// hidden_states[0], [d]. Nothing where the replacement is not one token.
  std::vector<std::optional<Vector>> slopes(std::span<const WordEdit> edits) const;

 private:
  struct Reference {
    Matrix features;               // of the shape of the changed text's
    double missing = 0;            // squares of the rows that it does not have
    std::array<Index, 2> place{};  // [begin, end) of the changed word's tokens
  };

  struct Place {
    size_t begin, end;  // the bytes that go
    std::string text;   // and what comes instead
  };

  Place place_of(const WordEdit& edit) const;
  Reference reference_for(const WordEdit& edit, const Encoding& changed) const;
  LabelledText labelled(const WordEdit& edit) const;
  Matrix slope_of(const Matrix& features, const Matrix& reference) const;  // by φ, of what slopes() are of

  const Model& model_;
  std::string text_;
  Encoding encoding_;
  std::string prompt_;
  ModelMap map_;
  std::vector<Word> words_;
  Matrix features_;
  double norm_ = 0;
};

}  // namespace wordsway
