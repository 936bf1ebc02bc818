// A learning problem small enough for dense references, for any map.
#pragma once

#include <memory>
#include <string>

#include <Eigen/QR>

#include "wordsway/data/data_source.h"
#include "wordsway/learning/learner.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/random/gaussian.h"

namespace wordsway::test {

struct SmallProblem {
  static constexpr Index kN = 7, kTokens = 5, kD = 6, kToken = 2;
  static constexpr double kLabel = -1;

  explicit SmallProblem(const std::string& name, std::uint64_t seed = 1) {
    options.n = kTokens;
    options.d = kD;
    const Stream stream(seed);
    for (Index s = 0; s < kN; ++s) {
      const Matrix sample = sphere_sample(stream.derive(static_cast<std::uint64_t>(s)), kTokens, kD);
      training.row(s) = Eigen::Map<const Vector>(sample.data(), sample.size());
      labels[s] = s % 3 == 0 ? 1 : -1;
    }
    X = sphere_sample(stream.derive("new"), kTokens, kD);
    const MapEntry& entry = map_registry().get(name);
    options.random = "dense";
    if (entry.describe(options).text("random") != "dense") options.random.clear();
    map = entry.draw(options, stream.derive("weights"));
    view = whole_learner_view(entry.draw(options, stream.derive("weights")), samples());
  }

  LearnerSamples samples() const { return {training, X, kToken}; }

  Matrix training_sample(Index s) const { return Eigen::Map<const Matrix>(training.row(s).data(), kTokens, kD); }

  // φ written down from its definition, flattened.
  Vector reference(const Matrix& at) const {
    const Matrix features = map->features_reference(at);
    return Eigen::Map<const Vector>(features.data(), features.size());
  }
  Vector reference_moved(const Vector& delta) const {
    Matrix moved = X;
    moved.row(kToken) += delta.transpose();
    return reference(moved);
  }

  // Φ [N, p]; with the new sample as a last row when asked for.
  Matrix reference_features(bool with_new = false) const {
    Matrix Phi(kN + (with_new ? 1 : 0), reference(X).size());
    for (Index s = 0; s < kN; ++s) Phi.row(s) = reference(training_sample(s));
    if (with_new) Phi.row(kN) = reference(X);
    return Phi;
  }

  MapOptions options;
  Matrix training{kN, kTokens* kD};
  Vector labels{kN};
  Matrix X;
  std::unique_ptr<FeatureMap> map;
  std::unique_ptr<LearnerView> view;
};

/// The min-norm solution of Φθ = y through a dense pseudo-inverse.
inline Vector min_norm_reference(const Matrix& Phi, const Vector& y) {
  return Phi.completeOrthogonalDecomposition().solve(y);
}

inline Vector flat(const Matrix& M) {
  return Eigen::Map<const Vector>(M.data(), M.size());
}

}  // namespace wordsway::test
