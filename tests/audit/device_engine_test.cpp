// What stands above the seam to another engine (model/device_engine.h), without a device.
#include "wordsway/model/device_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/places.h"
#include "support/processor_engine.h"
#include "wordsway/audit/answers.h"
#include "wordsway/audit/embed.h"
#include "wordsway/audit/layers.h"
#include "wordsway/audit/words.h"
#include "wordsway/core/error.h"
#include "wordsway/sensitivity/sensitivity.h"
#include "wordsway/sensitivity/word_changes.h"

namespace wordsway::test {
namespace {

struct Output {
  std::string folder;
  ModelOutput output;
};

class EveryOutput : public testing::TestWithParam<Output> {};

TEST_P(EveryOutput, IsTheSameOnAnotherEngine) {
  const auto folder = source_folder() / GetParam().folder;
  const std::shared_ptr<const Transformer> here = Transformer::load(folder);
  const auto [there, engine] = load_with_engine(folder);
  const std::vector<int> ids{5, 17, 33, 60, 8, 91, 12};
  const Matrix X = here->embed(ids).cast<double>();
  const auto sample = ModelMap(there, GetParam().output).at(X), expected = ModelMap(here, GetParam().output).at(X);
  EXPECT_EQ(sample->features(), expected->features());
  EXPECT_GT(sample->moves_at_once(), 0);
  const Matrix deltas = Matrix::Random(3, X.cols());
  const auto compare = [&](const LiftedFunction& got, const LiftedFunction& wanted) {
    Matrix got_gradients, wanted_gradients;
    const Vector values = got.values(deltas, &got_gradients), right = wanted.values(deltas, &wanted_gradients);
    EXPECT_LT((values - right).norm(), 1e-5 * right.norm());
    EXPECT_LT((got_gradients - wanted_gradients).norm(), 1e-4 * wanted_gradients.norm());
    EXPECT_LT((got.values(deltas, nullptr) - right).norm(), 1e-5 * right.norm());
    Vector one;
    EXPECT_NEAR(got(deltas.row(2).transpose(), &one), right[2], 1e-5 * std::abs(right[2]));
    EXPECT_LT((one.transpose() - wanted_gradients.row(2)).norm(), 1e-4 * wanted_gradients.row(2).norm());
  };
  for (const Index token : {Index{0}, Index{3}}) {
    compare(*sample->token(token)->change(), *expected->token(token)->change());
    const Matrix psi = Matrix::Random(expected->features().rows(), expected->features().cols());
    compare(*sample->token(token)->inner(psi), *expected->token(token)->inner(psi));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EveryOutput,
                         testing::Values(Output{"tests/golden/models/bert", {2}},
                                         Output{"tests/golden/models/bert", {2, readout_named("last")}},
                                         Output{"tests/golden/models/bert", {2, readout_named("pooled")}},
                                         Output{"tests/golden/sentence/bert-cls-dense", {2, readout_named("pooled")}},
                                         Output{"tests/golden/sentence/bert-concat", {2, readout_named("pooled")}},
                                         Output{"tests/golden/sentence/bert-weightedmean",
                                                {2, readout_named("pooled")}},
                                         Output{"models/builtin-decoder", {6, readout_named("logits")}}));

TEST(Lockstep, SearchesOfAllTokensAreThoseOfEachAndShareTheirBatches) {
  const auto [transformer, engine] = load_with_engine(golden_models() / "bert");
  const std::vector<int> ids{5, 17, 33, 60, 8, 91, 12, 44};
  const auto sample = ModelMap(transformer, {2}).at(transformer->embed(ids).cast<double>());
  SensitivityOptions options;
  options.starts = 8;
  const auto all = measure_tokens(*sample, options, Stream(1));
  const int batches = engine->batches, copies = engine->copies;
  EXPECT_GT(copies, 8 * batches) << "a batch has more than one move of each token";
  for (Index token = 0; token < 8; ++token)
    EXPECT_EQ(all.sensitivities[static_cast<size_t>(token)],
              measure_token(*sample, token, options, Stream(1)).sensitivity);
  EXPECT_GT(engine->batches - batches, 4 * batches) << "alone, every token needs batches of its own";
}

class BuiltinModel : public testing::Test {
 protected:
  const std::filesystem::path folder = source_folder() / "models/builtin";
  const Model here = load_model(folder);
  Model there = here;
  std::shared_ptr<const ProcessorEngine> engine;

  BuiltinModel() {
    const auto loaded = load_with_engine(folder);
    there.transformer = loaded.transformer;
    engine = loaded.engine;
  }
};

TEST_F(BuiltinModel, WordsAreThoseOfTheProcessor) {
  WordOptions options;
  options.replacements = 4;
  options.ball = BallSearch::kPower;
  const std::string text = "the film was not good";
  const auto found = word_effects(there, text, options), expected = word_effects(here, text, options);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t w = 0; w < found.size(); ++w) {
    EXPECT_NEAR(*found[w].sensitivity, *expected[w].sensitivity, 1e-3 * *expected[w].sensitivity);
    EXPECT_NEAR(found[w].typical->change, expected[w].typical->change, 1e-4);
    EXPECT_EQ(found[w].worst_word, expected[w].worst_word);
    EXPECT_NEAR(found[w].dropped->change, expected[w].dropped->change, 1e-4);
  }
  EXPECT_GT(engine->forwards, 0);
  EXPECT_GT(engine->batches, 0);
}

TEST_F(BuiltinModel, AttentionIsThatOfTheProcessor) {
  const std::vector<int> ids{5, 17, 33, 60, 8, 91, 12};
  const MatrixF x = here.transformer->embed(ids);
  for (const Index layer : {Index{1}, here.transformer->config().layers}) {
    EXPECT_EQ(there.transformer->attention(x, layer, 1), here.transformer->attention(x, layer, 1));
    EXPECT_EQ(engine->layers_asked, layer - 1);
  }
  EXPECT_GT(engine->forwards, 0);
}

TEST_F(BuiltinModel, EmbeddingsAreThoseOfTheProcessor) {
  std::vector<LabelledText> texts;
  for (int k = 0; k < 60; ++k) texts.push_back({"the film was good " + std::to_string(k), std::nullopt, "0"});
  const auto encodings = encode_texts(here, texts);
  const auto found = embed_texts(there, texts, encodings, {}), expected = embed_texts(here, texts, encodings, {});
  for (size_t k = 0; k < texts.size(); ++k) EXPECT_LT((found[k] - expected[k]).norm(), 1e-5 * expected[k].norm());
}

// A decoder's text grows there, and its logits come from there.
TEST(BuiltinDecoder, AnswersAreThoseOfTheProcessor) {
  const auto folder = source_folder() / "models/builtin-decoder";
  const Model here = load_model(folder);
  Model there = here;
  const auto [transformer, engine] = load_with_engine(folder);
  there.transformer = transformer;
  GenerateOptions options;
  options.max_new_tokens = 12;
  const auto [a, b] = builtin_prompts();
  const Answers found = compare_answers(there, a, b, options), expected = compare_answers(here, a, b, options);
  EXPECT_EQ(found.a.ids, expected.a.ids);
  EXPECT_EQ(found.b.ids, expected.b.ids);
  EXPECT_EQ(found.divergence, expected.divergence);
  EXPECT_GT(engine->extensions, 4);
  EXPECT_GT(engine->products, 4);
}

TEST(BuiltinDecoder, ACopyOfACacheGoesOnByItself) {
  const auto [transformer, engine] = load_with_engine(source_folder() / "models/builtin-decoder");
  const std::vector<int> ids{5, 17, 33, 60, 8, 91, 12};
  const MatrixF whole = transformer->forward(transformer->embed(ids), transformer->config().layers);
  KeyValueCache first = transformer->make_cache();
  ASSERT_NE(first.device_cache(), nullptr);
  transformer->extend(std::span(ids).first(4), first);
  KeyValueCache second = first;
  transformer->extend(std::vector<int>{70, 71}, second);
  const MatrixF rest = transformer->extend(std::span(ids).subspan(4), first);
  EXPECT_LT((rest - whole.bottomRows(3)).norm(), 1e-5 * rest.norm());
  EXPECT_EQ(second.tokens(), 6);
  EXPECT_GT(second.bytes(), 0);
  second = first;
  EXPECT_EQ(second.tokens(), 7);
  transformer->use_engine(nullptr);
  EXPECT_THROW(transformer->extend(ids, first), UsageError) << "of a device that is no longer used";
}

TEST_F(BuiltinModel, RowsAndJournalsSayWhereTheyWereComputed) {
  EXPECT_TRUE(device_fields(*here.transformer).fields().empty());
  EXPECT_EQ(device_fields(*there.transformer).text("device"), "cuda");
  EXPECT_EQ(device_fields(*there.transformer).text("precision"), "f32");
  EXPECT_EQ(here.transformer->content().find("device"), nullptr);
  EXPECT_NE(there.transformer->content().find("device"), nullptr);
}

TEST(LoadModel, AnotherDeviceIsRefusedInOneSentenceWhereThereIsNone) {
  try {
    load_model(source_folder() / "models/builtin", {DeviceKind::kCuda, Precision::kF32});
    GTEST_SKIP() << "there is a device";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("--device cpu"));
  }
}

}  // namespace
}  // namespace wordsway::test
