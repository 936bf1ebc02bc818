// The two functions of Δ that random features offer for a token, as h(LΔ) with LΔ = V_{1,i} Δ: [k]. Where several
// tokens move, LΔ is [M·k]: the V_{1,t} Δ_t one after the other, whose sum h begins with.
#pragma once

#include <vector>

#include "wordsway/core/lifted_function.h"
#include "wordsway/maps/random_features/features_sample.h"

namespace wordsway {

class FeaturesFunction : public LiftedFunction {
 public:
  FeaturesFunction(std::shared_ptr<const FeaturesState> sample, MovedBlocks blocks)
      : sample_(std::move(sample)), blocks_(std::move(blocks)) {}

  Index dimension() const override { return blocks() * blocks_.front()->columns(); }
  Index lifted_size() const override { return blocks() * width(); }
  Index blocks() const override { return static_cast<Index>(blocks_.size()); }
  void lift(ConstVectorRef delta, VectorRef lifted) const override;
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override;
  double evaluate(ConstVectorRef lifted, Vector* lifted_gradient) const override;

 protected:
  /// Computes the function of the last layer's pre-activations z and, unless `gradient` is null, its gradient.
  virtual double read_out(const Vector& z, Vector* gradient) const = 0;

  const Activation& activation() const { return sample_->map().activation(); }
  Index width() const { return blocks_.front()->rows(); }

  std::shared_ptr<const FeaturesState> sample_;
  MovedBlocks blocks_;
};

/// A function that is a sum over features.
class FeaturesSum : public FeaturesFunction {
 public:
  using FeaturesFunction::FeaturesFunction;

 protected:
  /// A part of the function, for the features [begin, begin + size): its value there, and its derivatives by them.
  virtual double read(const double* features, Index begin, Index size, double* derivatives) const = 0;

 private:
  double read_out(const Vector& z, Vector* gradient) const final;
};

/// Δ ↦ ‖φ(X^i(Δ)) − φ(X)‖².
class FeaturesChange final : public FeaturesSum {
 public:
  using FeaturesSum::FeaturesSum;

 private:
  double read(const double* features, Index begin, Index size, double* derivatives) const override;
};

/// Δ ↦ ⟨φ(X^i(Δ)), ψ⟩.
class FeaturesInner final : public FeaturesSum {
 public:
  /// Throws DataError unless ψ has the features' shape.
  FeaturesInner(std::shared_ptr<const FeaturesState> sample, MovedBlocks blocks, const Matrix& psi);

 private:
  double read(const double* features, Index begin, Index size, double* derivatives) const override;

  Vector psi_;
};

// Δ ↦ g(⟨φ(X^i(Δ)), ψ_1⟩, …, ⟨φ(X^i(Δ)), ψ_q⟩) of random features: one pass through the layers for all ψ.

class FeaturesOuter final : public FeaturesFunction {
 public:
  /// Throws DataError unless every ψ has the features' shape.
  FeaturesOuter(std::shared_ptr<const FeaturesState> sample, MovedBlocks blocks, std::vector<Matrix> psis,
                OuterFunction g);

 private:
  double read_out(const Vector& z, Vector* gradient) const override;

  std::vector<Matrix> psis_;  // each [k, 1]
  OuterFunction g_;
};

}  // namespace wordsway
