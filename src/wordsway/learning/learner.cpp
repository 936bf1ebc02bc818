#include "wordsway/learning/learner.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/learning/interpolator.h"

namespace wordsway {
namespace {

// Share of ‖φ‖² below which P⊥φ is rounding error.
constexpr double kNothingLeft = 1e-12;

Matrix shaped(const Vector& flat, const Matrix& like) {
  return Eigen::Map<const Matrix>(flat.data(), like.rows(), like.cols());
}

double dot(const Matrix& a, const Matrix& b) {
  return a.cwiseProduct(b).sum();
}

}  // namespace

Learner train(const LearnerView& view, ConstVectorRef labels, const FeatureRoom& room) {
  if (labels.size() != view.training_size())
    throw DataError(fmt::format("there are {} training samples, but {} labels", view.training_size(), labels.size()));
  Learner learner;
  learner.phi = view.sample().features();
  check_features(view.sample());
  const Eigen::Map<const Vector> phi(learner.phi.data(), learner.phi.size());

  Stopwatch watch;
  const auto features = training_features(view, room);
  learner.kept_features = features->keeps();
  KernelParts parts = features->make_kernel(phi);
  const double first_pass = watch.lap(), making = features->seconds();
  learner.times.kernel = first_pass - making;

  const Interpolator interpolator(std::move(parts.K), features->features());
  learner.condition = interpolator.condition();
  learner.warning = interpolator.warning();
  const Vector alpha = interpolator.solve(labels), beta = interpolator.solve(parts.Phi_phi);
  learner.times.factor = watch.lap();

  const CombinedPair combined = features->combine(alpha, beta);
  learner.theta = shaped(combined.of_u, learner.phi);
  learner.projected = learner.phi - shaped(combined.of_v, learner.phi);
  learner.output = dot(learner.phi, learner.theta);
  if (!learner.theta.allFinite() || !learner.projected.allFinite() || !std::isfinite(learner.output))
    throw DataError("the trained model is not finite: its weights or features are too large for a double");
  learner.times.products = watch.lap() - (features->seconds() - making);
  learner.times.features = features->seconds();
  return learner;
}

std::string to_string(Training training) {
  return training == Training::kFineTune ? "fine-tune" : "retrain";
}

Training parse_training(const std::string& name) {
  if (name == "fine-tune") return Training::kFineTune;
  if (name == "retrain") return Training::kRetrain;
  throw UsageError(unknown_name("training", name, std::vector<std::string>{"fine-tune", "retrain"}));
}

Update learn(const Learner& learner, Training training, double label) {
  const Matrix& along = training == Training::kFineTune ? learner.phi : learner.projected;
  const double squared = along.squaredNorm();
  if (!(squared > kNothingLeft * learner.phi.squaredNorm()))
    throw DataError(
        "the features of the new sample lie in the span of the training features (as a copy of a training sample's "
        "would), so re-training on it is impossible");
  return {along / squared, label - learner.output};
}

}  // namespace wordsway
