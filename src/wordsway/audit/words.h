// Which words of a text matter to a model: the effect of replacing each by words alike, by a synonym, by its opposite,
// of leaving it out and, on request, of the worst move of its embedding in a ball.
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

/// Whether and how to search for the worst move in the ball.
enum class BallSearch { kNone, kPower, kFull };

struct WordOptions {
  ChangeOptions change = {};
  /// The words that `typical` is the mean of. The worst one is the worst of them; for kAll, whose typical words are
  /// plausible ones, it is searched for in the whole vocabulary.
  CandidateSource source = CandidateSource::kAlike;
  std::vector<std::string> given = {};  // the candidates of kGiven
  Index replacements = 64;              // of kPlausible and kAll, and as many more for the worst word; 0: no words
  BallSearch ball = BallSearch::kNone;
  SensitivityOptions search = {};  // of the ball
  std::uint64_t seed = 1;
};

/// Starts of the full search in the ball for every token: enough to find what the best of 32 complete ascents finds
/// (bench/words).
inline constexpr int kBallStarts = 128;

/// Up to this radius, in units of √d, power iterations rank words as the full search does (bench/words).
inline constexpr double kShortMove = 0.1;

/// The user's choice of a search in the ball. By default only the built-in model is searched, and briefly.
struct BallChoice {
  bool full = false, fast = false;  // not both
  bool builtin = false;             // whether the model is the built-in one
};

/// Sets `ball`, and the starts and the tolerance of its search unless they are set. Throws UsageError if both searches
/// are requested.
void choose_ball(WordOptions& options, const BallChoice& choice);

/// Empty fields were not requested or have no value: an emoji has no words that fit in its place.
struct WordEffect {
  Word word;
  std::optional<TextChange> typical = {};                      // mean over the candidates
  std::optional<std::string> worst_word = {};                  // of the candidates, as far as they were searched
  std::optional<TextChange> worst = {};                        // the change by it
  std::optional<std::string> synonym = {}, antonym = {};       // the commonest ones
  std::optional<TextChange> by_synonym = {}, by_antonym = {};  // the changes by them
  std::optional<TextChange> dropped = {};                      // the change when the word is left out
  std::optional<double> sensitivity = {};  // the worst move in the ball, of its most sensitive token
  Index token = 0;                         // that token; otherwise the first
};

/// Called with a word whenever more is known about it; one call at a time.
using SeeWord = std::function<void(const WordEffect&)>;

/// One entry for each word, none for a text without words. Throws as embed_texts and measure_token do. With `see`,
/// words are evaluated one by one if that gives the same numbers: the first results come soon, and all of them take
/// somewhat longer.
std::vector<WordEffect> word_effects(const CandidateWords& candidates, const ChangedText& text,
                                     const WordOptions& options, const Progress& progress = {},
                                     const SeeWord& see = {});

/// The effects for one text. `head` ranks plausible words if the model itself cannot (audit/candidates.h).
std::vector<WordEffect> word_effects(const Model& model, const std::string& text, const WordOptions& options = {},
                                     const Model* head = nullptr);

}  // namespace wordsway
