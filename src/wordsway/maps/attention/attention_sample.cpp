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

}  // namespace

AttentionState::AttentionState(AttentionMap map, const Matrix& X)
    : map_(std::move(map)), X_(X), features_(X.rows(), X.cols()), masses_(X.rows()), term_norms_(X.rows()) {
  check_sample(X, {std::nullopt, map_.W().rows()});
  const Matrix queries = make_queries();
  query_norms_ = queries.rowwise().norm();
  attend(queries);
  const bool few_tokens = n() <= d();
  Matrix gram = Matrix::Zero(few_tokens ? n() : d(), few_tokens ? n() : d());
  add_gram_lower(few_tokens ? queries : Matrix(queries.transpose()), gram);
  mirror_lower(gram);
  find_starts(queries, gram);
  squared_query_norm_ = squared_norm_bound(std::move(gram));
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

// Row j is a_j = Wᵀx_j/√d.
Matrix AttentionState::make_queries() const {
  Matrix queries(n(), d());
  const double scale = 1 / std::sqrt(static_cast<double>(d()));
  const Blocks blocks{n(), kBlockRows};
  parallel_for(blocks.count(), [&](Index b) {
    queries.middleRows(blocks.begin(b), blocks.length(b)).noalias() =
        scale * X_.middleRows(blocks.begin(b), blocks.length(b)) * map_.W();
  });
  return queries;
}

void AttentionState::attend(const Matrix& queries) {
  const Blocks blocks{n(), kBlockRows};
  const Vector token_norms = X_.rowwise().norm();
  parallel_for(blocks.count(), [&](Index b) {
    const Index begin = blocks.begin(b), length = blocks.length(b);
    Matrix block(length, n());
    block.noalias() = queries.middleRows(begin, length) * X_.transpose();
    Eigen::ArrayXd weights(n());
    for (Index r = 0; r < length; ++r) {
      masses_[begin + r] = map_.normaliser().row(block.row(r).transpose().array(), weights, nullptr);
      block.row(r) = weights.matrix().transpose();
    }
    features_.middleRows(begin, length).noalias() = block * X_;
    term_norms_.segment(begin, length).noalias() = block * token_norms;
  });
}

// Two directions that draw every query to the moved token: the mean of the a_j, and the least-squares solution of
// a_j·Δ = 1 for all j, which exists when n ≤ d (the proof idea of the paper's main theorem).
void AttentionState::find_starts(const Matrix& queries, const Matrix& gram) {
  starts_.push_back(queries.colwise().mean().transpose());
  if (n() > d()) return;
  Matrix regular = gram;
  regular.diagonal().array() += 1e-10 * gram.trace() / static_cast<double>(n());  // tokens may repeat
  starts_.push_back(queries.transpose() * regular.llt().solve(Vector::Ones(n())));
}

}  // namespace wordsway
