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

void expect_attention_is_right(Index n, Index d, Index heads, const AttentionMask& mask, double vjp_tolerance) {
  const MatrixF qkv = random_matrix(n, 3 * d, 1), cotangent = random_matrix(n, d, 2);
  MatrixF context(n, d), gradient(n, 3 * d);
  attention_forward(qkv, heads, mask, context);
  attention_vjp(qkv, heads, mask, cotangent, gradient);
  const auto reference = [&](const Matrix& at) { return attention_reference(at, heads, mask); };
  EXPECT_LT(relative_error(context, reference(qkv.cast<double>())), kForward);
  const Matrix expected = vjp_by_differences(reference, qkv.cast<double>(), cotangent.cast<double>());
  EXPECT_LT(relative_error(gradient, expected), vjp_tolerance);
}

TEST(AttentionLayer, AgreesWithItsDefinitionAndDifferences) {
  expect_attention_is_right(9, 12, 3, {}, kVjp);
}

TEST(AttentionLayer, AgreesWithOneHeadAndOneToken) {
  expect_attention_is_right(1, 4, 1, {}, kVjp);
}

TEST(AttentionLayer, AgreesAcrossBlocksOfRows) {
  const Index n = 300, d = 4, heads = 2;  // three blocks of rows
  const MatrixF qkv = random_matrix(n, 3 * d, 1), cotangent = random_matrix(n, d, 2);
  MatrixF context(n, d), gradient(n, 3 * d);
  attention_forward(qkv, heads, {}, context);
  attention_vjp(qkv, heads, {}, cotangent, gradient);
  const Matrix at = qkv.cast<double>();
  EXPECT_LT(relative_error(context, attention_reference(at, heads, {})), kForward);
  for (const Index row : {0, 127, 128, 299}) {  // differences along one entry of each of these rows
    for (const Index column : {1, 6, 11}) {
      Matrix plus = at, minus = at;
      plus(row, column) += 1e-5;
      minus(row, column) -= 1e-5;
      const Matrix change = attention_reference(plus, heads, {}) - attention_reference(minus, heads, {});
      const double expected = (change.array() * cotangent.cast<double>().array()).sum() / 2e-5;
      EXPECT_NEAR(gradient(row, column), expected, 1e-5) << row << "," << column;
    }
  }
}

TEST(AttentionLayer, HidesWhatTheMaskHides) {
  const std::vector<int> visible{1, 1, 0, 1, 0, 1, 1};
  expect_attention_is_right(7, 8, 2, AttentionMask(visible), kVjp);
  const MatrixF P = attention_probabilities(random_matrix(7, 24, 5), 2, AttentionMask(visible), 1);
  EXPECT_EQ(P.col(2).cwiseAbs().maxCoeff(), 0);
  EXPECT_LT((P.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-6);
}

TEST(AttentionLayer, SurvivesHugeScores) {
  MatrixF qkv = random_matrix(6, 24, 1, 100), context(6, 8);
  attention_forward(qkv, 2, {}, context);
  EXPECT_TRUE(context.allFinite());
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
  static constexpr Index n = 7, d = 12, f = 20, heads = 3;
  const PostNormWeights weights{heads,
                                random_linear(d, 3 * d, 1),
                                random_linear(d, d, 3),
                                {random_row(d, 5), random_row(d, 6), 1e-12f},
                                {random_linear(d, f, 7), random_linear(f, d, 9), HiddenActivation::kGelu},
                                {random_row(d, 11), random_row(d, 12), 1e-12f}};
  const PostNormBlock block{weights};
  const MatrixF x = random_matrix(n, d, 21), cotangent = random_matrix(n, d, 22);

  Matrix reference(const Matrix& at) const {
    const Matrix context = attention_reference(linear_reference(weights.qkv, at), heads, {});
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

}  // namespace
}  // namespace wordsway::test
