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
// For the search of the worst word: words evaluated between two gradients, and words at which a gradient is taken.
constexpr Index kRound = 16, kBases = 3;

Matrix rows_of(ConstMatrixRef words, std::span<const Index> chosen) {
  Matrix rows(static_cast<Index>(chosen.size()), words.cols());
  for (Index k = 0; k < rows.rows(); ++k) rows.row(k) = words.row(chosen[static_cast<size_t>(k)]);
  return rows;
}

// The numbers of the `count` largest of some values, the largest first; of equal ones the smaller number.
std::vector<Index> largest(const Vector& values, std::vector<Index> numbers, Index count) {
  count = std::min(count, static_cast<Index>(numbers.size()));
  std::partial_sort(numbers.begin(), numbers.begin() + count, numbers.end(),
                    [&](Index a, Index b) { return std::pair(-values[a], a) < std::pair(-values[b], b); });
  numbers.resize(static_cast<size_t>(count));
  return numbers;
}

}  // namespace

Vector replacement_changes(const MappedSample& sample, const TokenView& view, Index token, ConstMatrixRef words) {
  check_features(sample);
  const auto change = view.change();
  const double norm = sample.feature_norm();
  Vector found(words.rows());
  const Blocks blocks{words.rows(), std::max(kBlock, 16 * sample.moves_at_once())};
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

WordChanges word_changes(const MappedSample& sample, const TokenView& view, Index token, ConstMatrixRef words,
                         std::span<const Index> drawn) {
  if (drawn.empty()) throw UsageError("there is no word to put in the place of a token");
  const Vector found = replacement_changes(sample, view, token, words);
  WordChanges result;
  for (const Index k : drawn) result.typical += found[k] / static_cast<double>(drawn.size());
  result.worst = found.maxCoeff();
  result.words = found.size();
  return result;
}

WordChanges search_word_changes(const MappedSample& sample, const TokenView& view, Index token, ConstMatrixRef words,
                                std::span<const Index> drawn, Index evaluations) {
  if (drawn.empty()) throw UsageError("there is no word to put in the place of a token");
  const auto change = view.change();
  Vector found = Vector::Constant(words.rows(), -1);  // of words that were not tried
  std::vector<Index> tried, others;
  const auto try_words = [&](const std::vector<Index>& numbers) {
    const Vector changes = replacement_changes(sample, view, token, rows_of(words, numbers));
    for (size_t k = 0; k < numbers.size(); ++k) found[numbers[k]] = changes[static_cast<Index>(k)];
    tried.insert(tried.end(), numbers.begin(), numbers.end());
  };
  std::vector<Index> first(drawn.begin(), drawn.end());
  std::sort(first.begin(), first.end());
  first.erase(std::unique(first.begin(), first.end()), first.end());
  try_words(first);
  while (static_cast<Index>(tried.size()) < std::min(evaluations, words.rows())) {
    throw_if_stopped();
    const Matrix bases = rows_of(words, largest(found, tried, kBases)).rowwise() - sample.X().row(token);
    Matrix gradients;
    change->values(bases, &gradients);
    const Vector ranking = words * gradients.colwise().sum().transpose();
    others.clear();
    for (Index k = 0; k < words.rows(); ++k)
      if (found[k] < 0) others.push_back(k);
    try_words(largest(ranking, others, std::min(kRound, evaluations - static_cast<Index>(tried.size()))));
  }
  WordChanges result;
  for (const Index k : drawn) result.typical += found[k] / static_cast<double>(drawn.size());
  result.worst = found.maxCoeff();
  result.words = static_cast<Index>(tried.size());
  return result;
}

double left_out_change(const MappedSample& sample, Index token, const Matrix& without) {
  check_features(sample);
  const Matrix& features = sample.features();
  const double norm = sample.feature_norm();
  if (without.rows() == features.rows()) return (without - features).norm() / norm;
  if (without.rows() + 1 != features.rows())
    throw DataError(fmt::format("features with a word left out have {} rows; expected {}, or one less", without.rows(),
                                features.rows()));
  const Index after = features.rows() - token - 1;
  const double squares = (without.topRows(token) - features.topRows(token)).squaredNorm() +
                         (without.bottomRows(after) - features.bottomRows(after)).squaredNorm() +
                         features.row(token).squaredNorm();
  return std::sqrt(squares) / norm;
}

std::optional<double> left_out_change(const FeatureMap& map, const MappedSample& sample, const TokenView& view,
                                      Index token) {
  const Matrix& X = sample.X();
  if (X.rows() == 1) return std::nullopt;
  const bool by_rows = X.cols() > 1 && sample.features().rows() == X.rows() && sample.features().cols() == X.cols();
  if (!by_rows) return replacement_changes(sample, view, token, Matrix::Zero(1, X.cols()))[0];
  Matrix others(X.rows() - 1, X.cols());
  others << X.topRows(token), X.bottomRows(X.rows() - token - 1);
  return left_out_change(sample, token, map.at(others)->features());
}

}  // namespace wordsway
