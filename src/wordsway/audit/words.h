// How sensitive a model is to each word of a text: the worst move of one of its tokens, and the typical change beside
// it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/audit/model.h"
#include "wordsway/core/progress.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {

/// A word of a text, as the tokenizer sees words.
struct Word {
  std::string text;
  std::array<Index, 2> characters{};  // [begin, end) in code points of the text
  std::array<Index, 2> bytes{};       // the same in bytes
  std::vector<Index> tokens;          // that it is made of, in order; at least one
};

/// The words of a text in their order; tokens that the template adds belong to none.
std::vector<Word> words_of(const std::string& text, const Encoding& encoding);

struct WordOptions {
  std::optional<ModelOutput> output = {};  // nothing: the last layer
  /// Words are compared with each other: unless given, one start and a tolerance of 1e-3 rank them at an eighth of the
  /// cost of the usual search.
  SensitivityOptions search = {};
  /// Power iterations instead of an ascent; good for short moves.
  bool fast = false;
  /// Draws of the typical case; 0: none.
  int average = 0;
  std::uint64_t seed = 1;
};

/// Evaluations a token with WordOptions::fast.
inline constexpr int kFastIterations = 6;
/// Up to this radius, in units of √d, the quick ranking agrees with the full one (bench/words).
inline constexpr double kShortMove = 0.1;

struct WordSensitivity {
  Word word;
  double sensitivity = 0;  // the largest of its tokens
  Index token = 0;         // which has it
  /// With WordOptions::average, means over draws: random moves of the same length, and other words of the vocabulary in
  /// place of that token.
  std::optional<double> average_move = {}, average_replacement = {};
};

/// One entry a word, none for a text without words. Throws as measure_token does.
std::vector<WordSensitivity> word_sensitivities(const Model& model, const std::string& text, const Encoding& encoding,
                                                const WordOptions& options, const Progress& progress = {});

}  // namespace wordsway
