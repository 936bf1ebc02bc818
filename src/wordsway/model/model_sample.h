// A model at one X (model_map.h): the unchanged forward, and functions of Δ on top of it.
#pragma once

#include <mutex>
#include <vector>

#include "wordsway/core/function_there.h"
#include "wordsway/model/attract.h"
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

/// h of φ, of which functions of Δ are made.
class FeatureObjective {
 public:
  virtual ~FeatureObjective() = default;
  virtual double value(const Matrix& features) const = 0;
  virtual Matrix slope(const Matrix& features) const = 0;
};

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

  /// The text on the model's other engine; null where it is computed here.
  const DeviceText* device_text() const { return device_text_.get(); }
  /// Answers requests about ‖φ − φ(X)‖² there.
  const AnswerTogether& answer_changes() const { return answer_changes_; }
  /// The direction in which a token attracts attention: on another engine, where evaluations are cheap, by work that
  /// all tokens share.
  Vector attracting(Index token) const;
  /// h of moves of tokens there, all of them with gradients or none; is_change: h is ‖φ − φ(X)‖².
  void evaluate_moves(std::span<const MoveRequest<Index>> moves, const FeatureObjective& objective,
                      bool is_change) const;

 private:
  void evaluate(const MovedRows& moved, const FeatureObjective& objective, bool is_change, Vector& values,
                MatrixF* gradients) const;
  void evaluate_logits(const MovedRows& moved, const FeatureObjective& objective, Vector& values,
                       MatrixF* gradients) const;
  Matrix features_of_readout(const MatrixF& row) const;
  MatrixF readout_vjp(const MatrixF& row, const Matrix& cotangent) const;

  ModelMap map_;
  Matrix X_;
  TransformerTrace base_;
  Matrix features_;
  double noise_norm_ = 0;
  mutable TracePool traces_;
  std::unique_ptr<DeviceText> device_text_;
  RowF readout_;         // the output as a weighted sum of rows; empty where it is none
  SentenceChain after_;  // of a pooled output: what follows the sum, for a text of one row
  AnswerTogether answer_changes_;
  mutable std::once_flag attracting_once_;
  mutable std::optional<AttractingDirections> attracting_;
};

class ModelSample final : public Sample {
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
