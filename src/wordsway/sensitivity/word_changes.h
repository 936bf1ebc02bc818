// What real words do in the place of a token, beside the worst move in the ball: the relative change of the features
//
//     ‖φ(X with row i replaced) − φ(X)‖/‖φ(X)‖
//
// by words that are given as rows of X. It is exact, by the map's own fast function of Δ = new row − old row, however
// long Δ is. Beside it stands the change when the word is left out.
#pragma once

#include <optional>
#include <span>

#include "wordsway/maps/feature_map.h"

namespace wordsway {

/// Which numbers rows have of words in the place of a token: to be raised when the same words give others.
inline constexpr int kWordChangesMethod = 2;

struct WordChanges {
  double typical = 0;                   // mean over the words that were drawn
  double worst = 0;                     // the largest over all words, or over those that were tried
  Index words = 0;                      // how many that are
  std::optional<double> left_out = {};  // the change when the word is left out, where it was asked for
};

/// The change by each of the words: words [m, d], result [m]. In parallel where the view allows it, else in their
/// order. `view` is that of the token. Throws DataError when a change is not finite, or as check_features does; Stopped
/// when the thread is asked to stop (core/stop.h).
Vector replacement_changes(const Sample& sample, const TokenView& view, Index token, ConstMatrixRef words);

/// The same in short; `drawn` are numbers of rows. Throws UsageError when there is none.
WordChanges word_changes(const Sample& sample, const TokenView& view, Index token, ConstMatrixRef words,
                         std::span<const Index> drawn);

/// The same where a change costs as much as a forward of a model: the worst is looked for among `evaluations` of the
/// words, or as many as were drawn. After the drawn ones come those that a linear function ranks highest, the gradient
/// of change² at the worst found so far, a few at a time.
WordChanges search_word_changes(const Sample& sample, const TokenView& view, Index token, ConstMatrixRef words,
                                std::span<const Index> drawn, Index evaluations);

/// The change when the word is left out, from φ without it. Where φ has a row for each token, rows of the same token
/// are compared, and that of the word with 0. Throws DataError when `without` has neither as many rows as φ(X) nor one
/// less.
double left_out_change(const Sample& sample, Index token, const Matrix& without);

/// The same for a map. Where φ(X) has the shape of X, as of attention, it is φ of the other rows alone; elsewhere
/// weights belong to places, as of random features, and the place is empty: a row of 0. (With d = 1 all shapes are
/// alike, and the place is emptied.) Nothing of a sample of one token.
std::optional<double> left_out_change(const FeatureMap& map, const Sample& sample, const TokenView& view, Index token);

}  // namespace wordsway
