#include "wordsway/maps/attention/attention_sample.h"

#include <cmath>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/tall_products.h"
#include "wordsway/maps/attention/attention_bound.h"
#include "wordsway/maps/attention/attention_moves.h"
#include "wordsway/maps/attention/attention_view.h"

namespace wordsway {
namespace {

constexpr Index kBlockRows = 128;  // rows of scores made at once: 16 MB at n = 16,384

// Row j is a_j = Wᵀx_j/√d.
Matrix make_queries(const Matrix& W, const Matrix& X) {
  Matrix queries(X.rows(), X.cols());
  const double scale = 1 / std::sqrt(static_cast<double>(X.cols()));
  const Blocks blocks{X.rows(), kBlockRows};
  parallel_for(blocks.count(), [&](Index b) {
    queries.middleRows(blocks.begin(b), blocks.length(b)).noalias() =
        scale * X.middleRows(blocks.begin(b), blocks.length(b)) * W;
  });
  return queries;
}

Attended attend(const AttentionMap& map, const Matrix& X) {
  const Index n = X.rows(), d = X.cols();
  const Blocks blocks{n, kBlockRows};
  const Vector token_norms = X.rowwise().norm();
  Matrix queries = make_queries(map.W(), X);
  Attended found{Matrix(n, d), Vector(n), Vector(n), queries.rowwise().norm(), {}, {}, {}};
  parallel_for(blocks.count(), [&](Index b) {
    const Index begin = blocks.begin(b), length = blocks.length(b);
    Matrix block(length, n);
    block.noalias() = queries.middleRows(begin, length) * X.transpose();
    Eigen::ArrayXd weights(n);
    for (Index r = 0; r < length; ++r) {
      found.masses[begin + r] = map.normaliser().row(block.row(r).transpose().array(), weights, nullptr);
      block.row(r) = weights.matrix().transpose();
    }
    found.features.middleRows(begin, length).noalias() = block * X;
    found.term_norms.segment(begin, length).noalias() = block * token_norms;
  });
  const bool few_tokens = n <= d;
  found.gram.setZero(few_tokens ? n : d, few_tokens ? n : d);
  add_gram_lower(few_tokens ? queries : Matrix(queries.transpose()), found.gram);
  mirror_lower(found.gram);
  found.mean_query = queries.colwise().mean().transpose();
  if (few_tokens) found.queries = std::move(queries);
  return found;
}

const Matrix& checked(const AttentionMap& map, const Matrix& X) {
  check_sample(X, {std::nullopt, map.W().rows()});
  return X;
}

}  // namespace

AttentionState::AttentionState(AttentionMap map, const Matrix& X)
    : AttentionState(map, X, attend(map, checked(map, X))) {}

AttentionState::AttentionState(AttentionMap map, const Matrix& X, Attended attended)
    : map_(std::move(map)), X_(X), attended_(std::move(attended)) {
  find_starts();
  squared_query_norm_ = squared_norm_bound(std::move(attended_.gram));
  attended_.queries.resize(0, 0);
  attended_.gram.resize(0, 0);
}

std::unique_ptr<TokenView> AttentionSample::token(Index i) const {
  return std::make_unique<AttentionView>(std::make_shared<const AttentionToken>(state_, i));
}

std::unique_ptr<TokenView> AttentionSample::tokens(std::span<const Index> moved) const {
  check_tokens(moved, state_->n());
  if (moved.size() == 1) return token(moved.front());
  return make_attention_moves(state_, {moved.begin(), moved.end()});
}

Vector AttentionState::scores(Index j) const {
  const Vector query = map_.W().transpose() * X_.row(j).transpose() / std::sqrt(static_cast<double>(d()));
  return X_ * query;
}

Vector AttentionState::scores_without(Index j, Index without) const {
  const Vector all = scores(j);
  Vector result(n() - 1);
  result << all.head(without), all.tail(n() - 1 - without);
  return result;
}

// Computes two directions that attract every query to the moved token: the mean of the a_j, and the least-squares
// solution of a_j·Δ = 1 for all j, which exists if n ≤ d (the idea of the proof of the paper's main theorem).
void AttentionState::find_starts() {
  starts_.push_back(attended_.mean_query);
  if (n() > d()) return;
  Matrix regular = attended_.gram;
  regular.diagonal().array() += 1e-10 * regular.trace() / static_cast<double>(n());  // tokens may repeat
  starts_.push_back(attended_.queries.transpose() * regular.llt().solve(Vector::Ones(n())));
}

}  // namespace wordsway
