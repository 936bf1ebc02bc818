// Whole models against Transformers: the small ones of tests/golden/models, and with WORDSWAY_TEST_MODEL a real one.
#include "wordsway/model/transformer.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "model/reference.h"
#include "support/golden.h"
#include "support/places.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway::test {
namespace {

// Compares everything the golden file holds; returns the largest relative error per kind, as gtest properties.
class ModelAgainstGolden {
 public:
  ModelAgainstGolden(const std::filesystem::path& folder, const std::filesystem::path& expected, double tolerance)
      : transformer_(Transformer::load(folder)), golden_(expected), tolerance_(tolerance) {}

  void check_all() const {
    check_hidden_states();
    check_attention();
    check_gradients();
    check_pooling();
    if (golden_.contains("logits")) check_logits();
  }

 private:
  void expect(const MatrixF& got, const MatrixF& want, const std::string& what) const {
    const double error = relative_error(got, want.cast<double>());
    EXPECT_LT(error, tolerance_) << what;
    testing::Test::RecordProperty(what, std::to_string(error));
    if (std::getenv("WORDSWAY_TEST_MODEL") != nullptr)
      std::printf("  %-14s relative error %.1e\n", what.c_str(), error);
  }

  void check_hidden_states() const {
    const auto states = transformer_->hidden_states(x_, mask_);
    ASSERT_EQ(static_cast<Index>(states.size()), transformer_->config().layers + 1);
    for (size_t l = 0; l < states.size(); ++l) {
      const std::string name = "hidden." + std::to_string(l);
      expect(states[l], golden_.matrix(name), name);
      EXPECT_EQ(transformer_->forward(x_, static_cast<Index>(l), mask_), states[l]) << "forward to one layer, " << name;
    }
  }

  void check_attention() const {
    const ModelConfig& config = transformer_->config();
    Index seen = 0;
    const auto compare = [&](Index layer, const std::vector<MatrixF>& heads) {
      EXPECT_EQ(layer, ++seen);
      const std::string name = "attention." + std::to_string(layer);
      MatrixF got(0, x_.rows()), want = golden_.matrix(name);
      got.resize(want.rows(), want.cols());
      for (Index head = 0; head < config.attention.heads; ++head) {
        got.middleRows(head * x_.rows(), x_.rows()) = heads[static_cast<size_t>(head)];
        EXPECT_EQ(transformer_->attention(x_, layer, head, mask_), heads[static_cast<size_t>(head)]);
      }
      expect(got, want, name);
    };
    transformer_->for_each_attention(x_, {1, config.layers, 0, config.attention.heads}, compare, mask_);
    EXPECT_EQ(seen, config.layers);
  }

  void check_gradients() const {
    TransformerTrace trace;
    const MatrixF cotangent = golden_.matrix("cotangent");
    transformer_->forward(x_, transformer_->config().layers, mask_, trace);
    expect(transformer_->vjp(trace, cotangent), golden_.matrix("gradient"), "gradient");
    expect(transformer_->vjp_row(trace, cotangent, 3), golden_.matrix("gradient").row(3), "gradient of one row");
    transformer_->forward(x_, 1, mask_, trace);  // the trace is used again, for fewer layers
    expect(transformer_->vjp(trace, cotangent), golden_.matrix("gradient.1"), "gradient.1");
  }

  void check_pooling() const {
    const SentenceChain pooling{{PoolingMode::kMean}, true, {{NormalizeStep{}}}};
    expect(pooling.forward(transformer_->forward(x_, transformer_->config().layers, mask_), mask_),
           golden_.matrix("pooled"), "pooled");
  }

  void check_logits() const {
    const MatrixF hidden = transformer_->forward(x_, transformer_->config().layers, mask_);
    const MatrixF all = transformer_->is_decoder() ? transformer_->logits(hidden) : transformer_->word_logits(hidden);
    if (!golden_.contains("logit_positions")) return expect(all, golden_.matrix("logits"), "logits");
    const auto positions = golden_.integers("logit_positions");
    MatrixF some(static_cast<Index>(positions.size()), all.cols());
    for (Index k = 0; k < some.rows(); ++k) some.row(k) = all.row(positions[static_cast<std::size_t>(k)]);
    expect(some, golden_.matrix("logits"), "logits");
  }

  std::unique_ptr<Transformer> transformer_;
  Golden golden_;
  double tolerance_;
  AttentionMask mask_ = golden_.mask();
  MatrixF x_ = transformer_->embed(golden_.ids());
};

class SmallModels : public testing::TestWithParam<const char*> {};

TEST_P(SmallModels, AgreeWithTransformersInEverything) {
  const auto folder = golden_models() / GetParam();
  ModelAgainstGolden(folder, folder / "expected.safetensors", 1e-5).check_all();
}

TEST_P(SmallModels, GiveTheSameBitsWithAnyNumberOfThreads) {
  const auto folder = golden_models() / GetParam();
  const auto transformer = Transformer::load(folder);
  const Golden golden(folder / "expected.safetensors");
  const int before = available_threads();
  std::vector<MatrixF> outputs, gradients;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    TransformerTrace trace;
    outputs.push_back(
        transformer->forward(transformer->embed(golden.ids()), transformer->config().layers, golden.mask(), trace));
    gradients.push_back(transformer->vjp(trace, golden.matrix("cotangent")));
  }
  set_thread_count(before);
  EXPECT_EQ(outputs[0], outputs[1]);
  EXPECT_EQ(outputs[0], outputs[2]);
  EXPECT_EQ(gradients[0], gradients[1]);
  EXPECT_EQ(gradients[0], gradients[2]);
}

TEST_P(SmallModels, GiveATextTheSameBitsAloneAndAmongOthers) {
  const auto transformer = Transformer::load(golden_models() / GetParam());
  const Index layers = transformer->config().layers;
  std::vector<MatrixF> texts;
  std::vector<Index> lengths;
  Index rows = 0;
  for (const Index length : {5, 1, 12, 7, 31}) {
    std::vector<int> ids;
    for (Index k = 0; k < length; ++k) ids.push_back(static_cast<int>(3 + (7 * k + length) % 90));
    texts.push_back(transformer->embed(ids));
    lengths.push_back(length);
    rows += length;
  }
  MatrixF all(rows, transformer->config().hidden_size);
  for (Index row = 0; const MatrixF& text : texts) {
    all.middleRows(row, text.rows()) = text;
    row += text.rows();
  }
  const MatrixF together = transformer->forward(all, layers, AttentionMask::of_texts(lengths));
  for (Index row = 0; const MatrixF& text : texts) {
    EXPECT_EQ(MatrixF(together.middleRows(row, text.rows())), transformer->forward(text, layers)) << text.rows();
    row += text.rows();
  }
}

INSTANTIATE_TEST_SUITE_P(Folders, SmallModels,
                         testing::Values("bert", "bert-padded-tanh", "bert-body-relu", "distilbert", "roberta",
                                         "roberta-sharded", "bert-f16", "distilbert-bf16", "xlm-roberta", "mpnet",
                                         "bert-softmax-4", "bert-sigmoid", "bert-relu", "bert-square", "modernbert",
                                         "modernbert-deep", "modernbert-v4", "gpt2", "gpt2-untied", "llama",
                                         "llama-scaled", "mistral", "qwen2", "qwen3", "qwen3-window"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Grouped heads, rope_freqs, biases, windows, heads of their own width; every type of tensors among them.
TEST(GgufModels, AgreeWithTransformersOnTheSameWeightsDequantised) {
  const std::filesystem::path folder = test::source_folder() / "tests/golden/gguf/models";
  for (const std::string name : {"llama3", "llama2", "mistral", "qwen2", "qwen3", "mixed"}) {
    SCOPED_TRACE(name);
    ModelAgainstGolden(folder / (name + ".gguf"), folder / (name + ".safetensors"), 1e-5).check_all();
  }
}

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
  EXPECT_EQ(normaliser("bert"), (ScoreWeights{ScoreFunction::kSoftmax, 1}));
  EXPECT_EQ(normaliser("bert-softmax-4"), (ScoreWeights{ScoreFunction::kSoftmax, 4}));
  EXPECT_EQ(normaliser("bert-sigmoid"), (ScoreWeights{ScoreFunction::kSigmoid, 1.5}));
  EXPECT_EQ(normaliser("bert-relu").function, ScoreFunction::kRelu);
  EXPECT_EQ(normaliser("bert-square").function, ScoreFunction::kSquare);
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
