// Functions of Δ that are evaluated elsewhere, on a device: moves are handed in (core/lockstep.h), and those of all
// searches that wait are evaluated together.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "wordsway/core/lifted_function.h"
#include "wordsway/core/lockstep.h"

namespace wordsway {

/// Moves that one thread asks for: each row of `deltas` is one.
template <typename Token>
struct MoveRequest {
  Token token;  // whose moves they are, as the answering side knows it
  ConstMatrixRef deltas;
  bool wants_gradients;
  Vector values = {};
  Matrix gradients = {};
};

/// Gathers requests and hands the results out. `evaluate(tokens, deltas, values, gradients)` is called once for all
/// moves that want gradients and once, with null, for the others. values: [moves], gradients: [moves, d].
template <typename Token, typename Evaluate>
AnswerTogether answer_with(Evaluate evaluate) {
  return [evaluate = std::move(evaluate)](std::span<void* const> requests) {
    for (const bool wants_gradients : {true, false}) {
      std::vector<MoveRequest<Token>*> asked;
      std::vector<Token> tokens;
      for (void* const one : requests) {
        auto* const request = static_cast<MoveRequest<Token>*>(one);
        if (request->wants_gradients != wants_gradients) continue;
        asked.push_back(request);
        tokens.insert(tokens.end(), static_cast<size_t>(request->deltas.rows()), request->token);
      }
      if (tokens.empty()) continue;
      Matrix deltas(static_cast<Index>(tokens.size()), asked.front()->deltas.cols()), gradients;
      Index at = 0;
      for (const MoveRequest<Token>* request : asked) {
        deltas.middleRows(at, request->deltas.rows()) = request->deltas;
        at += request->deltas.rows();
      }
      Vector values(deltas.rows());
      if (wants_gradients) gradients.resize(deltas.rows(), deltas.cols());
      evaluate(std::span<const Token>(tokens), deltas, values, wants_gradients ? &gradients : nullptr);
      at = 0;
      for (MoveRequest<Token>* request : asked) {
        const Index count = request->deltas.rows();
        request->values = values.segment(at, count);
        if (wants_gradients) request->gradients = gradients.middleRows(at, count);
        at += count;
      }
    }
  };
}

/// L is the identity: an image of Δ on this side would have to travel.
template <typename Token>
class FunctionThere : public LiftedFunction {
 public:
  /// `keeps` owns `answer`, and what it needs.
  FunctionThere(std::shared_ptr<const void> keeps, const AnswerTogether& answer, Token token, Index d)
      : keeps_(std::move(keeps)), answer_(answer), token_(token), d_(d) {}

  Index dimension() const override { return d_; }
  Index lifted_size() const override { return d_; }
  void lift(ConstVectorRef delta, VectorRef lifted) const override { lifted = delta; }
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override { gradient = lifted_gradient; }

  Vector values(ConstMatrixRef deltas, Matrix* gradients) const override {
    check_coordinates(deltas.cols());
    MoveRequest<Token> request{token_, deltas, gradients != nullptr};
    hand_in(answer_, &request);
    if (gradients != nullptr) *gradients = std::move(request.gradients);
    return std::move(request.values);
  }

  double evaluate(ConstVectorRef delta, Vector* gradient) const override {
    Matrix gradients;
    const Vector found = values(delta.transpose(), gradient != nullptr ? &gradients : nullptr);
    if (gradient != nullptr) *gradient = gradients.row(0).transpose();
    return found[0];
  }

 private:
  std::shared_ptr<const void> keeps_;
  const AnswerTogether& answer_;
  Token token_;
  Index d_;
};

}  // namespace wordsway
