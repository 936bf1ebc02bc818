// The two functions of Δ that random features offer for a token, as h(LΔ) with LΔ = V_{1,i} Δ: [k].
#pragma once

#include <vector>

#include "wordsway/core/lifted_function.h"
#include "wordsway/maps/random_features/features_sample.h"

namespace wordsway {

class FeaturesFunction : public LiftedFunction {
 public:
  FeaturesFunction(std::shared_ptr<const FeaturesState> sample, std::shared_ptr<GaussianMatrix> block)
      : sample_(std::move(sample)), block_(std::move(block)) {}

  Index dimension() const override { return block_->columns(); }
  Index lifted_size() const override { return block_->rows(); }
  void lift(ConstVectorRef delta, VectorRef lifted) const override { block_->apply(delta, lifted); }
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override {
    block_->apply_transpose(lifted_gradient, gradient);
  }
  double evaluate(ConstVectorRef lifted, Vector* lifted_gradient) const override;

 protected:
  /// The function of the last layer's pre-activations z, and its gradient by them when asked for.
  virtual double read_out(const Vector& z, Vector* gradient) const = 0;

  const Activation& activation() const { return sample_->map().activation(); }

  std::shared_ptr<const FeaturesState> sample_;
  std::shared_ptr<GaussianMatrix> block_;  // V_{1,i}
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
  FeaturesInner(std::shared_ptr<const FeaturesState> sample, std::shared_ptr<GaussianMatrix> block, const Matrix& psi);

 private:
  double read(const double* features, Index begin, Index size, double* derivatives) const override;

  Vector psi_;
};

// Δ ↦ g(⟨φ(X^i(Δ)), ψ_1⟩, …, ⟨φ(X^i(Δ)), ψ_q⟩) of random features: one pass through the layers for all ψ.

class FeaturesOuter final : public FeaturesFunction {
 public:
  /// Throws DataError unless every ψ has the features' shape.
  FeaturesOuter(std::shared_ptr<const FeaturesState> sample, std::shared_ptr<GaussianMatrix> block,
                std::vector<Matrix> psis, OuterFunction g);

 private:
  double read_out(const Vector& z, Vector* gradient) const override;

  std::vector<Matrix> psis_;  // each [k, 1]
  OuterFunction g_;
};

}  // namespace wordsway
