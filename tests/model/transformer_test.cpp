// Whole models against Transformers: the built-in ones, and with WORDSWAY_TEST_MODEL a real one. Small models of every
// architecture are compared in architecture_conformance_test.cpp.
#include "wordsway/model/transformer.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "model/against_golden.h"
#include "model/reference.h"
#include "support/golden.h"
#include "support/places.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway::test {
namespace {

TEST(RealModel, AgreesWithTransformersInEverything) {
  const char* folder = std::getenv("WORDSWAY_TEST_MODEL");
  const char* expected = std::getenv("WORDSWAY_TEST_MODEL_GOLDEN");
  if (folder == nullptr || expected == nullptr) {
    GTEST_SKIP() << "needs a model on disk: run scripts/test_models.sh, which sets WORDSWAY_TEST_MODEL";
  }
  ModelAgainstGolden(folder, expected, 1e-4).check_all();
}

TEST(BuiltinModel, AgreesWithTransformersInEverything) {
  const std::filesystem::path root = test::source_folder();
  for (const char* text : {"short.safetensors", "padded.safetensors"}) {
    SCOPED_TRACE(text);
    ModelAgainstGolden(root / "models/builtin", root / "tests/golden/builtin" / text, 1e-5).check_all();
  }
}

TEST(BuiltinDecoder, AgreesWithTransformersInEverything) {
  const std::filesystem::path root = test::source_folder();
  ModelAgainstGolden(root / "models/builtin-decoder", root / "tests/golden/builtin/decoder.safetensors", 1e-5)
      .check_all();
}

TEST(NormalisedModels, HaveWhatTheirConfigSays) {
  const auto normaliser = [](const char* name) {
    return Transformer::load(golden_models() / name)->config().normaliser;
  };
  EXPECT_EQ(normaliser("bert"), (NormaliserSpec{NormaliserKind::kSoftmax, 1}));
  EXPECT_EQ(normaliser("bert-softmax-4"), (NormaliserSpec{NormaliserKind::kSoftmax, 4}));
  EXPECT_EQ(normaliser("bert-sigmoid"), (NormaliserSpec{NormaliserKind::kSigmoid, 1.5}));
  EXPECT_EQ(normaliser("bert-relu").kind, NormaliserKind::kRelu);
  EXPECT_EQ(normaliser("bert-square").kind, NormaliserKind::kSquare);
}

class SmallBert : public testing::Test {
 protected:
  const std::unique_ptr<Transformer> transformer = Transformer::load(golden_models() / "bert");
};

TEST_F(SmallBert, KnowsItsConfiguration) {
  EXPECT_EQ(transformer->config().architecture, "bert");
  EXPECT_EQ(transformer->config().hidden_size, 32);
  EXPECT_EQ(transformer->config().most_tokens(), 40);
  EXPECT_EQ(transformer->name(), "bert");
  EXPECT_TRUE(transformer->predicts_words());
  EXPECT_EQ(transformer->parameters(), 22916);
}

TEST_F(SmallBert, RefusesIdsLayersHeadsAndShapesThatDoNotExist) {
  const std::vector<int> unknown{1, 100}, negative{-1}, many(41, 5), none, fine{5, 6}, types{0, 2};
  EXPECT_THROW(transformer->embed(unknown), DataError);
  EXPECT_THROW(transformer->embed(negative), DataError);
  EXPECT_THROW(transformer->embed(many), DataError);
  EXPECT_THROW(transformer->embed(none), DataError);
  EXPECT_THROW(transformer->embed(fine, types), DataError);
  const MatrixF x = transformer->embed(fine);
  EXPECT_THROW(transformer->forward(x, 3), UsageError);
  EXPECT_THROW(transformer->forward(x, -1), UsageError);
  EXPECT_THROW(transformer->attention(x, 0, 0), UsageError);
  EXPECT_THROW(transformer->attention(x, 1, 4), UsageError);
  EXPECT_THROW(transformer->forward(MatrixF::Zero(2, 31), 1), DataError);
  EXPECT_THROW(transformer->forward(MatrixF::Zero(0, 32), 1), DataError);
}

TEST_F(SmallBert, TokenTypesMatter) {
  const std::vector<int> ids{5, 6, 7}, types{0, 1, 1};
  const MatrixF plain = transformer->embed(ids), typed = transformer->embed(ids, types);
  EXPECT_EQ(plain.row(0), typed.row(0));
  EXPECT_NE(plain.row(1), typed.row(1));
}

TEST_F(SmallBert, PaddingDoesNotChangeVisibleTokens) {
  const std::vector<int> ids{5, 6, 7}, padded{5, 6, 7, 0, 0}, visible{1, 1, 1, 0, 0};
  const MatrixF plain = transformer->forward(transformer->embed(ids), 2);
  const MatrixF masked = transformer->forward(transformer->embed(padded), 2, AttentionMask(visible));
  EXPECT_LT(relative_error(MatrixF(masked.topRows(3)), plain.cast<double>()), 1e-6);
}

// Passes x on and counts how often it is asked to.
class CountingBlock final : public Block {
 public:
  explicit CountingBlock(int& forwards) : forwards_(forwards) {}
  std::unique_ptr<BlockTrace> make_trace() const override { return std::make_unique<BlockTrace>(); }
  void forward(ConstMatrixFRef x, const AttentionMask&, BlockTrace&, MatrixF& y) const override {
    ++forwards_;
    y = x;
  }
  void forward_changed_row(ConstMatrixFRef x, Index, const BlockTrace&, const AttentionMask& mask, BlockTrace& trace,
                           MatrixF& y) const override {
    forward(x, mask, trace, y);
  }
  void vjp(const BlockTrace&, const AttentionMask&, const MatrixF& y, MatrixF& x) const override { x = y; }
  RowF vjp_row(const BlockTrace&, const AttentionMask&, const MatrixF& y, Index i) const override { return y.row(i); }
  std::vector<MatrixF> attention(ConstMatrixFRef x, const AttentionMask&, Index first, Index count) const override {
    std::vector<MatrixF> heads;
    for (Index head = first; head < first + count; ++head)
      heads.push_back(MatrixF::Constant(x.rows(), x.rows(), static_cast<float>(head)));
    return heads;
  }
  MatrixF score_gradients(ConstMatrixFRef x, Index) const override { return x; }
  Index parameters() const override { return 0; }
  BlockParts parts() const override { return {}; }

 private:
  int& forwards_;
};

TEST(TransformerOfAnyBlocks, TakesTheMeanOverHeadsFromOneForward) {
  int forwards = 0;
  ModelConfig config;
  config.layers = 3;
  config.attention = AttentionShape::with_own_keys(4, 2);
  config.hidden_size = 8;
  ModelParts parts;
  for (int layer = 0; layer < 3; ++layer) parts.blocks.push_back(std::make_unique<CountingBlock>(forwards));
  const Transformer transformer(config, std::move(parts));
  EXPECT_EQ(transformer.mean_attention(MatrixF::Ones(5, 8), 3), Matrix::Constant(5, 5, 1.5));
  EXPECT_EQ(forwards, 2) << "the two layers below, once each";
  EXPECT_EQ(transformer.attention(MatrixF::Ones(5, 8), 3, 2), MatrixF::Constant(5, 5, 2));
  forwards = 0;
  std::vector<Index> layers;
  transformer.for_each_attention(MatrixF::Ones(5, 8), {1, 3, 0, 4}, [&](Index layer, const auto& heads) {
    layers.push_back(layer);
    EXPECT_EQ(heads.size(), 4U);
  });
  EXPECT_EQ(layers, (std::vector<Index>{1, 2, 3}));
  EXPECT_EQ(forwards, 2) << "one forward for all heads of all layers";
  const auto nothing = [](Index, const auto&) { FAIL() << "computed before it was checked"; };
  for (const AttentionRange& wrong : {AttentionRange{0, 2, 0, 1}, AttentionRange{1, 4, 0, 1},
                                      AttentionRange{1, 1, 3, 2}, AttentionRange{1, 1, -1, 1}})
    EXPECT_THROW(transformer.for_each_attention(MatrixF::Ones(5, 8), wrong, nothing), UsageError);
  EXPECT_THROW(transformer.mean_attention(MatrixF::Ones(5, 8), 4), UsageError);
}

TEST_F(SmallBert, MeanAttentionIsThatOfTheHeads) {
  const MatrixF x = transformer->embed(std::vector<int>{5, 6, 7, 8});
  Matrix mean = Matrix::Zero(4, 4);
  for (Index head = 0; head < transformer->config().attention.heads; ++head)
    mean += transformer->attention(x, 2, head).cast<double>();
  mean /= static_cast<double>(transformer->config().attention.heads);
  EXPECT_LT((transformer->mean_attention(x, 2) - mean).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(TransformerWithoutWordHead, SaysSo) {
  const auto transformer = Transformer::load(golden_models() / "bert-body-relu");
  EXPECT_FALSE(transformer->predicts_words());
  EXPECT_THROW(transformer->word_logits(MatrixF::Zero(1, 32)), DataError);
}

}  // namespace
}  // namespace wordsway::test
