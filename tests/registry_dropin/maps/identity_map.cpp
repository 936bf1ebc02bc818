// dropped-in: φ(X) = X, the smallest map there is. change(Δ) = ‖Δ‖², so S = ρ/‖X‖, which is 1/√n for rows of norm √d.
//
// X: [n, d]. No weights.
#include "wordsway/core/error.h"
#include "wordsway/maps/map_registry.h"

namespace wordsway {
namespace {

// Both functions of the token are cheap, so there is nothing to lift: L is the identity.
class UnliftedFunction : public LiftedFunction {
 public:
  explicit UnliftedFunction(Index d) : d_(d) {}

  Index dimension() const override { return d_; }
  Index lifted_size() const override { return d_; }
  void lift(ConstVectorRef delta, VectorRef lifted) const override { lifted = delta; }
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override { gradient = lifted_gradient; }

 private:
  Index d_;
};

class Change final : public UnliftedFunction {
 public:
  using UnliftedFunction::UnliftedFunction;

  double evaluate(ConstVectorRef delta, Vector* gradient) const override {
    if (gradient != nullptr) *gradient = 2 * delta;
    return delta.squaredNorm();
  }
};

class Inner final : public UnliftedFunction {
 public:
  Inner(Vector direction, double constant)
      : UnliftedFunction(direction.size()), direction_(std::move(direction)), constant_(constant) {}

  double evaluate(ConstVectorRef delta, Vector* gradient) const override {
    if (gradient != nullptr) *gradient = direction_;
    return constant_ + direction_.dot(delta);
  }

 private:
  Vector direction_;
  double constant_;
};

class IdentityToken final : public TokenView {
 public:
  IdentityToken(Matrix X, Index i) : X_(std::move(X)), i_(i) {}

  std::unique_ptr<LiftedFunction> change() const override { return std::make_unique<Change>(X_.cols()); }

  std::unique_ptr<LiftedFunction> inner(const Matrix& psi) const override {
    if (psi.rows() != X_.rows() || psi.cols() != X_.cols()) throw DataError("psi must have the shape of the features");
    return std::make_unique<Inner>(psi.row(i_).transpose(), X_.cwiseProduct(psi).sum());
  }

  std::optional<UpperBound> upper_bound(double radius) const override { return UpperBound{radius, 0}; }

 private:
  Matrix X_;  // a copy, because a view may outlive its sample
  Index i_;
};

class IdentitySample final : public MappedSample {
 public:
  explicit IdentitySample(Matrix X) : X_(std::move(X)) {}

  const Matrix& X() const override { return X_; }
  const Matrix& features() const override { return X_; }
  std::unique_ptr<TokenView> token(Index i) const override { return std::make_unique<IdentityToken>(X_, i); }

 private:
  Matrix X_;
};

class IdentityMap final : public FeatureMap {
 public:
  std::unique_ptr<MappedSample> at(const Matrix& X) const override {
    if (!X.allFinite()) throw DataError("the tokens must be finite numbers");
    return std::make_unique<IdentitySample>(X);
  }
  Matrix features_reference(const Matrix& X) const override { return X; }
  Matrix weights() const override { return {}; }
};

}  // namespace

void register_identity_map(MapRegistry& registry) {
  MapEntry entry{MethodNumber(1)};
  entry.summary = "the tokens themselves";
  entry.description = "formula  φ(X) = X";
  entry.memory_bytes = [](const MapOptions& options) {
    return static_cast<double>(options.n * options.d) * sizeof(double);
  };
  entry.draw = [](const MapOptions&, const Stream&) { return std::make_unique<IdentityMap>(); };
  entry.with_weights = [](const MapOptions&, const Matrix&) { return std::make_unique<IdentityMap>(); };
  registry.add("dropped-in", std::move(entry));
}

}  // namespace wordsway
