// Random features at one X, and when one of its tokens moves, or several.
#pragma once

#include "wordsway/maps/random_features/random_features.h"

namespace wordsway {

/// Immutable. The sample, its views and their functions hold it together, so each may outlive the others.
class FeaturesState {
 public:
  /// Throws DataError when X does not fit the weights, is not finite or too large.
  FeaturesState(RandomFeatures map, const Matrix& X);
  /// Takes V_1 flat(X) as computed elsewhere for an X that has passed check_sample, and V_l φ_{l−1} of all deeper
  /// layers if these were computed there too.
  FeaturesState(RandomFeatures map, const Matrix& X, Vector preactivation, const std::vector<Vector>& deeper = {});

  const RandomFeatures& map() const { return map_; }
  const Matrix& X() const { return X_; }
  const Vector& preactivation() const { return z_; }  // V_1 flat(X)
  const Matrix& features() const { return features_; }
  double noise_norm() const { return noise_norm_; }

 private:
  RandomFeatures map_;
  Matrix X_;
  Vector z_;
  Matrix features_;
  double noise_norm_ = 0;
};

class FeaturesSample final : public MappedSample {
 public:
  explicit FeaturesSample(std::shared_ptr<const FeaturesState> state) : state_(std::move(state)) {}

  const Matrix& X() const override { return state_->X(); }
  const Matrix& features() const override { return state_->features(); }
  std::unique_ptr<TokenView> token(Index i) const override;
  std::unique_ptr<TokenView> tokens(std::span<const Index> moved) const override;
  bool concurrent() const override { return state_->map().deeper_concurrent(); }
  double noise_norm() const override { return state_->noise_norm(); }
  MoveRange move_range() const override { return {kShortestMove * state_->X().norm(), kLongestMove}; }

 private:
  std::shared_ptr<const FeaturesState> state_;
};

/// V_{1,t} of the tokens that move.
using MovedBlocks = std::vector<std::shared_ptr<GaussianMatrix>>;

class FeaturesView final : public TokenView {
 public:
  /// Throws UsageError as check_tokens does.
  FeaturesView(std::shared_ptr<const FeaturesState> sample, std::vector<Index> tokens);

  std::unique_ptr<LiftedFunction> change() const override;
  std::unique_ptr<LiftedFunction> inner(const Matrix& psi) const override;
  std::unique_ptr<LiftedFunction> outer(std::vector<Matrix> psis, OuterFunction g) const override;
  std::vector<Vector> starts() const override;
  std::optional<UpperBound> upper_bound(double radius) const override;
  bool concurrent() const override;
  SearchAdvice advice() const override;

 private:
  UpperBound first_norm(double failure_probability) const;

  std::shared_ptr<const FeaturesState> sample_;
  std::vector<Index> tokens_;
  MovedBlocks blocks_;
};

}  // namespace wordsway
