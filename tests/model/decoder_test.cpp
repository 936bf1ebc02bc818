// Properties of decoders alone: rows before a token do not depend on it, and are not computed again when it moves.
#include <fstream>
#include <functional>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/reference.h"
#include "support/golden.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/model/attract.h"

namespace wordsway::test {
namespace {

using Json = nlohmann::json;

class Decoders : public testing::TestWithParam<std::string> {
 protected:
  const std::unique_ptr<Transformer> transformer = Transformer::load(golden_models() / GetParam());
  const Golden golden{golden_models() / GetParam() / "expected.safetensors"};
  const AttentionMask mask = golden.mask();
  const MatrixF x = transformer->embed(golden.ids()), cotangent = golden.matrix("cotangent");
  const Index n = x.rows(), layers = transformer->config().layers;

  MatrixF moved(Index token) const {
    MatrixF changed = x;
    changed.row(token) += random_row(x.cols(), 40);
    return changed;
  }
};

TEST_P(Decoders, KnowThatTheyAre) {
  EXPECT_TRUE(transformer->is_decoder());
  EXPECT_TRUE(transformer->predicts_next_word());
  EXPECT_FALSE(transformer->predicts_words());
  EXPECT_FALSE(Transformer::load(golden_models() / "bert")->is_decoder());
}

TEST_P(Decoders, RowsBeforeATokenDoNotMoveWithIt) {
  const Index token = 5;
  const auto before = transformer->hidden_states(x, mask), after = transformer->hidden_states(moved(token), mask);
  for (size_t layer = 0; layer < before.size(); ++layer) {
    EXPECT_EQ(MatrixF(before[layer].topRows(token)), MatrixF(after[layer].topRows(token))) << layer;
    EXPECT_NE(before[layer].row(token), after[layer].row(token)) << layer;
  }
}

TEST_P(Decoders, AChangedRowGivesWhatAWholeForwardGives) {
  TransformerTrace base, trace, whole;
  for (Index layer = 0; layer <= layers; ++layer) {
    const MatrixF unchanged = transformer->forward(x, layer, mask, base);
    for (const Index token : {Index{0}, Index{3}, n - 1}) {
      const MatrixF expected = transformer->forward(moved(token), layer, mask, whole);
      const MatrixF got = transformer->forward_changed_row(moved(token), token, base, trace);
      EXPECT_LT(relative_error(got, expected.cast<double>()), 2e-6) << layer << "," << token;
      EXPECT_EQ(MatrixF(got.topRows(token)), MatrixF(unchanged.topRows(token))) << layer << "," << token;
      for (const Index row : {token, n - 1})
        EXPECT_LT(relative_error(MatrixF(transformer->vjp_row(trace, cotangent, row)),
                                 transformer->vjp_row(whole, cotangent, row).cast<double>()),
                  1e-5)
            << layer << "," << token << "," << row;
    }
  }
}

TEST_P(Decoders, SeveralChangedRowsTogetherAreThoseOneByOne) {
  TransformerTrace base, trace, alone;
  for (const Index layer : {Index{0}, Index{1}, layers}) {
    transformer->forward(x, layer, {}, base);
    for (const Index token : {Index{0}, Index{3}, n - 1}) {
      const Index m = n - token;
      MatrixF rows(3, x.cols()), cotangents(3 * m, x.cols());
      for (Index k = 0; k < 3; ++k) rows.row(k) = x.row(token) + random_row(x.cols(), 50 + static_cast<unsigned>(k));
      for (Index k = 0; k < 3; ++k)
        cotangents.middleRows(k * m, m) = cotangent.bottomRows(m) * static_cast<float>(k + 1);
      const MatrixF hidden = transformer->forward_changed_rows(x, rows, token, base, &trace);
      EXPECT_EQ(transformer->forward_changed_rows(x, rows, token, base, nullptr), hidden);
      const MatrixF gradients = transformer->vjp_changed_rows(trace, cotangents, token);
      for (Index k = 0; k < 3; ++k) {
        MatrixF changed = x;
        changed.row(token) = rows.row(k);
        const MatrixF own = hidden.middleRows(k * m, m);
        MatrixF its_cotangent = MatrixF::Zero(n, x.cols());
        its_cotangent.bottomRows(m) = cotangents.middleRows(k * m, m);
        EXPECT_EQ(own, MatrixF(transformer->forward_changed_row(changed, token, base, alone).bottomRows(m)))
            << layer << "," << token;
        EXPECT_LT(
            relative_error(MatrixF(gradients.row(k)), transformer->vjp_row(alone, its_cotangent, token).cast<double>()),
            1e-6)
            << layer << "," << token;
        const MatrixF expected = transformer->forward(changed, layer, {}, alone);
        EXPECT_LT(relative_error(own, expected.bottomRows(m).cast<double>()), 2e-6) << layer << "," << token;
        EXPECT_LT(
            relative_error(MatrixF(gradients.row(k)), transformer->vjp(alone, its_cotangent).row(token).cast<double>()),
            1e-5)
            << layer << "," << token;
      }
    }
  }
}

TEST_P(Decoders, SeveralChangedRowsMustFitTheirText) {
  TransformerTrace base, trace;
  transformer->forward(x, layers, {}, base);
  const MatrixF rows = x.topRows(2);
  EXPECT_THROW(transformer->forward_changed_rows(x, rows, n, base, &trace), UsageError);
  EXPECT_THROW(transformer->forward_changed_rows(x, MatrixF::Zero(2, x.cols() + 1), 0, base, &trace), DataError);
  EXPECT_THROW(transformer->forward_changed_rows(x.topRows(2), rows, 0, base, &trace), DataError);
  transformer->forward_changed_rows(x, rows, 1, base, &trace);
  EXPECT_THROW(transformer->vjp_row(trace, cotangent, 1), UsageError);
  EXPECT_THROW(transformer->vjp_changed_rows(trace, cotangent, 1), DataError);
  TransformerTrace another;
  EXPECT_THROW(transformer->forward_changed_rows(x, rows, 1, trace, &another), UsageError);
}

// Using them would give NaN: if one of them were read, the rows after them would show it.
TEST_P(Decoders, RowsBeforeAChangedOneAreNotComputedAgain) {
  const Index token = 4;
  TransformerTrace base, trace, poisoned_trace;
  transformer->forward(x, layers, mask, base);
  MatrixF poisoned = moved(token), bad_cotangent = cotangent;
  poisoned.topRows(token).setConstant(std::nanf(""));
  bad_cotangent.topRows(token).setConstant(std::nanf(""));
  EXPECT_EQ(transformer->forward_changed_row(poisoned, token, base, poisoned_trace),
            transformer->forward_changed_row(moved(token), token, base, trace));
  EXPECT_EQ(transformer->vjp_row(poisoned_trace, bad_cotangent, token), transformer->vjp_row(trace, cotangent, token));
}

TEST_P(Decoders, NorWhenSeveralChangeTogether) {
  const Index token = 4;
  TransformerTrace base, trace, poisoned_trace;
  transformer->forward(x, layers, {}, base);
  MatrixF poisoned = x, cotangents = cotangent.bottomRows(n - token).replicate(3, 1);
  poisoned.topRows(token).setConstant(std::nanf(""));
  MatrixF rows(3, x.cols());
  for (Index k = 0; k < 3; ++k) rows.row(k) = random_row(x.cols(), 60 + static_cast<unsigned>(k));
  EXPECT_EQ(transformer->forward_changed_rows(poisoned, rows, token, base, &poisoned_trace),
            transformer->forward_changed_rows(x, rows, token, base, &trace));
  EXPECT_EQ(transformer->vjp_changed_rows(poisoned_trace, cotangents, token),
            transformer->vjp_changed_rows(trace, cotangents, token));
}

TEST_P(Decoders, ATraceOfAChangedRowHasNoRowsBeforeIt) {
  TransformerTrace base, trace, another;
  transformer->forward(x, layers, mask, base);
  transformer->forward_changed_row(moved(4), 4, base, trace);
  EXPECT_THROW(transformer->vjp(trace, cotangent), UsageError);
  EXPECT_THROW(transformer->vjp_row(trace, cotangent, 3), UsageError);
  EXPECT_THROW(transformer->forward_changed_row(moved(4), 4, trace, another), UsageError);
  transformer->forward(x, layers, mask, trace);  // used again, it has all rows
  EXPECT_EQ(transformer->vjp(trace, cotangent), transformer->vjp(base, cotangent));
}

TEST_P(Decoders, OnlyQueriesAfterATokenAreAttracted) {
  const Index token = 5;
  const MatrixF A = transformer->score_gradients(x, token);
  for (Index head = 0; head < transformer->config().attention.heads; ++head) {
    for (Index query = 0; query < token; ++query) EXPECT_EQ(A.row(head * n + query).norm(), 0);
    EXPECT_GT(A.row(head * n + token + 1).norm(), 0);
  }
  EXPECT_TRUE(attracting_direction(*transformer, x, token).allFinite());
  EXPECT_EQ(attracting_direction(*transformer, x, n - 1), Vector(x.row(n - 1).transpose().cast<double>()))
      << "nobody else sees the last token";
}

INSTANTIATE_TEST_SUITE_P(Folders, Decoders, testing::ValuesIn(golden_decoder_names()),
                         [](const auto& test) { return test_name(test.param); });

// A copy of a small model whose config.json is changed.
class ChangedDecoder : public testing::Test {
 protected:
  std::unique_ptr<Transformer> load(const std::string& model, const std::function<void(Json&)>& change) const {
    const std::filesystem::path folder = temporary_.path(model);
    std::filesystem::copy(golden_models() / model, folder,
                          std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
    std::ifstream in(folder / "config.json");
    Json config = Json::parse(in);
    change(config);
    std::ofstream(folder / "config.json") << config.dump();
    return Transformer::load(folder);
  }

  void expect_refused(const std::string& model, const std::string& key, const Json& value,
                      const std::string& about) const {
    EXPECT_THAT(
        [&] { load(model, [&](Json& config) { config[key] = value; }); },
        testing::ThrowsMessage<DataError>(testing::AllOf(testing::HasSubstr("config.json"), testing::HasSubstr(about))))
        << key;
  }

  static MatrixF last_state(const Transformer& transformer) {
    const std::vector<int> ids{5, 17, 33, 60, 8, 91, 44, 3, 70};
    return transformer.forward(transformer.embed(ids), transformer.config().layers);
  }

  void expect_same(const std::string& model, const std::function<void(Json&)>& change) const {
    EXPECT_EQ(last_state(*load(model, change)), last_state(*Transformer::load(golden_models() / model)));
  }

 private:
  TemporaryFolder temporary_;
};

TEST_F(ChangedDecoder, KeysOfBothGenerationsSayTheSame) {
  expect_same("llama-scaled", [](Json& config) {  // as Transformers 5 writes it
    config["rope_parameters"] = config["rope_scaling"];
    config["rope_parameters"]["rope_theta"] = config["rope_theta"];
    config.erase("rope_scaling");
    config.erase("rope_theta");
  });
  expect_same("qwen3", [](Json& config) {  // as Transformers 4 wrote it first
    config["rope_theta"] = config["rope_parameters"]["rope_theta"];
    config["rope_scaling"] = {{"type", "linear"}, {"factor", 3.0}};
    config.erase("rope_parameters");
  });
  expect_same("qwen2", [](Json& config) {
    config["layer_types"] = {"full_attention", "sliding_attention", "sliding_attention"};
    config["max_window_layers"] = 28;
  });
  expect_same("llama", [](Json& config) { config["head_dim"] = nullptr; });
  expect_same("qwen3-window", [](Json& config) { config["num_key_value_heads"] = nullptr; });
}

TEST_F(ChangedDecoder, AWindowCountsWhereItIsUsed) {
  const MatrixF with = last_state(*Transformer::load(golden_models() / "qwen2"));
  const auto without = [](Json& config) { config["use_sliding_window"] = false; };
  const auto beyond = [](Json& config) { config["sliding_window"] = 40; };
  EXPECT_NE(last_state(*load("qwen2", without)), with);
  EXPECT_LT(relative_error(last_state(*load("qwen2", without)), last_state(*load("qwen2", beyond)).cast<double>()),
            1e-6);
  EXPECT_NE(last_state(*load("mistral", [](Json& config) { config["sliding_window"] = nullptr; })),
            last_state(*Transformer::load(golden_models() / "mistral")));
  // 4096 is more than these texts have.
  const auto missing = load("mistral", [](Json& config) { config.erase("sliding_window"); });
  const auto none = load("mistral", [](Json& config) { config["sliding_window"] = nullptr; });
  EXPECT_LT(relative_error(last_state(*missing), last_state(*none).cast<double>()), 1e-6);
}

TEST_F(ChangedDecoder, WithoutAHeadThereAreNoLogits) {
  const auto transformer = load("qwen2", [](Json& config) { config["tie_word_embeddings"] = false; });
  EXPECT_FALSE(transformer->predicts_next_word());
  EXPECT_THROW(transformer->logits(last_state(*transformer)), DataError);
}

TEST_F(ChangedDecoder, AbsurdAndUnsupportedValuesAreRefused) {
  expect_refused("llama", "num_key_value_heads", 3, "must divide the 4 heads");
  expect_refused("llama", "num_key_value_heads", 8, "num_key_value_heads");
  expect_refused("llama", "head_dim", 0, "head_dim");
  expect_refused("llama", "head_dim", 7, "must be even");
  expect_refused("llama", "head_dim", 1e9, "head_dim");
  expect_refused("llama", "rms_norm_eps", -1, "rms_norm_eps");
  expect_refused("llama", "hidden_act", "mish", "mish");
  expect_refused("llama", "max_position_embeddings", nullptr, "is missing");
  expect_refused("llama", "vocab_size", 18446744073709551615ULL, "vocab_size");
  expect_refused("llama", "rope_parameters", {{"rope_type", "yarn"}, {"factor", 4}}, "is \"yarn\"");
  expect_refused("llama", "rope_parameters", {{"rope_type", "linear"}}, "'factor' is missing");
  expect_refused("llama", "rope_parameters", {{"rope_type", "linear"}, {"factor", 0}}, "factor");
  expect_refused("llama", "rope_parameters", {{"rope_theta", -5}}, "rope_theta");
  expect_refused("llama", "rope_parameters", {{"partial_rotary_factor", 0.5}}, "partial_rotary_factor");
  expect_refused("llama-scaled", "rope_scaling", {{"type", "dynamic"}}, "is \"dynamic\"");
  expect_refused("llama-scaled", "rope_scaling", {{"rope_type", "llama3"}, {"factor", 4}}, "low_freq_factor");
  expect_refused("mistral", "sliding_window", 0, "sliding_window");
  expect_refused("qwen2", "max_window_layers", -1, "max_window_layers");
  expect_refused("qwen3-window", "layer_types", {"full_attention"}, "each of the 3 layers");
  expect_refused("gpt2", "n_head", 5, "must divide the hidden size");
  expect_refused("gpt2", "n_embd", nullptr, "n_embd");
  expect_refused("gpt2", "scale_attn_weights", false, "scale_attn_weights");
  expect_refused("gpt2", "scale_attn_by_inverse_layer_idx", true, "scale_attn_by_inverse_layer_idx");
}

}  // namespace
}  // namespace wordsway::test
