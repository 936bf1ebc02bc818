// Which words of a text matter to a model: what happens when each is replaced by words that fit, by the worst real
// word, when it is left out; and, where asked for, the worst move of its embedding in a ball.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/audit/candidates.h"
#include "wordsway/audit/changed_text.h"
#include "wordsway/core/progress.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {

/// Whether and how the worst move in the ball is looked for.
enum class BallSearch { kNone, kPower, kFull };

struct WordOptions {
  ChangeOptions change = {};
  Index replacements = 64;  // that `typical` is the mean of, and as many more for the worst word
  BallSearch ball = BallSearch::kNone;
  SensitivityOptions search = {};  // of the ball
  int average = 0;                 // draws of the average move and replacement of a token; 0: none
  std::uint64_t seed = 1;
};

/// Starts of the full search in the ball for every token: as many as find what the best of 32 complete ascents finds
/// (bench/words).
inline constexpr int kBallStarts = 128;

/// Up to this radius, in units of √d, power iterations rank words as the full search does (bench/words).
inline constexpr double kShortMove = 0.1;

/// What a user says about the worst move in the ball. Nothing: it is searched in the built-in model alone, shortly.
struct BallChoice {
  bool full = false, fast = false;  // not both
  bool builtin = false;             // whether it is the built-in model that is asked
};

/// Sets `ball`, and the starts and the tolerance of its search where they are not set. Throws UsageError when both ways
/// are asked for.
void choose_ball(WordOptions& options, const BallChoice& choice);

/// What is not there was not asked for, or has no answer: an emoji has no words that fit in its place.
struct WordEffect {
  Word word;
  std::optional<TextChange> typical = {};      // mean over replacements that fit the place
  std::optional<std::string> worst_word = {};  // of the vocabulary's whole words, as far as it was searched
  std::optional<TextChange> worst = {};        // the change by it
  std::optional<TextChange> dropped = {};      // the change when the word is left out
  std::optional<double> sensitivity = {};      // the worst move in the ball, of its most sensitive token
  Index token = 0;                             // which that is; else its first
  /// With WordOptions::average, means over draws: random moves of the length of the ball's radius, and any tokens of
  /// the vocabulary in place of that one.
  std::optional<double> average_move = {}, average_replacement = {};
};

/// Called with a word whenever more is known about it; one call at a time.
using SeeWord = std::function<void(const WordEffect&)>;

/// One entry for each word, none for a text without words. Throws as embed_texts and measure_token do. With `see`,
/// words are looked at one by one where that gives the same numbers: what is known of the first comes soon, in somewhat
/// more time for all.
std::vector<WordEffect> word_effects(const CandidateWords& candidates, const ChangedText& text,
                                     const WordOptions& options, const Progress& progress = {},
                                     const SeeWord& see = {});

/// The same for one text. `head` says which words are plausible where the model itself cannot (audit/candidates.h).
std::vector<WordEffect> word_effects(const Model& model, const std::string& text, const WordOptions& options = {},
                                     const Model* head = nullptr);

}  // namespace wordsway
