// Folders of sentence-transformers: the same vectors as SentenceTransformer.encode, and the same gradients as PyTorch.
// The folders were made for the purpose by tests/golden/make_sentence_golden.py.
#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/matrices.h"
#include "support/places.h"
#include "wordsway/audit/embed.h"
#include "wordsway/io/json_view.h"

namespace wordsway::test {
namespace {

class SentenceFolders : public testing::TestWithParam<const char*> {
 protected:
  const std::filesystem::path folder_ = source_folder() / "tests/golden/sentence" / GetParam();
  const Model model_ = load_model(folder_);
  const Golden golden_{folder_ / "expected.safetensors"};
  const JsonView expected_ = JsonView::read(folder_ / "expected.json");

  // As `SentenceTransformer.encode(text)`, with prompt_name= or prompt=.
  std::string prompt_of(const JsonView& text) const {
    const std::string call = text["call"].string();
    if (call == "prompt") return text["prompt"].string_or("");
    return prompt_named(model_, call == "name" ? std::optional(text["prompt_name"].string()) : std::nullopt);
  }

  EmbedOptions pooled(const std::string& prompt) const {
    EmbedOptions options;
    options.output =
        ModelOutput{model_.transformer->config().layers, readout_named("pooled"), unpooled_tokens(model_, prompt)};
    return options;
  }
};

TEST_P(SentenceFolders, EmbedAsSentenceTransformersDoes) {
  EXPECT_EQ(model_.most_tokens(), expected_["max_length"].integer());
  EXPECT_EQ(model_.sentence.similarity, expected_["similarity"].string_or("cosine"));
  EXPECT_EQ(model_.transformer->sentence_chain().output_size(model_.transformer->config().hidden_size),
            expected_["dimension"].integer());
  for (const JsonView& text : expected_["texts"].elements()) {
    SCOPED_TRACE(text.where() + ": " + text["text"].string());
    const std::string prompt = prompt_of(text);
    const std::vector<LabelledText> texts{{text["text"].string(), std::nullopt, "0"}};
    const std::vector<Encoding> encodings = encode_texts(model_, texts, {.prompt = prompt});
    std::vector<int> ids;
    for (const JsonView& id : text["ids"].elements()) ids.push_back(static_cast<int>(id.integer()));
    ASSERT_EQ(encodings[0].ids, ids);
    if (text["prompt_length"].exists()) {
      EXPECT_EQ(unpooled_tokens(model_, prompt), text["prompt_length"].integer());
    }
    const MatrixF vector = embed_texts(model_, texts, encodings, pooled(prompt)).front();
    EXPECT_LT(relative_error(vector, golden_.matrix(text["tensor"].string()).cast<double>()), 1e-6);
  }
}

TEST_P(SentenceFolders, TextsTogetherHaveTheBitsOfEachAlone) {
  std::vector<LabelledText> texts;
  for (const JsonView& text : expected_["texts"].elements())
    texts.push_back({text["text"].string(), std::nullopt, std::to_string(texts.size())});
  const auto encodings = encode_texts(model_, texts);
  const auto together = embed_texts(model_, texts, encodings, pooled(""));
  for (size_t t = 0; t < texts.size(); ++t)
    EXPECT_EQ(
        together[t],
        embed_texts(model_, std::span(texts).subspan(t, 1), std::span(encodings).subspan(t, 1), pooled("")).front());
}

TEST_P(SentenceFolders, TheWholeChainHasPyTorchsGradient) {
  const JsonView text = expected_["texts"].elements()[static_cast<size_t>(expected_["engine"]["text"].integer())];
  const Transformer& transformer = *model_.transformer;
  const Index layers = transformer.config().layers;
  const Index first = text["prompt_length"].exists() ? text["prompt_length"].integer() : 0;
  const MatrixF x = transformer.embed(golden_.ids());
  TransformerTrace trace;
  const MatrixF hidden = transformer.forward(x, layers, {}, trace);
  const SentenceChain& chain = transformer.sentence_chain();
  EXPECT_LT(relative_error(hidden, golden_.matrix("hidden." + std::to_string(layers)).cast<double>()), 5e-6);
  EXPECT_LT(relative_error(MatrixF(chain.forward(hidden, {}, first)), golden_.matrix("pooled").cast<double>()), 2e-6);
  const RowF cotangent = golden_.matrix("pooled_cotangent").row(0);
  EXPECT_LT(relative_error(transformer.vjp(trace, chain.vjp(hidden, {}, cotangent, first)),
                           golden_.matrix("pooled_gradient").cast<double>()),
            1e-5);
}

// The whole chain as a feature map: its gradient by Δ against differences.
TEST_P(SentenceFolders, TheGradientOfThePooledChangeIsThatOfDifferences) {
  const MatrixF x = model_.transformer->embed(golden_.ids());
  const ModelMap map(model_.transformer, {model_.transformer->config().layers, readout_named("pooled")});
  const auto sample = map.at(x.cast<double>());
  const auto change = sample->token(2)->change();
  const Vector at = random_row(x.cols(), 3, 0.5f).transpose().cast<double>();
  Vector gradient;
  (*change)(at, &gradient);
  const Vector direction = gradient.normalized();
  const double step = 2e-2;
  const double difference = ((*change)(at + step * direction) - (*change)(at - step * direction)) / (2 * step);
  EXPECT_NEAR(difference / gradient.norm(), 1, 2e-2);
}

INSTANTIATE_TEST_SUITE_P(All, SentenceFolders,
                         testing::Values("bert-cls-dense", "mpnet-mean-prompt", "xlmr-cls", "modernbert-mean",
                                         "bert-weightedmean", "bert-concat", "roberta-plain", "bert-lasttoken",
                                         "roberta-prompt"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace wordsway::test
