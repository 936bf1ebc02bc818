// A model at one X (model_map.h): the unchanged forward, and functions of Δ on top of it.
#pragma once

#include <mutex>
#include <vector>

#include "wordsway/model/model_map.h"

namespace wordsway {

/// Traces that are used again, so that an evaluation of Δ does not allocate (and the system does not clear) hundreds of
/// megabytes. Thread-safe.
class TracePool {
 public:
  TransformerTrace take();
  void give_back(TransformerTrace trace);

 private:
  std::mutex mutex_;
  std::vector<TransformerTrace> free_;
};

/// The shortest move, as a share of ‖X‖: below it float32 hardly notices that X changed.
inline constexpr double kShortestModelMove = 1e-6;

class ModelSample : public Sample {
 public:
  ModelSample(const ModelMap& map, const Matrix& X);

  const Matrix& X() const override { return X_; }
  const Matrix& features() const override { return features_; }
  std::unique_ptr<TokenView> token(Index i) const override;
  double noise_norm() const override { return noise_norm_; }
  MoveRange move_range() const override { return {kShortestModelMove * X_.norm(), kLongestModelMove}; }

  const ModelMap& map() const { return map_; }
  const TransformerTrace& base() const { return base_; }
  TracePool& traces() const { return traces_; }

 private:
  const ModelMap& map_;
  Matrix X_;
  TransformerTrace base_;
  Matrix features_;
  double noise_norm_ = 0;
  mutable TracePool traces_;
};

}  // namespace wordsway
