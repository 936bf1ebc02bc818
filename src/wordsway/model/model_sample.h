// A model at one X (model_map.h): the unchanged forward pass, and functions of Δ.
#pragma once

#include <mutex>
#include <vector>

#include "wordsway/core/device_function.h"
#include "wordsway/model/attract.h"
#include "wordsway/model/model_map.h"

namespace wordsway {

/// Reuses traces, so that an evaluation of Δ does not allocate (and the system does not clear) hundreds of megabytes.
/// Thread-safe.
class TracePool {
 public:
  TransformerTrace take();
  void give_back(TransformerTrace trace);

 private:
  std::mutex mutex_;
  std::vector<TransformerTrace> free_;
};

/// The shortest move, as a share of ‖X‖: a shorter one is lost in the rounding of float32.
inline constexpr double kShortestModelMove = 1e-6;

/// h, of which functions h(φ(X^i(Δ))) of Δ are made.
class FeatureObjective {
 public:
  virtual ~FeatureObjective() = default;
  virtual double value(const Matrix& features) const = 0;
  virtual Matrix slope(const Matrix& features) const = 0;
};

/// Shared by the sample, its views and their functions, so that each may outlive the others. Thread-safe.
class ModelState {
 public:
  ModelState(ModelMap map, const Matrix& X);

  const ModelMap& map() const { return map_; }
  const Matrix& X() const { return X_; }
  const Matrix& features() const { return features_; }
  double noise_norm() const { return noise_norm_; }
  const TransformerTrace& base() const { return base_; }
  TracePool& traces() const { return traces_; }

  /// The text on the model's device; null if the model runs on the CPU.
  const DeviceText* device_text() const { return device_text_.get(); }
  /// Evaluates ‖φ − φ(X)‖² on the device.
  const BatchHandler& change_handler() const { return change_handler_; }
  /// The direction in which a token attracts attention. On a device, where evaluations are cheap, all tokens share most
  /// of the work for it.
  Vector attracting(Index token) const;
  /// Evaluates h for moves of tokens on the device; moves that want gradients come first. `is_change` says that h is
  /// ‖φ − φ(X)‖².
  void evaluate_moves(std::span<const MoveRequest<Index>> moves, const FeatureObjective& objective,
                      bool is_change) const;

 private:
  void evaluate(const MovedRows& moved, const FeatureObjective& objective, bool is_change, Vector& values,
                MatrixF* gradients) const;
  void evaluate_sums(const MovedRows& moved, const FeatureObjective& objective, Vector& values,
                     MatrixF* gradients) const;
  void evaluate_states(const MovedRows& moved, const FeatureObjective& objective, Vector& values,
                       MatrixF* gradients) const;

  ModelMap map_;
  Matrix X_;
  TransformerTrace base_;
  Matrix features_;
  double noise_norm_ = 0;
  mutable TracePool traces_;
  std::unique_ptr<DeviceText> device_text_;
  RowF row_weights_;  // of the readout, for this text
  BatchHandler change_handler_;
  mutable std::once_flag attracting_once_;
  mutable std::optional<AttractingDirections> attracting_;
};

class ModelSample final : public MappedSample {
 public:
  explicit ModelSample(std::shared_ptr<const ModelState> state) : state_(std::move(state)) {}

  const Matrix& X() const override { return state_->X(); }
  const Matrix& features() const override { return state_->features(); }
  std::unique_ptr<TokenView> token(Index i) const override;
  double noise_norm() const override { return state_->noise_norm(); }
  Index moves_at_once() const override;
  LockstepGroups search_groups(Index searches) const override;
  MoveRange move_range() const override { return {kShortestModelMove * state_->X().norm(), kLongestModelMove}; }

 private:
  std::shared_ptr<const ModelState> state_;
};

}  // namespace wordsway
