// The sentence chain against its definition and differences, and the files it is read from.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/reference.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/model/sentence_folder.h"

namespace wordsway::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::ThrowsMessage;
using testing::UnorderedElementsAre;

const std::vector<int> kVisible{1, 0, 1, 1, 0, 1};
constexpr Index kTokens = 6, kWidth = 5;

Eigen::RowVectorXd pool_reference(PoolingMode mode, const Matrix& h, const AttentionMask& mask, Index first) {
  std::vector<Index> tokens;
  for (Index j = first; j < h.rows(); ++j)
    if (mask.visible(j)) tokens.push_back(j);
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(h.cols()), most = h.row(tokens.front());
  double weights = 0;
  for (const Index j : tokens) {
    const double weight = mode == PoolingMode::kWeightedMean ? static_cast<double>(j + 1) : 1;
    sum += weight * h.row(j);
    weights += weight;
    most = most.cwiseMax(h.row(j));
  }
  switch (mode) {
    case PoolingMode::kCls:
      return h.row(tokens.front());
    case PoolingMode::kLastToken:
      return h.row(tokens.back());
    case PoolingMode::kMax:
      return most;
    case PoolingMode::kMeanSqrtLength:
      return sum / std::sqrt(weights);
    default:
      return sum / weights;
  }
}

void expect_right(const SentenceChain& chain, const std::function<Matrix(const Matrix&)>& definition,
                  const AttentionMask& mask, Index first) {
  const MatrixF hidden = random_matrix(kTokens, kWidth, 1);
  const RowF cotangent = random_row(chain.output_size(kWidth), 2);
  EXPECT_LT(relative_error(MatrixF(chain.forward(hidden, mask, first)), definition(hidden.cast<double>())), 1e-6);
  const Matrix expected = vjp_by_differences(definition, hidden.cast<double>(), cotangent.cast<double>());
  EXPECT_LT(relative_error(chain.vjp(hidden, mask, cotangent, first), expected), 2e-5);
}

TEST(SentenceChain, EveryModeAgreesWithItsDefinitionAndDifferences) {
  for (const char* name : {"cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"}) {
    SCOPED_TRACE(name);
    const PoolingMode mode = pooling_mode_named(name);
    EXPECT_EQ(to_string(mode), name);
    for (const Index first : {0, 2}) {
      for (const AttentionMask& mask : {AttentionMask(), AttentionMask(kVisible)}) {
        const auto pooled = [&](const Matrix& h) -> Matrix { return pool_reference(mode, h, mask, first); };
        expect_right({{mode}}, pooled, mask, first);
        expect_right(
            {{mode}, true, {{NormalizeModule{}}}},
            [&](const Matrix& h) -> Matrix { return pooled(h) / pooled(h).norm(); }, mask, first);
      }
    }
  }
}

TEST(SentenceChain, StepsAgreeWithTheirDefinitionsAndDifferences) {
  const Linear wide = random_linear(2 * kWidth, 4, 3), square = random_linear(4, 4, 5);
  const Linear past{random_linear(2 * kWidth, 4, 7).weight, {}};
  const LayerNorm norm{random_row(4, 9), random_row(4, 10), 1e-5f};
  const SentenceChain chain{{PoolingMode::kMean, PoolingMode::kMax},
                            true,
                            {{DenseModule{wide, ActivationKind::kGelu, true, past}},
                             {LayerNormModule{norm}},
                             {DenseModule{square, ActivationKind::kTanh, true}},
                             {DenseModule{square, ActivationKind::kIdentity}},
                             {NormalizeModule{}}}};
  chain.check(kWidth);
  EXPECT_EQ(chain.describe(),
            "mean, max, dense 10 to 4 gelu with residual, layer norm, dense 4 to 4 tanh with residual, "
            "dense 4 to 4 identity, normalised");
  EXPECT_EQ(chain.parameters(), wide.parameters() + past.parameters() + norm.parameters() + 2 * square.parameters());
  const auto definition = [&](const Matrix& h) -> Matrix {
    Matrix x(1, 2 * kWidth);
    x << pool_reference(PoolingMode::kMean, h, {}, 0), pool_reference(PoolingMode::kMax, h, {}, 0);
    const auto gelu = [](double v) { return activation_reference(ActivationKind::kGelu, v); };
    x = (linear_reference(wide, x).unaryExpr(gelu) + linear_reference(past, x)).eval();
    x = layer_norm_reference(norm, x);
    x = (linear_reference(square, x).array().tanh().matrix() + x).eval();
    x = linear_reference(square, x);
    return x / x.norm();
  };
  expect_right(chain, definition, {}, 0);
}

TEST(SentenceChain, OfAZeroVectorIsZeroAndNotNaN) {
  const SentenceChain chain{{PoolingMode::kMean}, true, {{NormalizeModule{}}}};
  EXPECT_EQ(chain.forward(MatrixF::Zero(3, 4)), RowF::Zero(4));
}

TEST(SentenceChain, RefusesStepsThatDoNotFitAndTextsWithoutTokens) {
  const SentenceChain chain{{PoolingMode::kMean}, true, {{DenseModule{random_linear(7, 4, 1)}, "2_Dense/config.json"}}};
  EXPECT_THAT([&] { chain.check(5); },
              ThrowsMessage<DataError>(HasSubstr("2_Dense/config.json: the module takes 7 numbers, but what comes "
                                                 "before it gives 5")));
  EXPECT_THAT([] { SentenceChain().forward(random_matrix(3, 4, 1), {}, 3); },
              ThrowsMessage<DataError>(HasSubstr("no token is left to pool")));
  EXPECT_THAT([] { pooling_mode_named("median"); }, ThrowsMessage<UsageError>(HasSubstr("'median'; there are: cls")));
}

class SentenceFiles : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories(folder.path(name).parent_path());
    std::ofstream(folder.path(name)) << content;
  }
  void write_modules(const std::string& more = "") const {
    write("modules.json", R"([{"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
                              {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"})" +
                              more + "]");
  }
  void write_pooling(const std::string& config) const {
    write_modules();
    write("1_Pooling/config.json", config);
  }
  SentenceFolder read() const { return read_sentence_folder(folder.folder()); }
  void expect_refused(const std::string& part) const {
    EXPECT_THAT([&] { read(); }, ThrowsMessage<DataError>(HasSubstr(part)));
  }
  TemporaryFolder folder;
};

TEST_F(SentenceFiles, MeanWithoutModules) {
  write("config_sentence_transformers.json", R"({"prompts": {"query": "q: "}, "default_prompt_name": "query"})");
  EXPECT_THAT(read().chain.modes, ElementsAre(PoolingMode::kMean));
  EXPECT_FALSE(read().chain.normalised());
  EXPECT_TRUE(read().settings.modules_file.empty());
  EXPECT_TRUE(read().settings.prompts.empty()) << "prompts belong to modules, as in sentence-transformers";
}

TEST_F(SentenceFiles, BothGenerationsOfPooling) {
  write_pooling(R"({"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false})");
  EXPECT_THAT(read().chain.modes, ElementsAre(PoolingMode::kCls));
  write_pooling(R"({"pooling_mode_lasttoken": true, "pooling_mode_max_tokens": true, "pooling_mode_cls_token": true})");
  EXPECT_THAT(read().chain.modes, ElementsAre(PoolingMode::kCls, PoolingMode::kMax, PoolingMode::kLastToken));
  write_pooling(R"({"pooling_mode": "weightedmean", "pooling_mode_cls_token": true, "include_prompt": false})");
  EXPECT_THAT(read().chain.modes, ElementsAre(PoolingMode::kWeightedMean));
  EXPECT_FALSE(read().chain.include_prompt);
  write_pooling(R"({"pooling_mode": ["lasttoken", "cls"]})");
  EXPECT_THAT(read().chain.modes, ElementsAre(PoolingMode::kLastToken, PoolingMode::kCls)) << "the order of the list";
  write_pooling("{}");
  EXPECT_THAT(read().chain.modes, ElementsAre(PoolingMode::kMean));
  EXPECT_EQ(read().settings.pooling_file, "1_Pooling/config.json");
}

TEST_F(SentenceFiles, ATransformerMayHaveAFolderOfItsOwn) {
  write("modules.json",
        R"([{"path": "0_Transformer", "type": "a.Transformer"}, {"path": "1_Pooling", "type": "Pooling"},
                            {"path": "2_Normalize", "type": "a.b.Normalize"}])");
  write("1_Pooling/config.json", "{}");
  write("0_Transformer/sentence_roberta_config.json", R"({"max_seq_length": 77, "do_lower_case": true})");
  const SentenceFolder found = read();
  EXPECT_EQ(found.transformer, folder.path("0_Transformer"));
  EXPECT_TRUE(found.chain.normalised());
  EXPECT_EQ(found.settings.max_length, 77);
  EXPECT_EQ(found.settings.max_length_file, "sentence_roberta_config.json");
  EXPECT_TRUE(found.settings.lower_case);
}

TEST_F(SentenceFiles, PromptsAndSimilarity) {
  write_pooling("{}");
  write("config_sentence_transformers.json",
        R"({"prompts": {"query": "q: ", "none": null}, "default_prompt_name": "query", "similarity_fn_name": "dot",
            "truncate_dim": 3})");
  const SentenceFolder found = read();
  EXPECT_THAT(found.settings.prompts, UnorderedElementsAre(Pair("query", "q: "), Pair("none", "")));
  EXPECT_EQ(found.settings.default_prompt, "query");
  EXPECT_EQ(found.settings.similarity, "dot");
  EXPECT_EQ(found.chain.output_size(8), 3) << "truncate_dim cuts the vector";
}

TEST_F(SentenceFiles, WhatIsNotSupportedOrWrongIsNamed) {
  write_pooling(R"({"pooling_mode": "median"})");
  expect_refused("1_Pooling/config.json: 'pooling_mode' is not supported: unknown pooling 'median'");
  write_pooling(R"({"pooling_mode": []})");
  expect_refused("at least one");
  write_pooling(R"({"pooling_mode": 3})");
  expect_refused("'pooling_mode' must be a list of strings");
  write("modules.json", R"([{"type": "a.Transformer"}, {"type": "b.Pooling", "path": "gone"}])");
  expect_refused("gone/config.json: there is no such file, but modules.json has a Pooling module there");
  write("modules.json", R"([{"type": "a.Transformer"}, {"type": "b.Router", "path": "1"}])");
  expect_refused("names the module 'Router'; supported are");
  write("modules.json", R"([{"type": "a.Pooling", "path": "1_Pooling"}])");
  expect_refused("names Pooling as module 0");
  write("modules.json", R"([{"type": "a.Transformer"}])");
  expect_refused("expected at least the modules Transformer and Pooling");
  write("modules.json", R"([{"type": "a.Transformer", "path": "../other"}])");
  expect_refused("must be a folder inside the model's");
  write("modules.json", R"({"type": "a.Pooling"})");
  expect_refused("expected a JSON array");
  write_pooling("{}");
  for (const auto& [content, part] : std::vector<std::pair<std::string, std::string>>{
           {R"({"prompts": ["a"]})", "'prompts' must be an object"},
           {R"({"prompts": {"a": 5}})", "'prompts' must hold strings, but 'a' is 5"},
           {R"({"default_prompt_name": "a"})", "is \"a\", but there is no such prompt"},
           {R"({"similarity_fn_name": "hamming"})", "is \"hamming\"; supported are cosine"},
           {R"({"model_type": "CrossEncoder"})", "is \"CrossEncoder\""},
           {R"({"truncate_dim": -1})", "'truncate_dim' must be an integer"}}) {
    write("config_sentence_transformers.json", content);
    expect_refused(part);
  }
  std::filesystem::remove(folder.path("config_sentence_transformers.json"));
  write("sentence_bert_config.json", R"({"transformer_task": "text-generation"})");
  expect_refused("'transformer_task' must be \"feature-extraction\"");
  write("sentence_bert_config.json", R"({"modality_config": {"message": {"method": "forward"}}})");
  expect_refused("'modality_config'");
  write("sentence_bert_config.json", R"({"max_seq_length": "long"})");
  expect_refused("'max_seq_length' must be an integer");
}

TEST_F(SentenceFiles, DenseFilesMustFit) {
  write_pooling("{}");
  write_modules(R"(, {"path": "2_Dense", "type": "x.Dense"})");
  write("2_Dense/config.json", R"({"in_features": 5, "out_features": 3, "activation_function": "torch.nn.Mish"})");
  EXPECT_THROW(read(), FileError) << "no weights";
  write("2_Dense/config.json", R"({"in_features": 5, "out_features": 3, "module_input_name": "token_embeddings"})");
  expect_refused("must be \"sentence_embedding\"");
}

}  // namespace
}  // namespace wordsway::test
