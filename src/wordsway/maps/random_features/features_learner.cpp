#include "wordsway/maps/random_features/features_learner.h"

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/tall_products.h"
#include "wordsway/random/deferred_matrix.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

constexpr Index kFeatures = 1024;  // made at once by a thread
constexpr Index kSamples = 256;    // rows of C multiplied at once: what lies above its diagonal is skipped by blocks

// A search asks a layer thousands of questions; where all its entries fit, answering from them is cheaper.
constexpr double kDenseBytes = 1e9;

bool holds_dense(const LearnerLaw& law) {
  const double k = static_cast<double>(law.width);
  return law.dense_layers && 8 * k * k <= kDenseBytes;
}

std::uint64_t word(Index value) {
  return static_cast<std::uint64_t>(value);
}

// The Gram matrix of the samples without token i, X first, lower triangle.
Matrix gram_without_token(const LearnerSamples& samples) {
  const Index N = samples.training.rows(), d = samples.X.cols(), D = samples.X.size();
  const Eigen::Map<const Vector> x(samples.X.data(), D);
  Matrix of_training = Matrix::Zero(N, N);
  Matrix M = Matrix::Zero(N + 1, N + 1);
  const Index before = samples.token * d, after = D - before - d;
  for (const auto& [begin, length] : {std::pair(Index{0}, before), std::pair(before + d, after)}) {
    if (length == 0) continue;
    add_gram_lower(samples.training.middleCols(begin, length), of_training);
    M(0, 0) += x.segment(begin, length).squaredNorm();
    M.col(0).tail(N) += samples.training.middleCols(begin, length) * x.segment(begin, length);
  }
  M.bottomRightCorner(N, N).triangularView<Eigen::Lower>() = of_training;
  return M;
}

// Rows of H become orthonormal, H_before = C·H_after, C lower triangular. By Cholesky factors of the Gram matrix,
// twice, since once leaves them orthogonal only as far as the condition lets it. False when rows depend on each other.
bool orthonormalise_rows(Matrix& H, Matrix& C) {
  const Blocks chunks{H.cols(), kFeatures};
  for (int round = 0; round < 2; ++round) {
    Matrix gram = Matrix::Zero(H.rows(), H.rows());
    add_gram_lower(H, gram);
    const Eigen::LLT<Matrix> factor(gram);
    const Matrix L = factor.matrixL();
    if (factor.info() != Eigen::Success || L.diagonal().minCoeff() < 1e-6 * L.diagonal().maxCoeff()) return false;
    parallel_for(chunks.count(), [&](Index c) {
      auto part = H.middleCols(chunks.begin(c), chunks.length(c));
      L.triangularView<Eigen::Lower>().solveInPlace(part);
    });
    C = C * L;
  }
  return true;
}

}  // namespace

Stream LearnerStreams::block() const {
  return weights_.derive("token");
}

Stream LearnerStreams::span(Index t) const {
  return weights_.derive("span").derive(word(t));
}

Stream LearnerStreams::layer(Index l) const {
  return weights_.derive("layer").derive(word(l));
}

Stream LearnerStreams::entries(Index l) const {
  return layer(l).derive("entries");
}

Matrix tokens_of(const LearnerSamples& samples) {
  const Index N = samples.training.rows(), d = samples.X.cols();
  Matrix tokens(N + 1, d);
  tokens.row(0) = samples.X.row(samples.token);
  tokens.bottomRows(N) = samples.training.middleCols(samples.token * d, d);
  return tokens;
}

SpanBlocks::SpanBlocks(const LearnerSamples& samples, Vector image, std::shared_ptr<GaussianMatrix> block)
    : TokenBlocks(samples.X.rows(), samples.X.cols(), block->rows(),
                  expected_norm(samples.X.rows(), samples.X.cols(), block->rows(), block->scale())),
      X_(samples.X),
      token_(samples.token),
      image_(std::move(image)),
      block_(std::move(block)) {}

Vector SpanBlocks::image(const Matrix& X) {
  ensure(X == X_, "a learner's map is decided at its own sample only");
  return image_;
}

std::shared_ptr<GaussianMatrix> SpanBlocks::block(Index i) {
  if (i != token_)
    throw UsageError(fmt::format("a learner's map is decided for its own token {} only; got token {}", token_, i));
  return block_;
}

double SpanBlocks::memory_bytes() const {
  return block_->memory_bytes() + 8.0 * static_cast<double>(image_.size());
}

FeaturesLearner::FeaturesLearner(const Stream& weights, const LearnerSamples& samples, const LearnerLaw& law)
    : streams_(weights), activation_(law.activation), k_(law.width), scale_(law.first_scale) {
  tokens_ = tokens_of(samples);
  C_ = semidefinite_factor(gram_without_token(samples));
  block_ = std::make_shared<DenseMatrix>(streams_.block(), k_, samples.X.cols(), scale_);
  Vector image = gaussian_vector(streams_.span(0), k_, scale_) * C_(0, 0);
  Vector of_token(k_);
  block_->apply(tokens_.row(0).transpose(), of_token);
  image += of_token;
  RandomFeatures::Layers deeper;
  if (law.depth > 1) deeper = draw_deeper(law);
  map_ = std::make_unique<RandomFeatures>(std::make_unique<SpanBlocks>(samples, std::move(image), block_),
                                          std::move(deeper), activation_);
  sample_ = map_->at(samples.X);
}

void FeaturesLearner::training_rows(Index first, Index count, MatrixRef out) const {
  check_rows({training_size(), k_, 1}, first, count, out);
  if (features_.size() > 0) {
    out = features_.bottomRows(features_.rows() - 1).middleCols(first, count);
  } else {
    first_layer(1, first, count, out);
  }
}

void FeaturesLearner::first_layer(Index first_sample, Index first, Index count, MatrixRef out) const {
  const Index total = tokens_.rows();
  const Blocks chunks{count, kFeatures}, rows{total - first_sample, kSamples};
  parallel_for(chunks.count(), [&](Index c) {
    const Index begin = first + chunks.begin(c), length = chunks.length(c);
    Matrix g(total, length);
    for (Index t = 0; t < total; ++t)
      fill_gaussian(streams_.span(t), word(begin), {g.row(t).data(), static_cast<size_t>(length)}, scale_);
    for (Index r = 0; r < rows.count(); ++r) {
      const Index s = first_sample + rows.begin(r), size = rows.length(r), known = s + size;
      Matrix z = C_.block(s, 0, size, known) * g.topRows(known);
      z.noalias() += tokens_.middleRows(s, size) * block_->entries().middleRows(begin, length).transpose();
      for (Index row = 0; row < size; ++row)
        activation_.evaluate(z.row(row).data(), length, out.row(rows.begin(r) + row).data() + chunks.begin(c), nullptr);
    }
  });
}

// H: [N + 1, k] goes from the features of one layer to those of the next, and `layer` learns what was asked of it.
void FeaturesLearner::pass_deferred(DeferredMatrix& layer, const Stream& stream, Matrix& H) const {
  const Index total = H.rows();
  Matrix basis = H, C = Matrix::Identity(total, total);
  if (!orthonormalise_rows(basis, C)) {  // features that depend on each other: one question at a time
    Vector z(k_);
    for (Index s = 0; s < total; ++s) {
      layer.apply(H.row(s).transpose(), z);
      activation_.evaluate(z.data(), k_, H.row(s).data(), nullptr);
    }
    return;
  }
  Matrix images(total, k_);
  parallel_for(total, [&](Index t) {
    fill_gaussian(stream.derive(word(t)), 0, {images.row(t).data(), static_cast<size_t>(k_)}, layer.scale());
  });
  const Blocks chunks{k_, kFeatures};
  parallel_for(chunks.count(), [&](Index c) {
    const Matrix z = C.triangularView<Eigen::Lower>() * images.middleCols(chunks.begin(c), chunks.length(c));
    activate_rows(z, chunks.begin(c), H);
  });
  layer.begin_with_basis(basis, images);
}

void FeaturesLearner::pass_dense(const DenseMatrix& layer, Matrix& H) const {
  const Matrix before = H;
  const Blocks chunks{k_, kFeatures};
  parallel_for(chunks.count(), [&](Index c) {
    const Matrix z = before * layer.entries().middleRows(chunks.begin(c), chunks.length(c)).transpose();
    activate_rows(z, chunks.begin(c), H);
  });
}

// Writes σ(z) to the columns of H from `begin` on.
void FeaturesLearner::activate_rows(const Matrix& z, Index begin, Matrix& H) const {
  for (Index s = 0; s < z.rows(); ++s)
    activation_.evaluate(z.row(s).data(), z.cols(), H.row(s).data() + begin, nullptr);
}

RandomFeatures::Layers FeaturesLearner::draw_deeper(const LearnerLaw& law) {
  features_.resize(tokens_.rows(), k_);
  first_layer(0, 0, k_, features_);
  RandomFeatures::Layers deeper;
  for (Index l = 1; l < law.depth; ++l) {
    if (holds_dense(law)) {
      auto layer = std::make_shared<DenseMatrix>(streams_.entries(l), k_, k_, law.deeper_scale);
      pass_dense(*layer, features_);
      deeper.push_back(std::move(layer));
    } else {
      auto layer = std::make_shared<DeferredMatrix>(streams_.layer(l).derive("later"), k_, k_, law.deeper_scale);
      pass_deferred(*layer, streams_.layer(l).derive("images"), features_);
      deeper.push_back(std::move(layer));
    }
  }
  return deeper;
}

double features_learner_memory(Index d, Index training_size, const LearnerLaw& law) {
  const double k = static_cast<double>(law.width), N = static_cast<double>(training_size);
  const double a_layer = holds_dense(law) ? k * k : 2 * (N + 1) * k;
  const double deep = law.depth > 1 ? static_cast<double>(law.depth - 1) * a_layer + (N + 1) * k : 0;
  return 8 * (k * static_cast<double>(d) + 2 * N * N + deep);
}

}  // namespace wordsway
