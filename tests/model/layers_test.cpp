// Every layer: forward against its definition in double, vjp against differences of that definition.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "model/reference.h"
#include "wordsway/core/error.h"
#include "wordsway/maps/random_features/activation.h"
#include "wordsway/model/layers/feed_forward.h"
#include "wordsway/model/layers/head_norms.h"
#include "wordsway/model/layers/self_attention.h"

namespace wordsway::test {
namespace {

constexpr double kForward = 2e-6, kVjp = 1e-5;

class Activations : public testing::TestWithParam<const char*> {};

TEST_P(Activations, AgreeWithTheirDefinitionAndItsSlope) {
  const ActivationKind kind = layer_activation_named(GetParam());
  MatrixF x(1, 4001), slope(1, 4001);
  for (Index j = 0; j < x.size(); ++j) x(0, j) = static_cast<float>(j - 2000) * 0.005f + 0.0007f;
  MatrixF y = x;
  activate(kind, y, slope);
  MatrixF alone = x;
  activate(kind, alone);
  EXPECT_EQ(alone, y);
  for (Index j = 0; j < x.size(); ++j) {
    const double v = x(0, j), h = 1e-4;
    ASSERT_NEAR(y(0, j), activation_reference(kind, v), 4e-7 * (1 + std::fabs(v))) << "at " << v;
    const double difference = (activation_reference(kind, v + h) - activation_reference(kind, v - h)) / (2 * h);
    ASSERT_NEAR(slope(0, j), difference, 2e-6) << "at " << v;
  }
}

INSTANTIATE_TEST_SUITE_P(Names, Activations,
                         testing::Values("gelu", "gelu_new", "gelu_pytorch_tanh", "relu", "silu", "swish", "tanh",
                                         "identity"),
                         [](const auto& test) { return std::string(test.param); });

// Random features have activations of their own; a program may use both.
TEST(LayerActivations, LivesBesideTheActivationsOfRandomFeatures) {
  EXPECT_EQ(layer_activation_named("relu"), ActivationKind::kRelu);
  EXPECT_EQ(find_activation("relu").value(-1), 0);
}

TEST(LayerActivations, UnknownNamesAreRefused) {
  EXPECT_THROW(layer_activation_named("quick_gelu"), UsageError);
}

TEST(LayerNormLayer, AgreesWithItsDefinitionAndDifferences) {
  const LayerNorm norm{random_row(24, 1), random_row(24, 2), 1e-5f};
  const MatrixF x = random_matrix(5, 24, 3, 2), cotangent = random_matrix(5, 24, 4);
  LayerNormTrace trace;
  MatrixF y(5, 24), gradient(5, 24);
  norm.forward(x, &trace, y);
  norm.vjp(trace, cotangent, gradient);
  const auto reference = [&](const Matrix& at) { return layer_norm_reference(norm, at); };
  EXPECT_LT(relative_error(y, reference(x.cast<double>())), kForward);
  EXPECT_LT(relative_error(gradient, vjp_by_differences(reference, x.cast<double>(), cotangent.cast<double>())), kVjp);
}

TEST(LayerNormLayer, WithoutItsMeanIsTheNormOfDecoders) {
  const LayerNorm norm{random_row(24, 1), {}, 1e-5f, false};
  const MatrixF x = random_matrix(5, 24, 3, 2), cotangent = random_matrix(5, 24, 4);
  LayerNormTrace trace;
  MatrixF y(5, 24), gradient(5, 24);
  norm.forward(x, &trace, y);
  norm.vjp(trace, cotangent, gradient);
  const auto reference = [&](const Matrix& at) { return layer_norm_reference(norm, at); };
  EXPECT_LT(relative_error(y, reference(x.cast<double>())), kForward);
  EXPECT_LT(relative_error(gradient, vjp_by_differences(reference, x.cast<double>(), cotangent.cast<double>())), kVjp);
  const Matrix at = x.row(0).cast<double>();
  const Matrix by_hand = at * (1 / std::sqrt(at.squaredNorm() / 24 + 1e-5));
  EXPECT_LT(relative_error(MatrixF(y.row(0)), Matrix(by_hand.cwiseProduct(norm.gain.cast<double>()))), kForward);
}

TEST(LayerNormLayer, MayWorkInPlace) {
  const LayerNorm norm{random_row(24, 1), random_row(24, 2), 1e-5f};
  MatrixF x = random_matrix(5, 24, 3, 2);
  const MatrixF expected = norm.forward(x);
  LayerNormTrace trace;
  norm.forward(x, &trace, x);
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

Attention make_attention(const ReferenceAttention& of) {
  Attention attention{of.shape, of.window, {}, of.causal, of.normaliser};
  if (of.bias_table.size() > 0) attention.bias = std::make_shared<RelativeBias>(of.bias_table.cast<float>());
  return attention;
}

void expect_attention_is_right(Index n, const ReferenceAttention& of, const AttentionMask& mask, double vjp_tolerance) {
  const Attention attention = make_attention(of);
  const MatrixF qkv = random_matrix(n, of.shape.qkv_columns(), 1),
                cotangent = random_matrix(n, of.shape.context_columns(), 2);
  MatrixF context(n, of.shape.context_columns()), gradient(n, of.shape.qkv_columns());
  attention.forward(qkv, mask, context);
  attention.vjp(qkv, mask, cotangent, gradient);
  for (Index head = 0; mask.texts(n).size() == 1 && head < of.shape.heads; ++head)
    EXPECT_LT(relative_error(attention.probabilities(qkv, mask, head),
                             probabilities_reference(qkv.cast<double>(), of, mask, head)),
              kForward);
  const auto reference = [&](const Matrix& at) { return attention_reference(at, of, mask); };
  EXPECT_LT(relative_error(context, reference(qkv.cast<double>())), kForward);
  const Matrix expected = vjp_by_differences(reference, qkv.cast<double>(), cotangent.cast<double>());
  EXPECT_LT(relative_error(gradient, expected), vjp_tolerance);
}

TEST(AttentionLayer, AgreesWithItsDefinitionAndDifferences) {
  expect_attention_is_right(9, {AttentionShape::with_own_keys(3, 4)}, {}, kVjp);
}

TEST(AttentionLayer, AgreesWithOneHeadAndOneToken) {
  expect_attention_is_right(1, {AttentionShape::with_own_keys(1, 4)}, {}, kVjp);
}

TEST(AttentionLayer, AgreesAcrossBlocksOfRows) {
  const Index n = 300, d = 4;  // three blocks of rows
  const AttentionShape shape = AttentionShape::with_own_keys(2, 2);
  const MatrixF qkv = random_matrix(n, 3 * d, 1), cotangent = random_matrix(n, d, 2);
  MatrixF context(n, d), gradient(n, 3 * d);
  Attention{shape}.forward(qkv, {}, context);
  Attention{shape}.vjp(qkv, {}, cotangent, gradient);
  const Matrix at = qkv.cast<double>();
  EXPECT_LT(relative_error(context, attention_reference(at, {shape}, {})), kForward);
  for (const Index row : {0, 127, 128, 299}) {  // differences along one entry of each of these rows
    for (const Index column : {1, 6, 11}) {
      Matrix plus = at, minus = at;
      plus(row, column) += 1e-5;
      minus(row, column) -= 1e-5;
      const Matrix change = attention_reference(plus, {shape}, {}) - attention_reference(minus, {shape}, {});
      const double expected = (change.array() * cotangent.cast<double>().array()).sum() / 2e-5;
      EXPECT_NEAR(gradient(row, column), expected, 1e-5) << row << "," << column;
    }
  }
}

TEST(AttentionLayer, HidesWhatTheMaskHides) {
  const std::vector<int> visible{1, 1, 0, 1, 0, 1, 1};
  const AttentionShape shape = AttentionShape::with_own_keys(2, 4);
  expect_attention_is_right(7, {shape}, AttentionMask(visible), kVjp);
  const MatrixF P = Attention{shape}.probabilities(random_matrix(7, 24, 5), AttentionMask(visible), 1);
  EXPECT_EQ(P.col(2).cwiseAbs().maxCoeff(), 0);
  EXPECT_LT((P.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-6);
}

TEST(AttentionLayer, AWindowHidesWhatIsFarAway) {
  const AttentionShape shape = AttentionShape::with_own_keys(2, 4);
  for (const Index window : {0, 1, 3, 20}) expect_attention_is_right(11, {shape, window}, {}, kVjp);
  expect_attention_is_right(7, {shape, 2}, AttentionMask(std::vector<int>{1, 1, 1, 1, 1, 0, 0}), kVjp);
  const MatrixF P = Attention{shape, 2}.probabilities(random_matrix(9, 24, 5), {}, 1);
  EXPECT_EQ(P(1, 4), 0);
  EXPECT_GT(P(1, 3), 0);
}

TEST(AttentionLayer, AWindowAgreesAcrossBlocksOfRows) {
  const ReferenceAttention of{AttentionShape::with_own_keys(2, 4), 5};
  const MatrixF qkv = random_matrix(300, 24, 1), cotangent = random_matrix(300, 8, 2);
  MatrixF context(300, 8), gradient(300, 24);
  make_attention(of).forward(qkv, {}, context);
  make_attention(of).vjp(qkv, {}, cotangent, gradient);
  EXPECT_LT(relative_error(context, attention_reference(qkv.cast<double>(), of, {})), kForward);
  // Rows more than two windows away do not matter, so a piece of the text has the same gradient in its middle.
  const Index begin = 100, n = 60, inner = 20;
  MatrixF piece(n, 24);
  make_attention(of).vjp(qkv.middleRows(begin, n), {}, cotangent.middleRows(begin, n), piece);
  EXPECT_LT(
      relative_error(MatrixF(gradient.middleRows(begin + inner, inner)), piece.middleRows(inner, inner).cast<double>()),
      kVjp);
}

TEST(AttentionLayer, AddsTheBiasOfEveryDistance) {
  const Matrix table = random_matrix(32, 3, 8).cast<double>();
  const AttentionShape shape = AttentionShape::with_own_keys(3, 2);
  expect_attention_is_right(20, {shape, std::nullopt, table}, {}, kVjp);
  expect_attention_is_right(9, {shape, 4, table}, AttentionMask(std::vector<int>{1, 1, 1, 1, 1, 0, 1, 1, 0}), kVjp);
}

TEST(AttentionLayer, ACausalOneHidesWhatComesAfter) {
  for (const AttentionShape& shape : {AttentionShape{2, 2, 4}, {4, 2, 3}, {4, 1, 2}}) {
    expect_attention_is_right(9, {.shape = shape, .causal = true}, {}, kVjp);
    expect_attention_is_right(9, {.shape = shape, .window = 2, .causal = true}, {}, kVjp);
    expect_attention_is_right(9, {.shape = shape, .window = 0, .causal = true}, {}, kVjp);
    expect_attention_is_right(6, {.shape = shape, .causal = true}, AttentionMask(std::vector<int>{1, 0, 1, 1, 0, 0}),
                              kVjp);
    expect_attention_is_right(9, {.shape = shape, .window = 2, .causal = true},
                              AttentionMask::of_texts(std::vector<Index>{3, 1, 5}), kVjp);
  }
  Attention attention{AttentionShape::with_own_keys(2, 4)};
  attention.causal = true;
  const MatrixF P = attention.probabilities(random_matrix(9, 24, 5), {}, 1);
  EXPECT_EQ(P(3, 4), 0);
  EXPECT_GT(P(3, 3), 0);
  EXPECT_EQ(P(0, 0), 1);
}

// Texts that share their first rows: the same context as that of each by itself, and a gradient from the same queries.
// Every normaliser, also with hidden keys, a window, a bias and several texts.
TEST(AttentionLayer, TakesAnyNormaliser) {
  const AttentionShape shape = AttentionShape::with_own_keys(2, 4);
  for (const NormaliserSpec& normaliser :
       {NormaliserSpec{NormaliserKind::kSoftmax, 0.25}, NormaliserSpec{NormaliserKind::kSoftmax, 4},
        NormaliserSpec{NormaliserKind::kSigmoid, 1}, NormaliserSpec{NormaliserKind::kSigmoid, 3},
        NormaliserSpec{NormaliserKind::kRelu, 1}, NormaliserSpec{NormaliserKind::kSquare, 1}}) {
    SCOPED_TRACE(normaliser_name(normaliser.kind));
    const ReferenceAttention of{.shape = shape, .normaliser = normaliser};
    expect_attention_is_right(9, of, {}, kVjp);
    expect_attention_is_right(7, of, AttentionMask(std::vector<int>{1, 1, 0, 1, 1, 0, 0}), kVjp);
    expect_attention_is_right(9, of, AttentionMask::of_texts(std::vector<Index>{3, 1, 5}), kVjp);
    expect_attention_is_right(11, {.shape = shape, .window = 3, .normaliser = normaliser}, {}, kVjp);
    expect_attention_is_right(9, {.shape = {4, 2, 3}, .causal = true, .normaliser = normaliser}, {}, kVjp);
    const Matrix table = random_matrix(32, 2, 8).cast<double>();
    expect_attention_is_right(9, {.shape = shape, .bias_table = table, .normaliser = normaliser}, {}, kVjp);
  }
}

TEST(AttentionLayer, ANormaliserAgreesAcrossBlocksOfRows) {
  const ReferenceAttention of{.shape = AttentionShape::with_own_keys(2, 4), .normaliser = {NormaliserKind::kSquare, 1}};
  const MatrixF qkv = random_matrix(300, 24, 3), cotangent = random_matrix(300, 8, 4);
  MatrixF context(300, 8), gradient(300, 24);
  make_attention(of).forward(qkv, {}, context);
  make_attention(of).vjp(qkv, {}, cotangent, gradient);
  const auto inner = [&](const MatrixF& by, double step) {
    const Matrix at = qkv.cast<double>() + step * by.cast<double>();
    return attention_reference(at, of, {}).cwiseProduct(cotangent.cast<double>()).sum();
  };
  EXPECT_LT(relative_error(context, attention_reference(qkv.cast<double>(), of, {})), kForward);
  for (const unsigned seed : {11U, 12U, 13U}) {
    const MatrixF by = random_matrix(300, 24, seed);
    const double slope = (inner(by, 1e-5) - inner(by, -1e-5)) / 2e-5;
    EXPECT_NEAR(gradient.cast<double>().cwiseProduct(by.cast<double>()).sum(), slope, 1e-4 * gradient.norm());
  }
}

// The last token of a text by itself: what a decoder's cache does.
TEST(AttentionLayer, ANormaliserAgreesForTheLastTokenAlone) {
  for (const NormaliserKind kind : {NormaliserKind::kSoftmax, NormaliserKind::kSigmoid, NormaliserKind::kRelu}) {
    Attention attention{AttentionShape::with_own_keys(2, 4)};
    attention.causal = true;
    attention.normaliser = {kind, 2};
    const MatrixF qkv = random_matrix(9, 24, 6);
    MatrixF all(9, 8), last(1, 8);
    attention.forward(qkv, {}, all);
    attention.forward_last(qkv.bottomRows(1).leftCols(8), qkv.rightCols(16), last);
    EXPECT_LT(relative_error(last, all.bottomRows(1).cast<double>()), kForward);
  }
}

TEST(AttentionLayer, ARowWithoutMassIsZeroAndHugeScoresAreFinite) {
  Attention attention{AttentionShape::with_own_keys(1, 1)};
  attention.normaliser.kind = NormaliserKind::kRelu;
  MatrixF qkv(3, 3), context(3, 1), gradient(3, 3);
  qkv << -1, 1, 5, 1, 2, 6, 1, 3, 7;  // the first query has negative scores alone
  attention.forward(qkv, {}, context);
  EXPECT_EQ(context(0, 0), 0);
  EXPECT_EQ(attention.probabilities(qkv, {}, 0).row(0), RowF::Zero(3));
  attention.vjp(qkv, {}, MatrixF::Ones(3, 1), gradient);
  EXPECT_TRUE(gradient.allFinite());
  EXPECT_EQ(gradient(0, 0), 0);
  for (const NormaliserKind kind : {NormaliserKind::kSigmoid, NormaliserKind::kRelu, NormaliserKind::kSquare})
    for (const float size : {1e-18f, 1e14f}) {
      attention.normaliser.kind = kind;
      attention.forward(size * qkv, {}, context);
      attention.vjp(size * qkv, {}, MatrixF::Ones(3, 1), gradient);
      EXPECT_TRUE(context.allFinite() && gradient.allFinite()) << normaliser_name(kind) << " " << size;
    }
}

TEST(AttentionLayer, TextsMayShareTheirFirstRows) {
  const Index n = 300, rows = 170;  // several blocks of rows
  const AttentionShape shape{4, 2, 8};
  const MatrixF qkv = random_matrix(n, shape.qkv_columns(), 1);
  MatrixF cotangent = random_matrix(n, 32, 2);
  cotangent.topRows(n - rows).setZero();
  for (const std::optional<Index> window : {std::optional<Index>(), std::optional<Index>(40)}) {
    const Attention attention{shape, window, {}, true};
    for (const std::vector<Index>& lengths : {std::vector<Index>{rows}, {100, 1, 69}, {5, 165}}) {
      const AttentionMask mask = AttentionMask::of_texts(lengths);
      MatrixF together(rows, 32), gradients(rows, shape.qkv_columns());
      attention.forward(qkv, mask, together);
      attention.vjp(qkv, mask, cotangent.bottomRows(rows), gradients);
      for (const RowRange& own : mask.texts(rows)) {
        const Index shared = n - rows, size = shared + own.size();
        MatrixF text(size, shape.qkv_columns()), its_cotangent = MatrixF::Zero(size, 32);
        text << qkv.topRows(shared), qkv.middleRows(shared + own.begin, own.size());
        its_cotangent.bottomRows(own.size()) = cotangent.middleRows(shared + own.begin, own.size());
        MatrixF whole(size, 32), gradient(size, shape.qkv_columns()), alone(own.size(), 32);
        attention.forward(text, {}, whole);
        attention.forward(text, {}, alone);
        attention.vjp(text, {}, its_cotangent, gradient);
        EXPECT_EQ(MatrixF(together.middleRows(own.begin, own.size())), alone) << "not the bits it has alone";
        EXPECT_LT(relative_error(alone, whole.bottomRows(own.size()).cast<double>()), kForward);
        EXPECT_LT(relative_error(MatrixF(gradients.middleRows(own.begin, own.size())),
                                 gradient.bottomRows(own.size()).cast<double>()),
                  kVjp);
      }
    }
  }
  MatrixF context(rows, 32);
  EXPECT_THROW((Attention{shape, {}, {}, true}.forward(qkv, AttentionMask::of_texts(std::vector<Index>{n}), context)),
               DataError);
}

TEST(HeadNormsLayer, AgreesWithItsDefinitionAndDifferences) {
  const AttentionShape shape{4, 2, 6};
  const HeadNorms norms{{random_row(6, 1), {}, 1e-5f, false}, {random_row(6, 2), {}, 1e-5f, false}};
  const MatrixF qkv = random_matrix(5, shape.qkv_columns(), 3), cotangent = random_matrix(5, shape.qkv_columns(), 4);
  HeadNormsTrace trace;
  MatrixF y = qkv, alone = qkv, gradient = cotangent;
  norms.forward(shape, &trace, y);
  norms.forward(shape, nullptr, alone);
  norms.vjp(shape, trace, gradient);
  const auto reference = [&](const Matrix& at) { return head_norms_reference(norms, at, shape); };
  EXPECT_EQ(y, alone);
  EXPECT_LT(relative_error(y, reference(qkv.cast<double>())), kForward);
  EXPECT_LT(relative_error(gradient, vjp_by_differences(reference, qkv.cast<double>(), cotangent.cast<double>())),
            kVjp);
}

TEST(RelativeBiasBuckets, AreThoseOfTheirDefinition) {
  const RelativeBias bias(random_matrix(32, 1, 1));
  for (Index distance = -600; distance <= 600; ++distance)
    ASSERT_EQ(bias.bucket(distance), bucket_reference(distance)) << distance;
  EXPECT_THROW(RelativeBias(MatrixF(30, 2)), DataError);
}

TEST(AttentionLayer, TextsBelowEachOtherSeeThemselvesAlone) {
  const std::vector<Index> lengths{3, 1, 5};
  const AttentionMask mask = AttentionMask::of_texts(lengths);
  const AttentionShape shape = AttentionShape::with_own_keys(2, 3);
  expect_attention_is_right(9, {shape}, mask, kVjp);
  expect_attention_is_right(9, {shape, 2}, mask, kVjp);
  expect_attention_is_right(9, {shape, 2, random_matrix(32, 2, 8).cast<double>()}, mask, kVjp);
  EXPECT_THROW(mask.check(8), DataError);
  EXPECT_THROW(AttentionMask::of_texts(std::vector<Index>{2, 0}), DataError);
}

TEST(RotaryPositions, TurnQueriesAndKeysOfEveryText) {
  const AttentionShape shape{4, 2, 6};
  const std::vector<Index> lengths{4, 7};
  const AttentionMask mask = AttentionMask::of_texts(lengths);
  const Rotary rotary(6, 100, 16);
  const MatrixF qkv = random_matrix(11, shape.qkv_columns(), 3);
  MatrixF turned = qkv;
  rotary.turn(shape, mask, turned);
  EXPECT_LT(relative_error(turned, rotary_reference(qkv.cast<double>(), shape, mask, 100)), kForward);
  MatrixF row = qkv.middleRows(6, 1);
  rotary.turn(shape, {}, row, 2);
  EXPECT_EQ(row, turned.middleRows(6, 1));
  MatrixF later(6, qkv.cols());  // two texts that share their first token
  later << qkv.middleRows(5, 3), qkv.middleRows(5, 3);
  rotary.turn(shape, AttentionMask::of_texts(std::vector<Index>{3, 3}), later, 1);
  EXPECT_EQ(MatrixF(later.topRows(3)), MatrixF(turned.middleRows(5, 3)));
  EXPECT_EQ(MatrixF(later.bottomRows(3)), MatrixF(turned.middleRows(5, 3)));
  rotary.turn_back(shape, mask, turned);
  EXPECT_LT(relative_error(turned, qkv.cast<double>()), kForward);
  EXPECT_THROW(Rotary(5, 100, 16), DataError);
  EXPECT_THROW(Rotary(6, 0, 16), DataError);
  MatrixF longer = random_matrix(17, shape.qkv_columns(), 3);
  EXPECT_THROW(rotary.turn(shape, {}, longer), DataError);
}

TEST(AttentionLayer, SurvivesHugeScores) {
  MatrixF qkv = random_matrix(6, 24, 1, 100), context(6, 8);
  Attention{AttentionShape::with_own_keys(2, 4)}.forward(qkv, {}, context);
  EXPECT_TRUE(context.allFinite());
}

TEST(AttentionLayer, HeadsMayShareKeysAndValues) {
  for (const AttentionShape& shape : {AttentionShape{4, 2, 3}, {6, 2, 2}, {6, 3, 2}, {4, 1, 3}}) {
    expect_attention_is_right(9, {shape}, {}, kVjp);
    expect_attention_is_right(6, {shape}, AttentionMask(std::vector<int>{1, 0, 1, 1, 0, 1}), kVjp);
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
  Attention{shared}.forward(few, {}, context);
  Attention{own}.forward(all, {}, expected);
  EXPECT_EQ(context, expected);
  Attention{shared}.vjp(few, {}, cotangent, few_gradient);
  Attention{own}.vjp(all, {}, cotangent, all_gradient);
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
  EXPECT_THROW((Attention{{2, 1, 2}}.forward(qkv, {}, context)), DataError);
  EXPECT_THROW((Attention{{3, 2, 2}}.forward(qkv, {}, context)), DataError);
  EXPECT_THROW(Attention{shape}.forward(qkv, {}, wrong), DataError);
  EXPECT_THROW(Attention{shape}.vjp(qkv, {}, context, wrong), DataError);
  EXPECT_THROW(Attention{shape}.vjp(qkv, {}, wrong, gradient), DataError);
  EXPECT_THROW(Attention{shape}.probabilities(qkv, {}, 2), UsageError);
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
  const FeedForward layer{random_linear(10, 32, 1), random_linear(32, 10, 2), ActivationKind::kGelu};
  const MatrixF x = random_matrix(5, 10, 3), cotangent = random_matrix(5, 10, 4);
  FeedForwardTrace trace;
  MatrixF y(5, 10), gradient(5, 10);
  layer.forward(x, x, &trace, y);
  layer.vjp(trace, cotangent, gradient, plus(cotangent));
  const auto reference = [&](const Matrix& at) -> Matrix { return at + feed_forward_reference(layer, at); };
  EXPECT_LT(relative_error(y, reference(x.cast<double>())), kForward);
  EXPECT_LT(relative_error(gradient, vjp_by_differences(reference, x.cast<double>(), cotangent.cast<double>())), kVjp);
}

TEST(FeedForwardLayer, WithAGateAgreesWithItsDefinitionAndDifferences) {
  for (const Index rows : {5, 40}) {  // the second in several blocks of rows
    const FeedForward layer{random_linear(10, 64, 1), random_linear(32, 10, 2), ActivationKind::kGelu, true};
    const MatrixF x = random_matrix(rows, 10, 3), cotangent = random_matrix(rows, 10, 4);
    const MatrixF residual = random_matrix(rows, 10, 5);
    FeedForwardTrace trace;
    MatrixF y(rows, 10), gradient(rows, 10), without_trace(rows, 10);
    layer.forward(x, residual, &trace, y);
    layer.forward(x, residual, nullptr, without_trace);
    layer.vjp(trace, cotangent, gradient);
    EXPECT_EQ(y, without_trace);
    const auto reference = [&](const Matrix& at) -> Matrix {
      return residual.cast<double>() + feed_forward_reference(layer, at);
    };
    EXPECT_LT(relative_error(y, reference(x.cast<double>())), kForward);
    EXPECT_LT(relative_error(gradient, vjp_by_differences(reference, x.cast<double>(), cotangent.cast<double>())),
              kVjp);
  }
}

}  // namespace
}  // namespace wordsway::test
