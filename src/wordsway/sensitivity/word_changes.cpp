#include "wordsway/sensitivity/word_changes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/stop.h"

namespace wordsway {
namespace {

constexpr Index kBlock = 16;  // words evaluated at once

}  // namespace

Vector replacement_changes(const Sample& sample, const TokenView& view, Index token, ConstMatrixRef words) {
  check_features(sample);
  const auto change = view.change();
  const double norm = sample.feature_norm();
  Vector found(words.rows());
  const Blocks blocks{words.rows(), kBlock};
  const auto evaluate = [&](Index block) {
    throw_if_stopped();
    const Index begin = blocks.begin(block), length = blocks.length(block);
    const Matrix deltas = words.middleRows(begin, length).rowwise() - sample.X().row(token);
    // A sum of squares that was rearranged may come out a rounding below 0; max would take it for a number if not one.
    const Vector squares = change->values(deltas);
    for (Index k = 0; k < length; ++k)
      found[begin + k] = deltas.row(k).isZero(0) ? 0 : std::sqrt(squares[k] < 0 ? 0 : squares[k]) / norm;
  };
  parallel_if(view.concurrent(), blocks.count(), evaluate);
  if (!found.allFinite())
    throw DataError(fmt::format(
        "the change of the features when token {} is another word is not finite or too large for a double", token));
  return found;
}

WordChanges word_changes(const Sample& sample, const TokenView& view, Index token, ConstMatrixRef words,
                         std::span<const Index> drawn) {
  if (drawn.empty()) throw UsageError("there is no word to put in the place of a token");
  const Vector found = replacement_changes(sample, view, token, words);
  WordChanges result;
  for (const Index k : drawn) result.typical += found[k] / static_cast<double>(drawn.size());
  result.worst = found.maxCoeff();
  result.words = found.size();
  return result;
}

}  // namespace wordsway
