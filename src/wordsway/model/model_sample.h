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

/// The sample, its views and their functions hold it together, so each may outlive the others. Thread-safe.
class ModelState {
 public:
  ModelState(ModelMap map, const Matrix& X);

  const ModelMap& map() const { return map_; }
  const Matrix& X() const { return X_; }
  const Matrix& features() const { return features_; }
  double noise_norm() const { return noise_norm_; }
  const TransformerTrace& base() const { return base_; }
  TracePool& traces() const { return traces_; }

 private:
  ModelMap map_;
  Matrix X_;
  TransformerTrace base_;
  Matrix features_;
  double noise_norm_ = 0;
  mutable TracePool traces_;
};

class ModelSample final : public Sample {
 public:
  explicit ModelSample(std::shared_ptr<const ModelState> state) : state_(std::move(state)) {}

  const Matrix& X() const override { return state_->X(); }
  const Matrix& features() const override { return state_->features(); }
  std::unique_ptr<TokenView> token(Index i) const override;
  double noise_norm() const override { return state_->noise_norm(); }
  MoveRange move_range() const override { return {kShortestModelMove * state_->X().norm(), kLongestModelMove}; }

 private:
  std::shared_ptr<const ModelState> state_;
};

}  // namespace wordsway
