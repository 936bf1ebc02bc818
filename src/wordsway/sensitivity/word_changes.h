// What real words do in the place of a token, beside the worst move in the ball: the relative change of the features
//
//     ‖φ(X with row i replaced) − φ(X)‖/‖φ(X)‖
//
// by words that are given as rows of X. It is exact, by the map's own fast function of Δ = new row − old row, however
// long Δ is.
#pragma once

#include <span>

#include "wordsway/maps/feature_map.h"

namespace wordsway {

struct WordChanges {
  double typical = 0;  // mean over the words that were drawn
  double worst = 0;    // the largest over all words
  Index words = 0;     // how many that are
};

/// The change by each of the words: words [m, d], result [m]. In parallel where the view allows it, else in their
/// order. `view` is that of the token. Throws DataError when a change is not finite, or as check_features does; Stopped
/// when the thread is asked to stop (core/stop.h).
Vector replacement_changes(const Sample& sample, const TokenView& view, Index token, ConstMatrixRef words);

/// The same in short; `drawn` are numbers of rows. Throws UsageError when there is none.
WordChanges word_changes(const Sample& sample, const TokenView& view, Index token, ConstMatrixRef words,
                         std::span<const Index> drawn);

}  // namespace wordsway
