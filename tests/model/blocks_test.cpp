// Every block: forward against its definition in double, vjp against differences of that definition, changed rows
// against whole forwards.
#include <functional>

#include <gtest/gtest.h>

#include "model/reference.h"
#include "wordsway/core/error.h"
#include "wordsway/model/layers/post_norm_block.h"
#include "wordsway/model/layers/pre_norm_block.h"

namespace wordsway::test {
namespace {

constexpr double kBlockForward = 5e-6, kBlockVjp = 1e-5;

void expect_agreement(const Block& block, const std::function<Matrix(const Matrix&)>& reference, const MatrixF& x,
                      const MatrixF& cotangent) {
  const auto trace = block.make_trace();
  MatrixF y, gradient;
  block.forward(x, {}, *trace, y);
  block.vjp(*trace, {}, cotangent, gradient);
  EXPECT_LT(relative_error(y, reference(x.cast<double>())), kBlockForward);
  EXPECT_LT(relative_error(gradient, vjp_by_differences(reference, x.cast<double>(), cotangent.cast<double>())),
            kBlockVjp);
  EXPECT_LT(relative_error(MatrixF(block.vjp_row(*trace, {}, cotangent, 4)), gradient.row(4).cast<double>()),
            kBlockVjp);
}

class PostNorm : public testing::Test {
 protected:
  static constexpr Index n = 7, d = 12, f = 20;
  const PostNormWeights weights{
      {{AttentionShape::with_own_keys(3, 4)}, random_linear(d, 3 * d, 1), random_linear(d, d, 3)},
      {random_row(d, 5), random_row(d, 6), 1e-12f},
      {random_linear(d, f, 7), random_linear(f, d, 9), HiddenActivation::kGelu},
      {random_row(d, 11), random_row(d, 12), 1e-12f}};
  const PostNormBlock block{weights};
  const MatrixF x = random_matrix(n, d, 21), cotangent = random_matrix(n, d, 22);

  Matrix reference(const Matrix& at) const {
    const Matrix context =
        attention_reference(linear_reference(weights.attention.qkv, at), {weights.attention.heads.shape}, {});
    const Matrix h =
        layer_norm_reference(weights.attention_norm, at + linear_reference(weights.attention.output, context));
    return layer_norm_reference(weights.output_norm, h + feed_forward_reference(weights.feed_forward, h));
  }
};

TEST_F(PostNorm, AgreesWithItsDefinitionAndDifferences) {
  expect_agreement(
      block, [&](const Matrix& at) { return reference(at); }, x, cotangent);
}

TEST_F(PostNorm, AChangedRowGivesWhatAFullForwardGives) {
  MatrixF changed = x, y_base, y, y_full;
  changed.row(4) = random_row(d, 30);
  const auto base = block.make_trace(), trace = block.make_trace(), full = block.make_trace();
  block.forward(x, {}, *base, y_base);
  block.forward_changed_row(changed, 4, *base, {}, *trace, y);
  block.forward(changed, {}, *full, y_full);
  EXPECT_LT(relative_error(y, y_full.cast<double>()), 2e-6);
  EXPECT_GT(relative_error(y, y_base.cast<double>()), 1e-3);

  MatrixF gradient;
  block.vjp(*full, {}, cotangent, gradient);
  const MatrixF row = block.vjp_row(*trace, {}, cotangent, 4);
  EXPECT_LT(relative_error(row, gradient.row(4).cast<double>()), kBlockVjp);
}

TEST(PostNormShapes, HeadsMayShareKeysAndBeWiderThanTheHiddenSize) {
  const Index n = 6, d = 10;
  const AttentionShape shape{4, 2, 3};  // a context of 12 columns
  const PostNormWeights weights{
      {{shape}, random_linear(d, shape.qkv_columns(), 1), random_linear(shape.context_columns(), d, 3)},
      {random_row(d, 5), random_row(d, 6), 1e-12f},
      {random_linear(d, 16, 7), random_linear(16, d, 9), HiddenActivation::kGelu},
      {random_row(d, 11), random_row(d, 12), 1e-12f}};
  const PostNormBlock block(weights);
  const auto reference = [&](const Matrix& at) -> Matrix {
    const Matrix context = attention_reference(linear_reference(weights.attention.qkv, at), {shape}, {});
    const Matrix h =
        layer_norm_reference(weights.attention_norm, at + linear_reference(weights.attention.output, context));
    return layer_norm_reference(weights.output_norm, h + feed_forward_reference(weights.feed_forward, h));
  };
  const MatrixF x = random_matrix(n, d, 21), cotangent = random_matrix(n, d, 22);
  const auto trace = block.make_trace();
  MatrixF y, gradient;
  block.forward(x, {}, *trace, y);
  block.vjp(*trace, {}, cotangent, gradient);
  EXPECT_LT(relative_error(y, reference(x.cast<double>())), 5e-6);
  EXPECT_LT(relative_error(gradient, vjp_by_differences(reference, x.cast<double>(), cotangent.cast<double>())),
            kBlockVjp);
  EXPECT_EQ(block.score_gradients(x, 0).rows(), 4 * n);

  PostNormWeights wrong = weights;
  wrong.attention.heads.shape = {4, 4, 3};
  EXPECT_THROW(PostNormBlock{wrong}, DataError);
}

// A pre-norm block with everything a block may have: window, rotary positions, gate, no biases, norms at both ends.
class PreNorm : public testing::Test {
 protected:
  static constexpr Index n = 9, d = 12, f = 20;
  static Linear without_bias(Linear linear) { return {linear.weight, {}}; }
  static LayerNorm gain_alone(unsigned seed) { return {random_row(d, seed), {}, 1e-5f}; }

  const AttentionShape shape = AttentionShape::with_own_keys(3, 4);
  const PreNormWeights weights{
      gain_alone(5),
      {{shape, 3},
       without_bias(random_linear(d, 3 * d, 1)),
       without_bias(random_linear(d, d, 3)),
       std::make_shared<Rotary>(4, 50, 32)},
      gain_alone(6),
      {without_bias(random_linear(d, 2 * f, 7)), without_bias(random_linear(f, d, 9)), HiddenActivation::kGelu, true},
      gain_alone(11)};
  const PreNormBlock block{weights};
  const MatrixF x = random_matrix(n, d, 21), cotangent = random_matrix(n, d, 22);

  Matrix reference(const Matrix& at) const {
    const Matrix in = layer_norm_reference(*weights.attention_norm, at);
    const Matrix turned = rotary_reference(linear_reference(weights.attention.qkv, in), shape, {}, 50);
    const Matrix h = at + linear_reference(weights.attention.output, attention_reference(turned, {shape, 3}, {}));
    const Matrix inside = layer_norm_reference(weights.feed_forward_norm, h);
    return layer_norm_reference(*weights.final_norm, h + feed_forward_reference(weights.feed_forward, inside));
  }
};

TEST_F(PreNorm, AgreesWithItsDefinitionAndDifferences) {
  expect_agreement(
      block, [&](const Matrix& at) { return reference(at); }, x, cotangent);
}

TEST_F(PreNorm, AChangedRowGivesWhatAFullForwardGives) {
  MatrixF changed = x, y_base, y, y_full, gradient, full_gradient;
  changed.row(4) = random_row(d, 30);
  const auto base = block.make_trace(), trace = block.make_trace(), full = block.make_trace();
  block.forward(x, {}, *base, y_base);
  block.forward_changed_row(changed, 4, *base, {}, *trace, y);
  block.forward(changed, {}, *full, y_full);
  EXPECT_LT(relative_error(y, y_full.cast<double>()), 2e-6);
  EXPECT_GT(relative_error(y, y_base.cast<double>()), 1e-3);
  block.vjp(*trace, {}, cotangent, gradient);
  block.vjp(*full, {}, cotangent, full_gradient);
  EXPECT_LT(relative_error(gradient, full_gradient.cast<double>()), kBlockVjp);
}

TEST_F(PreNorm, ScoreGradientsAreTheSlopesOfTheScores) {
  const Index token = 4, query = 6, other = 5, head = 2, out_of_sight = 0;
  const MatrixF A = block.score_gradients(x, token);
  const RowF direction = random_row(d, 4, 0.01f);
  MatrixF plus = x, minus = x;
  plus.row(token) += direction;
  minus.row(token) -= direction;
  const auto score = [&](const MatrixF& at) {
    const MatrixF P = block.attention(at, {}, head, 1).front();
    return std::log(P(query, token) / P(query, other));
  };
  EXPECT_NEAR((score(plus) - score(minus)) / 2, A.row(head * n + query).dot(direction), 2e-5);
  EXPECT_EQ(A.row(head * n + out_of_sight).norm(), 0);
}

// The block of a decoder with everything it may have: causal, window, shared keys, heads wider than d/H, norms of
// heads.
class DecoderBlock : public testing::Test {
 protected:
  static constexpr Index n = 9, d = 10, f = 14, window = 4;
  static LayerNorm rms(Index size, unsigned seed) { return {random_row(size, seed), {}, 1e-5f, false}; }

  static PreNormWeights make_weights() {
    const AttentionShape shape{4, 2, 6};
    PreNormWeights weights;
    weights.attention_norm = rms(d, 5);
    weights.attention.heads = {shape, window, {}, true};
    weights.attention.qkv = random_linear(d, shape.qkv_columns(), 1);
    weights.attention.output = random_linear(shape.context_columns(), d, 3);
    weights.attention.rotary = std::make_shared<Rotary>(6, 50, 32);
    weights.attention.head_norms = HeadNorms{rms(6, 31), rms(6, 32)};
    weights.feed_forward_norm = rms(d, 6);
    weights.feed_forward = {random_linear(d, 2 * f, 7), random_linear(f, d, 9), HiddenActivation::kSilu, true};
    weights.final_norm = rms(d, 11);
    return weights;
  }

  const PreNormWeights weights = make_weights();
  const AttentionShape shape = weights.attention.heads.shape;
  const PreNormBlock block{weights};
  const MatrixF x = random_matrix(n, d, 21), cotangent = random_matrix(n, d, 22);

  Matrix reference(const Matrix& at) const {
    const Matrix in = layer_norm_reference(*weights.attention_norm, at);
    const Matrix normed =
        head_norms_reference(*weights.attention.head_norms, linear_reference(weights.attention.qkv, in), shape);
    const Matrix context = attention_reference(rotary_reference(normed, shape, {}, 50),
                                               {.shape = shape, .window = window, .causal = true}, {});
    const Matrix h = at + linear_reference(weights.attention.output, context);
    const Matrix inside = layer_norm_reference(weights.feed_forward_norm, h);
    return layer_norm_reference(*weights.final_norm, h + feed_forward_reference(weights.feed_forward, inside));
  }
};

TEST_F(DecoderBlock, AgreesWithItsDefinitionAndDifferences) {
  expect_agreement(
      block, [&](const Matrix& at) { return reference(at); }, x, cotangent);
}

TEST_F(DecoderBlock, ChangedRowsGiveWhatAFullForwardGives) {
  const Index first = 4, rows = n - first;
  MatrixF changed = x, y_base, y, y_row, y_full, gradient, row_gradient, full_gradient;
  changed.row(first) = random_row(d, 30);
  const auto base = block.make_trace(), trace = block.make_trace(), full = block.make_trace();
  block.forward(x, {}, *base, y_base);
  block.forward(changed, {}, *full, y_full);
  block.vjp(*full, {}, cotangent, full_gradient);
  block.forward_from(changed.bottomRows(rows), first, *base, {}, *trace, y);
  block.vjp(*trace, {}, cotangent.bottomRows(rows), gradient);
  EXPECT_LT(relative_error(y, y_full.bottomRows(rows).cast<double>()), 2e-6);
  EXPECT_GT(relative_error(y, y_base.bottomRows(rows).cast<double>()), 1e-3);
  EXPECT_LT(relative_error(gradient, full_gradient.bottomRows(rows).cast<double>()), kBlockVjp);
  EXPECT_LT(relative_error(MatrixF(block.vjp_row(*trace, {}, cotangent.bottomRows(rows), 6 - first)),
                           full_gradient.row(6).cast<double>()),
            kBlockVjp);
  block.forward_changed_row(changed, first, *base, {}, *trace, y_row);  // the same trace, now of all rows
  block.vjp(*trace, {}, cotangent, row_gradient);
  EXPECT_LT(relative_error(y_row, y_full.cast<double>()), 2e-6);
  EXPECT_LT(relative_error(row_gradient, full_gradient.cast<double>()), kBlockVjp);
}

TEST_F(DecoderBlock, ScoreGradientsAreTheSlopesOfTheScores) {
  const Index token = 4, query = 6, other = 5, head = 2;
  const MatrixF A = block.score_gradients(x, token);
  const RowF direction = random_row(d, 4, 0.01f);
  MatrixF plus = x, minus = x;
  plus.row(token) += direction;
  minus.row(token) -= direction;
  const auto score = [&](const MatrixF& at) {
    const MatrixF P = block.attention(at, {}, head, 1).front();
    return std::log(P(query, token) / P(query, other));
  };
  EXPECT_NEAR((score(plus) - score(minus)) / 2, A.row(head * n + query).dot(direction), 2e-5);
  for (Index before = 0; before < token; ++before) EXPECT_EQ(A.row(head * n + before).norm(), 0) << before;
}

TEST_F(DecoderBlock, RefusesNormsOfOtherHeads) {
  PreNormWeights wrong = weights;
  wrong.attention.head_norms = HeadNorms{rms(6, 31), rms(5, 32)};
  EXPECT_THROW(PreNormBlock{wrong}, DataError);
}

}  // namespace
}  // namespace wordsway::test
