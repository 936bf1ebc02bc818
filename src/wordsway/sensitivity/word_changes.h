// The effect of real words in the place of a token, beside the worst move in the ball: the relative change of the
// features
//
//     ‖φ(X with row i replaced) − φ(X)‖/‖φ(X)‖
//
// for words given as rows of X. It is exact, by the map's own fast function of Δ = new row − old row, for any length of
// Δ. Beside it stands the change if the word is left out.
#pragma once

#include <optional>
#include <span>

#include "wordsway/maps/feature_map.h"

namespace wordsway {

/// The version of the numbers about words in rows. Raise it if the same words give others.
inline constexpr int kWordChangesMethod = 2;

struct WordChanges {
  double typical = 0;                   // mean over the words that were drawn
  double worst = 0;                     // the largest over all words, or over those that were tried
  Index words = 0;                      // how many that are
  std::optional<double> left_out = {};  // the change if the word is left out, on request
};

/// The change for each of the words: words [m, d], result [m]. Runs in parallel if the view allows it, otherwise in
/// order. `view` is that of the token. Throws DataError if a change is not finite, or as check_features does; Stopped
/// if the thread is asked to stop (core/stop.h).
Vector replacement_changes(const MappedSample& sample, const TokenView& view, Index token, ConstMatrixRef words);

/// Summarises the changes for all words; `drawn` are numbers of rows. Throws UsageError if there is none.
WordChanges word_changes(const MappedSample& sample, const TokenView& view, Index token, ConstMatrixRef words,
                         std::span<const Index> drawn);

/// As word_changes, for changes that each cost a forward pass of a model: looks for the worst among `evaluations` of
/// the words, or as many as were drawn. After the drawn words come those that a linear function ranks highest, the
/// gradient of change² at the worst word found so far, a few at a time.
WordChanges search_word_changes(const MappedSample& sample, const TokenView& view, Index token, ConstMatrixRef words,
                                std::span<const Index> drawn, Index evaluations);

/// The change when the word is left out, from φ without it. Where φ has a row for each token, rows of the same token
/// are compared, and that of the word with 0. Throws DataError when `without` has neither as many rows as φ(X) nor one
/// less.
double left_out_change(const MappedSample& sample, Index token, const Matrix& without);

/// The change of a map's features if the token is left out. If φ(X) has the shape of X, as in attention, this is φ of
/// the other rows. Otherwise weights belong to places, as in random features, and the place becomes a zero row. (With d
/// = 1 all shapes are alike, and the place becomes a zero row.) Returns nothing for a sample of one token.
std::optional<double> left_out_change(const FeatureMap& map, const MappedSample& sample, const TokenView& view,
                                      Index token);

}  // namespace wordsway
