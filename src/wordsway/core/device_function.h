// Functions of Δ that are evaluated on a device: moves are submitted (core/lockstep.h), and those of all waiting
// searches are evaluated in one batch.
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

/// One move to evaluate, and where the results go.
template <typename Token>
struct MoveRequest {
  Token token;          // the token that moves, as the handler knows it
  const double* delta;  // [d], or [M·d] of M tokens that move together
  double* value;
  double* gradient;  // of the size of delta; null where none is wanted
};

/// A handler that evaluates the moves of a batch by one call of `evaluate(moves)`; moves that want gradients come
/// first.
template <typename Token, typename Evaluate>
BatchHandler handle_moves(Evaluate evaluate) {
  using Moves = std::vector<MoveRequest<Token>>;
  return [evaluate = std::move(evaluate)](std::span<void* const> requests) {
    Moves moves;
    for (void* const one : requests) std::ranges::copy(*static_cast<const Moves*>(one), std::back_inserter(moves));
    std::stable_partition(moves.begin(), moves.end(),
                          [](const MoveRequest<Token>& move) { return move.gradient != nullptr; });
    if (!moves.empty()) evaluate(std::span<const MoveRequest<Token>>(moves));
  };
}

/// The number of moves that want gradients; they come first.
template <typename Token>
Index with_gradients(std::span<const MoveRequest<Token>> moves) {
  return std::ranges::count_if(moves, [](const MoveRequest<Token>& move) { return move.gradient != nullptr; });
}

/// A handler that passes the moves of a batch as matrices: `evaluate(tokens, deltas, values, gradients)` is called once
/// for the moves that want gradients and once for the others, with null for gradients. deltas and gradients: [moves,
/// d], values: [moves]; d counts the numbers of all tokens that move together.
template <typename Token, typename Evaluate>
BatchHandler handle_move_matrices(Index d, Evaluate evaluate) {
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
  return handle_moves<Token>([evaluate_alike](std::span<const MoveRequest<Token>> moves) {
    const auto first = static_cast<size_t>(with_gradients(moves));
    evaluate_alike(moves.first(first));
    evaluate_alike(moves.subspan(first));
  });
}

/// A function of Δ on a device. L is the identity, because an image of Δ computed on the CPU would have to be
/// transferred.
template <typename Token>
class DeviceFunction : public LiftedFunction {
 public:
  /// `owner` owns `handler` and what it needs. Moves have d numbers in `blocks` blocks.
  DeviceFunction(std::shared_ptr<const void> owner, const BatchHandler& handler, Token token, Index d, Index blocks = 1)
      : owner_(std::move(owner)), handler_(handler), token_(token), d_(d), blocks_(blocks) {}

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
    submit(handler_, &moves);
    return found;
  }

  double evaluate(ConstVectorRef delta, Vector* gradient) const override {
    check_coordinates(delta.size());
    double found = 0;
    if (gradient != nullptr) gradient->resize(d_);
    std::vector<MoveRequest<Token>> move = {
        {token_, delta.data(), &found, gradient != nullptr ? gradient->data() : nullptr}};
    submit(handler_, &move);
    return found;
  }

 private:
  std::shared_ptr<const void> owner_;
  const BatchHandler& handler_;
  Token token_;
  Index d_, blocks_;
};

}  // namespace wordsway
