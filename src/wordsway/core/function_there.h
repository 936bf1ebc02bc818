// Functions of Δ that are evaluated elsewhere, on a device: moves are handed in (core/lockstep.h), and those of all
// searches that wait are evaluated together.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "wordsway/core/lifted_function.h"
#include "wordsway/core/lockstep.h"

namespace wordsway {

/// One move that a search asks about, and where the results go.
template <typename Token>
struct MoveRequest {
  Token token;          // whose move it is, as the answering side knows it
  const double* delta;  // [d], or [M·d] of M tokens that move together
  double* value;
  double* gradient;  // likewise; null where none is wanted
};

/// Brings requests together. `evaluate(moves)` is called once; moves that want gradients come first.
template <typename Token, typename Evaluate>
AnswerTogether answer_moves(Evaluate evaluate) {
  using Moves = std::vector<MoveRequest<Token>>;
  return [evaluate = std::move(evaluate)](std::span<void* const> requests) {
    Moves moves;
    for (void* const one : requests) std::ranges::copy(*static_cast<const Moves*>(one), std::back_inserter(moves));
    std::stable_partition(moves.begin(), moves.end(),
                          [](const MoveRequest<Token>& move) { return move.gradient != nullptr; });
    if (!moves.empty()) evaluate(std::span<const MoveRequest<Token>>(moves));
  };
}

/// How many of the moves, which come first, want gradients.
template <typename Token>
Index with_gradients(std::span<const MoveRequest<Token>> moves) {
  return std::ranges::count_if(moves, [](const MoveRequest<Token>& move) { return move.gradient != nullptr; });
}

/// The same with moves as matrices: `evaluate(tokens, deltas, values, gradients)`, once for all moves that want
/// gradients and once for the others, where gradients is null. deltas and gradients: [moves, d], values: [moves]; d
/// counts the numbers of all tokens that move together.
template <typename Token, typename Evaluate>
AnswerTogether answer_with(Index d, Evaluate evaluate) {
  const auto evaluate_alike = [d, evaluate = std::move(evaluate)](std::span<const MoveRequest<Token>> moves) {
    if (moves.empty()) return;
    const auto count = static_cast<Index>(moves.size());
    const bool wants_gradients = moves.front().gradient != nullptr;
    std::vector<Token> tokens;
    Matrix deltas(count, d), gradients(wants_gradients ? count : 0, d);
    for (Index k = 0; k < count; ++k) {
      tokens.push_back(moves[static_cast<size_t>(k)].token);
      std::copy_n(moves[static_cast<size_t>(k)].delta, d, deltas.row(k).data());
    }
    Vector values(count);
    evaluate(std::span<const Token>(tokens), deltas, values, wants_gradients ? &gradients : nullptr);
    for (Index k = 0; k < count; ++k) {
      *moves[static_cast<size_t>(k)].value = values[k];
      if (wants_gradients) std::copy_n(gradients.row(k).data(), d, moves[static_cast<size_t>(k)].gradient);
    }
  };
  return answer_moves<Token>([evaluate_alike](std::span<const MoveRequest<Token>> moves) {
    const auto first = static_cast<size_t>(with_gradients(moves));
    evaluate_alike(moves.first(first));
    evaluate_alike(moves.subspan(first));
  });
}

/// L is the identity: an image of Δ on this side would have to travel.
template <typename Token>
class FunctionThere : public LiftedFunction {
 public:
  /// `keeps` owns `answer`, and what it needs. Moves have d numbers, in so many blocks.
  FunctionThere(std::shared_ptr<const void> keeps, const AnswerTogether& answer, Token token, Index d, Index blocks = 1)
      : keeps_(std::move(keeps)), answer_(answer), token_(token), d_(d), blocks_(blocks) {}

  Index dimension() const override { return d_; }
  Index lifted_size() const override { return d_; }
  Index blocks() const override { return blocks_; }
  void lift(ConstVectorRef delta, VectorRef lifted) const override { lifted = delta; }
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override { gradient = lifted_gradient; }

  Vector values(ConstMatrixRef deltas, Matrix* gradients) const override {
    check_coordinates(deltas.cols());
    Vector found(deltas.rows());
    if (gradients != nullptr) gradients->resize(deltas.rows(), d_);
    std::vector<MoveRequest<Token>> moves;
    for (Index k = 0; k < deltas.rows(); ++k)
      moves.push_back(
          {token_, deltas.row(k).data(), &found[k], gradients != nullptr ? gradients->row(k).data() : nullptr});
    hand_in(answer_, &moves);
    return found;
  }

  double evaluate(ConstVectorRef delta, Vector* gradient) const override {
    check_coordinates(delta.size());
    double found = 0;
    if (gradient != nullptr) gradient->resize(d_);
    std::vector<MoveRequest<Token>> move = {
        {token_, delta.data(), &found, gradient != nullptr ? gradient->data() : nullptr}};
    hand_in(answer_, &move);
    return found;
  }

 private:
  std::shared_ptr<const void> keeps_;
  const AnswerTogether& answer_;
  Token token_;
  Index d_, blocks_;
};

}  // namespace wordsway
