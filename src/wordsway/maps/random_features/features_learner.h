// Random features at N training samples and near one more sample, X, whose token i moves.
//
// V_1 only matters on the d coordinates of token i and on the span of the N + 1 samples without that token. With
// M = C Cᵀ the Gram matrix of the samples without it (number 0 is X), the rows of V_1 being independent,
//
//     V_1 flat(X_s) = V_i x_{s,i} + Σ_{t ≤ s} C_st g_t,      V_i: [k, d] and g_t: [k] Gaussian
//
// is exact in distribution, and the g_t are used and dropped: k(d + N + 1) numbers drawn instead of k·n·d, of which
// k·d are kept. V_l for l ≥ 2 are held dense where they are small, else they are deferred matrices that begin with the
// images of the samples' features. The numbers of sample s do not depend on how many samples come after it.
//
// samples: [N, n·d], features: [N, k].
#pragma once

#include <memory>

#include "wordsway/maps/learner_view.h"
#include "wordsway/maps/random_features/random_features.h"
#include "wordsway/random/deferred_matrix.h"
#include "wordsway/random/gaussian_matrix.h"

namespace wordsway {

/// The features, and the law of their weights.
struct LearnerLaw {
  Index width;          // k
  Index depth;          // L
  double first_scale;   // standard deviation of the entries of V_1
  double deeper_scale;  // and of V_2 … V_L
  bool dense_layers;    // V_2 … V_L may be held dense if they are small; otherwise all are deferred
  const Activation& activation;
};

/// The streams of the weights' numbers, derived by name from `weights`.
class LearnerStreams {
 public:
  explicit LearnerStreams(const Stream& weights) : weights_(weights) {}

  Stream block() const;         // V_i
  Stream span(Index t) const;   // g_t
  Stream layer(Index l) const;  // V_{l+1}
  /// The entries of V_{l+1} if it is dense.
  Stream entries(Index l) const;

 private:
  Stream weights_;
};

/// Token i of every sample, X first: [N + 1, d].
Matrix tokens_of(const LearnerSamples& samples);

/// V_1 as far as it is decided: the image of X, and the token's own block.
class SpanBlocks final : public TokenBlocks {
 public:
  SpanBlocks(const LearnerSamples& samples, Vector image, std::shared_ptr<GaussianMatrix> block);

  Vector image(const Matrix& X) override;
  std::shared_ptr<GaussianMatrix> block(Index i) override;
  double memory_bytes() const override;

 private:
  Matrix X_;  // a copy: functions of the sample may outlive the caller's X
  Index token_;
  Vector image_;
  std::shared_ptr<GaussianMatrix> block_;
};

class FeaturesLearner final : public LearnerView {
 public:
  FeaturesLearner(const Stream& weights, const LearnerSamples& samples, const LearnerLaw& law);

  const MappedSample& sample() const override { return *sample_; }
  Index training_size() const override { return tokens_.rows() - 1; }
  void training_rows(Index first, Index count, MatrixRef out) const override;

 private:
  /// σ(V_1 flat(X_s)) for the samples [first_sample, N], features [first, first + count).
  void first_layer(Index first_sample, Index first, Index count, MatrixRef out) const;
  void pass_deferred(DeferredMatrix& layer, const Stream& stream, Matrix& H) const;
  void pass_dense(const DenseMatrix& layer, Matrix& H) const;
  void activate_rows(const Matrix& z, Index begin, Matrix& H) const;
  /// Draws V_2 … V_L and leaves the last layer's features of all samples in features_.
  RandomFeatures::Layers draw_deeper(const LearnerLaw& law);

  LearnerStreams streams_;
  const Activation& activation_;
  Index k_;
  double scale_;
  Matrix tokens_;                       // [N + 1, d] token i of each sample, X first
  Matrix C_;                            // [N + 1, N + 1] lower triangle
  std::shared_ptr<DenseMatrix> block_;  // V_i
  Matrix features_;                     // [N + 1, k] of a deep map; empty for L = 1
  std::unique_ptr<RandomFeatures> map_;
  std::unique_ptr<MappedSample> sample_;
};

/// Bytes a FeaturesLearner holds.
double features_learner_memory(Index d, Index training_size, const LearnerLaw& law);

}  // namespace wordsway
