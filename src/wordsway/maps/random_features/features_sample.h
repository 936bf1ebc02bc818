// Random features at one X, and when one of its tokens moves.
#pragma once

#include "wordsway/maps/random_features/random_features.h"

namespace wordsway {

class FeaturesSample final : public Sample {
 public:
  FeaturesSample(const RandomFeatures& map, const Matrix& X);

  const Matrix& X() const override { return X_; }
  const Matrix& features() const override { return features_; }
  std::unique_ptr<TokenView> token(Index i) const override;
  bool concurrent() const override { return map_.deeper_concurrent(); }
  double noise_norm() const override { return noise_norm_; }
  MoveRange move_range() const override { return {kShortestMove * X_.norm(), kLongestMove}; }

  const RandomFeatures& map() const { return map_; }
  const Vector& preactivation() const { return z_; }  // V_1 flat(X)

 private:
  const RandomFeatures& map_;
  Matrix X_;
  Vector z_;
  Matrix features_;
  double noise_norm_ = 0;
};

class FeaturesView final : public TokenView {
 public:
  /// Throws UsageError when i is not a token of the sample.
  FeaturesView(const FeaturesSample& sample, Index i);

  std::unique_ptr<LiftedFunction> change() const override;
  std::unique_ptr<LiftedFunction> inner(const Matrix& psi) const override;
  std::unique_ptr<LiftedFunction> outer(std::vector<Matrix> psis, OuterFunction g) const override;
  std::vector<Vector> starts() const override;
  std::optional<UpperBound> upper_bound(double radius) const override;
  bool concurrent() const override { return block_->concurrent() && sample_.concurrent(); }
  SearchAdvice advice() const override;

  const FeaturesSample& sample() const { return sample_; }
  GaussianMatrix& block() const { return *block_; }

 private:
  const FeaturesSample& sample_;
  Index i_;
  std::shared_ptr<GaussianMatrix> block_;
};

}  // namespace wordsway
