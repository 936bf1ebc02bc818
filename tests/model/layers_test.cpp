// Every layer: forward against its definition in double, vjp against differences of that definition.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "model/reference.h"
#include "wordsway/core/error.h"
#include "wordsway/maps/random_features/activation.h"
#include "wordsway/model/layers/post_norm_block.h"

namespace wordsway::test {
namespace {

constexpr double kForward = 2e-6, kVjp = 1e-5;

class Activations : public testing::TestWithParam<const char*> {};

TEST_P(Activations, AgreeWithTheirDefinitionAndItsSlope) {
  const HiddenActivation kind = activation_named(GetParam());
  MatrixF x(1, 4001), slope(1, 4001);
  for (Index j = 0; j < x.size(); ++j) x(0, j) = static_cast<float>(j - 2000) * 0.005f + 0.0007f;
  MatrixF y = x;
  activate(kind, y, slope);
  for (Index j = 0; j < x.size(); ++j) {
    const double v = x(0, j), h = 1e-4;
    ASSERT_NEAR(y(0, j), activation_reference(kind, v), 4e-7 * (1 + std::fabs(v))) << "at " << v;
    const double difference = (activation_reference(kind, v + h) - activation_reference(kind, v - h)) / (2 * h);
    ASSERT_NEAR(slope(0, j), difference, 2e-6) << "at " << v;
  }
}

INSTANTIATE_TEST_SUITE_P(Names, Activations,
                         testing::Values("gelu", "gelu_new", "gelu_pytorch_tanh", "relu", "silu", "swish"),
                         [](const auto& test) { return std::string(test.param); });

// Random features have activations of their own; a program may use both.
TEST(HiddenActivation, LivesBesideTheActivationsOfRandomFeatures) {
  EXPECT_EQ(activation_named("relu"), HiddenActivation::kRelu);
  EXPECT_EQ(find_activation("relu").value(-1), 0);
}

TEST(HiddenActivation, UnknownNamesAreRefused) {
  EXPECT_THROW(activation_named("quick_gelu"), UsageError);
}

TEST(LayerNormLayer, AgreesWithItsDefinitionAndDifferences) {
  const LayerNorm norm{random_row(24, 1), random_row(24, 2), 1e-5f};
  const MatrixF x = random_matrix(5, 24, 3, 2), cotangent = random_matrix(5, 24, 4);
  LayerNormTrace trace;
  MatrixF y(5, 24), gradient(5, 24);
  norm.forward(x, trace, y);
  norm.vjp(trace, cotangent, gradient);
  const auto reference = [&](const Matrix& at) { return layer_norm_reference(norm, at); };
  EXPECT_LT(relative_error(y, reference(x.cast<double>())), kForward);
  EXPECT_LT(relative_error(gradient, vjp_by_differences(reference, x.cast<double>(), cotangent.cast<double>())), kVjp);
}

TEST(LayerNormLayer, MayWorkInPlace) {
  const LayerNorm norm{random_row(24, 1), random_row(24, 2), 1e-5f};
  MatrixF x = random_matrix(5, 24, 3, 2);
  const MatrixF expected = norm.forward(x);
  LayerNormTrace trace;
  norm.forward(x, trace, x);
  EXPECT_EQ(x, expected);
}

TEST(LinearLayer, AgreesWithItsDefinitionAndDifferences) {
  const Linear linear = random_linear(17, 29, 1);
  const MatrixF x = random_matrix(6, 17, 3), cotangent = random_matrix(6, 29, 4);
  MatrixF gradient(6, 17);
  linear.vjp(cotangent, gradient);
  const auto reference = [&](const Matrix& at) { return linear_reference(linear, at); };
  EXPECT_LT(relative_error(linear.forward(x), reference(x.cast<double>())), kForward);
  EXPECT_LT(relative_error(gradient, vjp_by_differences(reference, x.cast<double>(), cotangent.cast<double>())), kVjp);
}

void expect_attention_is_right(Index n, const AttentionShape& shape, const AttentionMask& mask, double vjp_tolerance) {
  const MatrixF qkv = random_matrix(n, shape.qkv_columns(), 1),
                cotangent = random_matrix(n, shape.context_columns(), 2);
  MatrixF context(n, shape.context_columns()), gradient(n, shape.qkv_columns());
  attention_forward(qkv, shape, mask, context);
  attention_vjp(qkv, shape, mask, cotangent, gradient);
  for (Index head = 0; head < shape.heads; ++head)
    EXPECT_LT(relative_error(attention_probabilities(qkv, shape, mask, head),
                             probabilities_reference(qkv.cast<double>(), shape, mask, head)),
              kForward);
  const auto reference = [&](const Matrix& at) { return attention_reference(at, shape, mask); };
  EXPECT_LT(relative_error(context, reference(qkv.cast<double>())), kForward);
  const Matrix expected = vjp_by_differences(reference, qkv.cast<double>(), cotangent.cast<double>());
  EXPECT_LT(relative_error(gradient, expected), vjp_tolerance);
}

TEST(AttentionLayer, AgreesWithItsDefinitionAndDifferences) {
  expect_attention_is_right(9, AttentionShape::with_own_keys(3, 4), {}, kVjp);
}

TEST(AttentionLayer, AgreesWithOneHeadAndOneToken) {
  expect_attention_is_right(1, AttentionShape::with_own_keys(1, 4), {}, kVjp);
}

TEST(AttentionLayer, AgreesAcrossBlocksOfRows) {
  const Index n = 300, d = 4;  // three blocks of rows
  const AttentionShape shape = AttentionShape::with_own_keys(2, 2);
  const MatrixF qkv = random_matrix(n, 3 * d, 1), cotangent = random_matrix(n, d, 2);
  MatrixF context(n, d), gradient(n, 3 * d);
  attention_forward(qkv, shape, {}, context);
  attention_vjp(qkv, shape, {}, cotangent, gradient);
  const Matrix at = qkv.cast<double>();
  EXPECT_LT(relative_error(context, attention_reference(at, shape, {})), kForward);
  for (const Index row : {0, 127, 128, 299}) {  // differences along one entry of each of these rows
    for (const Index column : {1, 6, 11}) {
      Matrix plus = at, minus = at;
      plus(row, column) += 1e-5;
      minus(row, column) -= 1e-5;
      const Matrix change = attention_reference(plus, shape, {}) - attention_reference(minus, shape, {});
      const double expected = (change.array() * cotangent.cast<double>().array()).sum() / 2e-5;
      EXPECT_NEAR(gradient(row, column), expected, 1e-5) << row << "," << column;
    }
  }
}

TEST(AttentionLayer, HidesWhatTheMaskHides) {
  const std::vector<int> visible{1, 1, 0, 1, 0, 1, 1};
  const AttentionShape shape = AttentionShape::with_own_keys(2, 4);
  expect_attention_is_right(7, shape, AttentionMask(visible), kVjp);
  const MatrixF P = attention_probabilities(random_matrix(7, 24, 5), shape, AttentionMask(visible), 1);
  EXPECT_EQ(P.col(2).cwiseAbs().maxCoeff(), 0);
  EXPECT_LT((P.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-6);
}

TEST(AttentionLayer, SurvivesHugeScores) {
  MatrixF qkv = random_matrix(6, 24, 1, 100), context(6, 8);
  attention_forward(qkv, AttentionShape::with_own_keys(2, 4), {}, context);
  EXPECT_TRUE(context.allFinite());
}

TEST(AttentionLayer, HeadsMayShareKeysAndValues) {
  for (const AttentionShape& shape : {AttentionShape{4, 2, 3}, {6, 2, 2}, {6, 3, 2}, {4, 1, 3}}) {
    expect_attention_is_right(9, shape, {}, kVjp);
    expect_attention_is_right(6, shape, AttentionMask(std::vector<int>{1, 0, 1, 1, 0, 1}), kVjp);
  }
}

TEST(AttentionLayer, SharedHeadsAreThoseOfCopiedKeysAndValues) {
  const AttentionShape shared{4, 2, 8}, own = AttentionShape::with_own_keys(4, 8);
  const Index n = 300;  // several blocks of rows, and several threads
  const MatrixF few = random_matrix(n, shared.qkv_columns(), 1), cotangent = random_matrix(n, 32, 2);
  MatrixF all(n, own.qkv_columns());
  all.leftCols(32) = few.leftCols(32);
  for (Index h = 0; h < 4; ++h) {
    all.middleCols(own.key_begin(h), 8) = few.middleCols(shared.key_begin(h), 8);
    all.middleCols(own.value_begin(h), 8) = few.middleCols(shared.value_begin(h), 8);
  }
  MatrixF context(n, 32), expected(n, 32), few_gradient(n, shared.qkv_columns()), all_gradient(n, own.qkv_columns());
  attention_forward(few, shared, {}, context);
  attention_forward(all, own, {}, expected);
  EXPECT_EQ(context, expected);
  attention_vjp(few, shared, {}, cotangent, few_gradient);
  attention_vjp(all, own, {}, cotangent, all_gradient);
  MatrixF summed = MatrixF::Zero(n, shared.qkv_columns());
  summed.leftCols(32) = all_gradient.leftCols(32);
  for (Index h = 0; h < 4; ++h) {
    summed.middleCols(shared.key_begin(h), 8) += all_gradient.middleCols(own.key_begin(h), 8);
    summed.middleCols(shared.value_begin(h), 8) += all_gradient.middleCols(own.value_begin(h), 8);
  }
  EXPECT_LT(relative_error(few_gradient, summed.cast<double>()), kVjp);
}

TEST(AttentionLayer, RefusesShapesThatDoNotFit) {
  const MatrixF qkv = random_matrix(3, 12, 1);
  const AttentionShape shape = AttentionShape::with_own_keys(2, 2);
  MatrixF context(3, 4), wrong(3, 5), gradient(3, 12);
  EXPECT_THROW(attention_forward(qkv, {2, 1, 2}, {}, context), DataError);
  EXPECT_THROW(attention_forward(qkv, {3, 2, 2}, {}, context), DataError);
  EXPECT_THROW(attention_forward(qkv, shape, {}, wrong), DataError);
  EXPECT_THROW(attention_vjp(qkv, shape, {}, context, wrong), DataError);
  EXPECT_THROW(attention_vjp(qkv, shape, {}, wrong, gradient), DataError);
  EXPECT_THROW(attention_probabilities(qkv, shape, {}, 2), UsageError);
  EXPECT_THROW(AttentionShape{}.check(), DataError);
}

TEST(AttentionMask, RefusesToHideEverythingOrCoverAnotherLength) {
  const std::vector<int> nothing{0, 0};
  EXPECT_THROW(AttentionMask{nothing}, DataError);
  const std::vector<int> some{1, 0};
  EXPECT_THROW(AttentionMask{some}.check(3), DataError);
  EXPECT_NO_THROW(AttentionMask{}.check(3));
}

TEST(FeedForwardLayer, AgreesWithItsDefinitionAndDifferences) {
  const FeedForward layer{random_linear(10, 32, 1), random_linear(32, 10, 2), HiddenActivation::kGelu};
  const MatrixF x = random_matrix(5, 10, 3), cotangent = random_matrix(5, 10, 4);
  MatrixF slope, y(5, 10), gradient(5, 10);
  layer.forward(x, slope, y);
  layer.vjp(slope, cotangent, gradient);
  const auto reference = [&](const Matrix& at) { return feed_forward_reference(layer, at); };
  EXPECT_LT(relative_error(y, reference(x.cast<double>())), kForward);
  EXPECT_LT(relative_error(gradient, vjp_by_differences(reference, x.cast<double>(), cotangent.cast<double>())), kVjp);
}

class PostNorm : public testing::Test {
 protected:
  static constexpr Index n = 7, d = 12, f = 20;
  const PostNormWeights weights{AttentionShape::with_own_keys(3, 4),
                                random_linear(d, 3 * d, 1),
                                random_linear(d, d, 3),
                                {random_row(d, 5), random_row(d, 6), 1e-12f},
                                {random_linear(d, f, 7), random_linear(f, d, 9), HiddenActivation::kGelu},
                                {random_row(d, 11), random_row(d, 12), 1e-12f}};
  const PostNormBlock block{weights};
  const MatrixF x = random_matrix(n, d, 21), cotangent = random_matrix(n, d, 22);

  Matrix reference(const Matrix& at) const {
    const Matrix context = attention_reference(linear_reference(weights.qkv, at), weights.shape, {});
    const Matrix h =
        layer_norm_reference(weights.attention_norm, at + linear_reference(weights.attention_output, context));
    return layer_norm_reference(weights.output_norm, feed_forward_reference(weights.feed_forward, h));
  }
};

TEST_F(PostNorm, AgreesWithItsDefinitionAndDifferences) {
  const auto trace = block.make_trace();
  MatrixF y, gradient;
  block.forward(x, {}, *trace, y);
  block.vjp(*trace, {}, cotangent, gradient);
  const auto f_reference = [&](const Matrix& at) { return reference(at); };
  EXPECT_LT(relative_error(y, reference(x.cast<double>())), 5e-6);
  EXPECT_LT(relative_error(gradient, vjp_by_differences(f_reference, x.cast<double>(), cotangent.cast<double>())),
            kVjp);
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
  EXPECT_LT(relative_error(row, gradient.row(4).cast<double>()), kVjp);
}

TEST(PostNormShapes, HeadsMayShareKeysAndBeWiderThanTheHiddenSize) {
  const Index n = 6, d = 10;
  const AttentionShape shape{4, 2, 3};  // a context of 12 columns
  const PostNormWeights weights{shape,
                                random_linear(d, shape.qkv_columns(), 1),
                                random_linear(shape.context_columns(), d, 3),
                                {random_row(d, 5), random_row(d, 6), 1e-12f},
                                {random_linear(d, 16, 7), random_linear(16, d, 9), HiddenActivation::kGelu},
                                {random_row(d, 11), random_row(d, 12), 1e-12f}};
  const PostNormBlock block(weights);
  const auto reference = [&](const Matrix& at) -> Matrix {
    const Matrix context = attention_reference(linear_reference(weights.qkv, at), shape, {});
    const Matrix h =
        layer_norm_reference(weights.attention_norm, at + linear_reference(weights.attention_output, context));
    return layer_norm_reference(weights.output_norm, feed_forward_reference(weights.feed_forward, h));
  };
  const MatrixF x = random_matrix(n, d, 21), cotangent = random_matrix(n, d, 22);
  const auto trace = block.make_trace();
  MatrixF y, gradient;
  block.forward(x, {}, *trace, y);
  block.vjp(*trace, {}, cotangent, gradient);
  EXPECT_LT(relative_error(y, reference(x.cast<double>())), 5e-6);
  EXPECT_LT(relative_error(gradient, vjp_by_differences(reference, x.cast<double>(), cotangent.cast<double>())), kVjp);
  EXPECT_EQ(block.score_gradients(x).rows(), 4 * n);

  PostNormWeights wrong = weights;
  wrong.shape = {4, 4, 3};
  EXPECT_THROW(PostNormBlock{wrong}, DataError);
}

}  // namespace
}  // namespace wordsway::test
