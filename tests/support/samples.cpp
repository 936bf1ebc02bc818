#include "support/samples.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "wordsway/random/gaussian.h"

namespace wordsway::test {
namespace {

Vector difference_gradient(const std::function<double(const Vector&)>& f, const Vector& at, double step) {
  Vector gradient(at.size());
  for (Index c = 0; c < at.size(); ++c) {
    Vector up = at, down = at;
    up[c] += step;
    down[c] -= step;
    gradient[c] = (f(up) - f(down)) / (2 * step);
  }
  return gradient;
}

// Every block of d coordinates back into its ball.
void pull_into_balls(Vector& delta, Index d, double radius) {
  for (Index first = 0; first < delta.size(); first += d) {
    const double norm = delta.segment(first, d).norm();
    if (norm > radius) delta.segment(first, d) *= radius / norm;
  }
}

double climb(const std::function<double(const Vector&)>& f, Vector at, Index d, double radius) {
  double value = f(at), step = 0.5;
  for (int round = 0; round < 400 && step > 1e-7; ++round) {
    const Vector gradient = difference_gradient(f, at, 1e-6 * radius);
    if (!(gradient.norm() > 0)) break;
    bool risen = false;
    for (; step > 1e-7 && !risen; step *= risen ? 2 : 0.5) {
      Vector next = at + step * radius * gradient / gradient.norm();
      pull_into_balls(next, d, radius);
      const double there = f(next);
      if (there > value) {
        at = next;
        value = there;
        risen = true;
      }
    }
  }
  return value;
}

}  // namespace

Matrix moved(const Matrix& X, Index i, const Vector& delta) {
  Matrix result = X;
  result.row(i) += delta.transpose();
  return result;
}

Matrix moved(const Matrix& X, std::span<const Index> tokens, const Vector& delta) {
  Matrix result = X;
  for (size_t t = 0; t < tokens.size(); ++t)
    result.row(tokens[t]) += delta.segment(static_cast<Index>(t) * X.cols(), X.cols()).transpose();
  return result;
}

std::unique_ptr<FeatureMap> draw_map(const std::string& name, Index n, Index d, std::uint64_t seed, double beta) {
  MapOptions options;
  options.n = n;
  options.d = d;
  options.set("beta", beta);
  options.set("depth", 2);
  options.random = "dense";
  return map_registry().get(name).draw(options, Stream(seed));
}

double change_reference(const FeatureMap& map, const Matrix& X, Index i, const Vector& delta) {
  return (map.features_reference(moved(X, i, delta)) - map.features_reference(X)).squaredNorm();
}

double inner_reference(const FeatureMap& map, const Matrix& X, Index i, const Vector& delta, const Matrix& psi) {
  return map.features_reference(moved(X, i, delta)).cwiseProduct(psi).sum();
}

double best_change_by_differences(const FeatureMap& map, const Matrix& X, Index i, double radius, int starts,
                                  std::uint64_t seed) {
  return best_change_by_differences(map, X, std::array{i}, radius, starts, seed);
}

double best_change_by_differences(const FeatureMap& map, const Matrix& X, std::span<const Index> tokens, double radius,
                                  int starts, std::uint64_t seed) {
  const Matrix features = map.features_reference(X);
  const Index d = X.cols(), M = static_cast<Index>(tokens.size());
  const auto change = [&](const Vector& delta) {
    return (map.features_reference(moved(X, tokens, delta)) - features).squaredNorm();
  };
  double best = 0;
  for (int s = 0; s < starts; ++s) {
    Vector start = gaussian_vector(Stream(seed).derive(static_cast<std::uint64_t>(s)), M * d);
    for (Index t = 0; t < M; ++t) start.segment(t * d, d) *= radius / start.segment(t * d, d).norm();
    best = std::max(best, climb(change, start, d, radius));
  }
  return std::sqrt(best);
}

}  // namespace wordsway::test
