// A feature map as one learner sees it: φ at N training samples, and near one more sample X when its token i moves.
//
// A learner asks nothing else of a map, so a random map need not decide its weights anywhere else: random features at
// n = 120, d = 768 would hold 68 GB of weights, of which N = 1300 samples and a token look at 2%. A map says how it
// does that in MapEntry::draw_for; any other is drawn whole.
//
// samples: [N, n·d], features: [N, rows·columns], a sample a row, flattened row by row.
#pragma once

#include <memory>

#include "wordsway/maps/feature_map.h"
#include "wordsway/random/stream.h"

namespace wordsway {

struct MapEntry;
struct MapOptions;

/// The samples of a learner. `training` must outlive the view, because it is too large to copy; X need not.
struct LearnerSamples {
  const Matrix& training;  // [N, n·d]
  const Matrix& X;         // [n, d] the new sample
  Index token;             // of X, the one that moves
};

/// K = ΦΦᵀ: [N, N] and Φφ: [N].
struct KernelParts {
  Matrix K;
  Vector Phi_phi;
};

/// Φᵀu and Φᵀv, each [p].
struct CombinedPair {
  Vector of_u, of_v;
};

/// Φ: [N, p], the features of all training samples, as training goes through them: wherever they are held, kept or made
/// again. One thread at a time.
class TrainingFeatures {
 public:
  TrainingFeatures(Index samples, Index features) : samples_(samples), features_(features) {}
  virtual ~TrainingFeatures() = default;

  Index samples() const { return samples_; }    // N
  Index features() const { return features_; }  // p

  /// Makes one pass. Throws DataError if φ and the features differ in size.
  KernelParts make_kernel(ConstVectorRef phi);
  /// Makes one pass. Throws DataError unless u and v are [N].
  CombinedPair combine(ConstVectorRef u, ConstVectorRef v);

  /// Whether the features are kept from one pass to the next.
  virtual bool keeps() const = 0;
  /// Wall time spent making features so far.
  virtual double seconds() const = 0;

 private:
  virtual KernelParts kernel_of(ConstVectorRef phi) = 0;
  virtual CombinedPair combination_of(ConstVectorRef u, ConstVectorRef v) = 0;

  Index samples_, features_;
};

/// Immutable after construction; may be used from several threads at once.
class LearnerView {
 public:
  virtual ~LearnerView() = default;

  /// φ(X), alive as long as this view; token views and functions of it stay good without either. Its views are those of
  /// the learner's token; asking for another token may throw UsageError.
  virtual const MappedSample& sample() const = 0;

  /// N.
  virtual Index training_size() const = 0;

  /// Rows [first, first + count) of φ of every training sample: out [N, count·columns]. Parallel inside.
  /// Throws UsageError when there are no such rows, DataError when `out` has another shape.
  virtual void training_rows(Index first, Index count, MatrixRef out) const = 0;

  /// The features, if they are held on a device; they must not outlive this view. By default there are none, and the
  /// learner holds what training_rows computes (learning/feature_store.h).
  virtual std::unique_ptr<TrainingFeatures> device_features() const { return nullptr; }
};

/// Throws DataError when samples do not fit each other or have entries that are too large, UsageError on a token that
/// X has not.
void check_learner_samples(const LearnerSamples& samples);

/// Whether a map with these options draws its weights where a learner needs them, by MapEntry::draw_for.
bool draws_for_learner(const MapEntry& entry, const MapOptions& options);

/// Draws the weights from `weights`: through the map's draw_for if it has one and the choice of storage is free,
/// otherwise whole. Throws DataError if the samples' shapes differ.
std::unique_ptr<LearnerView> draw_learner_view(const MapEntry& entry, const MapOptions& options, const Stream& weights,
                                               const LearnerSamples& samples);

/// The view through a map whose weights are all there. Throws UsageError without a map.
std::unique_ptr<LearnerView> whole_learner_view(std::unique_ptr<FeatureMap> map, const LearnerSamples& samples);

}  // namespace wordsway
