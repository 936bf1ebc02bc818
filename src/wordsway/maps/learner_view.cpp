#include "wordsway/maps/learner_view.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/maps/map_registry.h"

namespace wordsway {
namespace {

constexpr Index kRowsChecked = 64;  // by a thread at once

class WholeLearnerView final : public LearnerView {
 public:
  WholeLearnerView(std::unique_ptr<FeatureMap> map, const LearnerSamples& samples)
      : map_(std::move(map)), training_(samples.training), n_(samples.X.rows()), sample_(map_->at(samples.X)) {}

  const MappedSample& sample() const override { return *sample_; }

  Index training_size() const override { return training_.rows(); }

  void training_rows(Index first, Index count, MatrixRef out) const override {
    map_->feature_rows(training_, n_, first, count, out);
  }

 private:
  std::unique_ptr<FeatureMap> map_;
  const Matrix& training_;
  Index n_;
  std::unique_ptr<MappedSample> sample_;
};

}  // namespace

KernelParts TrainingFeatures::make_kernel(ConstVectorRef phi) {
  if (phi.size() != features_)
    throw DataError(fmt::format("φ must have the features' size {}; got {}", features_, phi.size()));
  return kernel_of(phi);
}

CombinedPair TrainingFeatures::combine(ConstVectorRef u, ConstVectorRef v) {
  if (u.size() != samples_ || v.size() != samples_)
    throw DataError(
        fmt::format("{} samples are combined with as many weights; got {} and {}", samples_, u.size(), v.size()));
  return combination_of(u, v);
}

void check_learner_samples(const LearnerSamples& samples) {
  const auto& [training, X, token] = samples;
  if (training.rows() == 0) throw DataError("a learner needs at least one training sample; got none");
  if (training.cols() != X.size())
    throw DataError(fmt::format("the training samples have {} numbers each, the new one {} x {} = {}", training.cols(),
                                X.rows(), X.cols(), X.size()));
  if (token < 0 || token >= X.rows())
    throw UsageError(fmt::format("token {} is out of range; the sample has tokens 0 to {}", token, X.rows() - 1));
  const Blocks rows{training.rows(), kRowsChecked};
  parallel_for(rows.count(), [&](Index b) {
    check_entries(samples.training.middleRows(rows.begin(b), rows.length(b)), "a training sample");
  });
}

bool draws_for_learner(const MapEntry& entry, const MapOptions& options) {
  return entry.draw_for && (options.random.empty() || options.random == "deferred");
}

std::unique_ptr<LearnerView> draw_learner_view(const MapEntry& entry, const MapOptions& options, const Stream& weights,
                                               const LearnerSamples& samples) {
  check_learner_samples(samples);
  if (draws_for_learner(entry, options)) return entry.draw_for(options, weights, samples);
  return whole_learner_view(entry.draw(options, weights), samples);
}

std::unique_ptr<LearnerView> whole_learner_view(std::unique_ptr<FeatureMap> map, const LearnerSamples& samples) {
  check_learner_samples(samples);
  if (map == nullptr) throw UsageError("a learner needs a map; got none");
  return std::make_unique<WholeLearnerView>(std::move(map), samples);
}

}  // namespace wordsway
