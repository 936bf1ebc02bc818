// Two prompts beside each other: the divergence against slow references, and where answers part.
#include "wordsway/audit/answers.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/matrices.h"
#include "support/places.h"
#include "wordsway/core/error.h"

namespace wordsway::test {
namespace {

using testing::Each;
using testing::ElementsAre;

// From the definition.
double divergence_reference(const RowF& a, const RowF& b) {
  const auto softmax = [](const RowF& x) {
    Vector p = x.cast<double>().transpose();
    p = (p.array() - p.maxCoeff()).exp();
    return Vector(p / p.sum());
  };
  const Vector p = softmax(a), q = softmax(b), m = (p + q) / 2;
  double sum = 0;
  for (Index k = 0; k < p.size(); ++k) {
    if (p[k] > 0) sum += p[k] * std::log2(p[k] / m[k]);
    if (q[k] > 0) sum += q[k] * std::log2(q[k] / m[k]);
  }
  return sum / 2;
}

TEST(JensenShannon, IsItsDefinition) {
  for (const float scale : {0.01f, 1.f, 10.f}) {
    const RowF a = scale * random_row(500, 1), b = scale * random_row(500, 2);
    EXPECT_NEAR(jensen_shannon_divergence(a, b), divergence_reference(a, b), 1e-12);
    EXPECT_NEAR(jensen_shannon_divergence(b, a), jensen_shannon_divergence(a, b), 1e-15);
    EXPECT_EQ(jensen_shannon_divergence(a, a), 0);
  }
}

TEST(JensenShannon, GoesFromZeroToOneForAnyLogits) {
  RowF a = RowF::Constant(4, -3e38f), b = a;
  a[0] = b[1] = 3e38f;
  EXPECT_EQ(jensen_shannon_divergence(a, b), 1);
  EXPECT_EQ(jensen_shannon_divergence(a, a), 0);
  const RowF c = random_row(50, 3), shifted = c.array() + 1000.f;
  EXPECT_LT(jensen_shannon_divergence(c, shifted), 1e-8) << "a constant does not change a distribution";
  EXPECT_THROW(jensen_shannon_divergence(a, c), DataError);
  EXPECT_THROW(jensen_shannon_divergence(RowF(), RowF()), DataError);
}

class AnswersTest : public testing::Test {
 protected:
  const Model model = load_model(source_folder() / "tests/golden/generation/llama");
  const std::string good = "Review: I have rarely seen a film as good as this one. The actors were",
                    bad = "Review: I have rarely seen a film as bad as this one. The actors were";
  const GenerateOptions options{.max_new_tokens = 32};

  // The distribution of the next token, computed from the beginning.
  RowF next_logits(std::vector<int> ids, std::span<const int> more) const {
    ids.insert(ids.end(), more.begin(), more.end());
    const Transformer& transformer = *model.transformer;
    const MatrixF hidden = transformer.forward(transformer.embed(ids), transformer.config().layers);
    return transformer.logits(hidden.bottomRows(1)).row(0);
  }
};

TEST_F(AnswersTest, AreThoseOfGenerateWithTheFirstStepThatDiffers) {
  const Answers found = compare_answers(model, good, bad, options);
  EXPECT_EQ(found.a.ids, generate(model, good, options).ids);
  EXPECT_EQ(found.b.ids, generate(model, bad, options).ids);
  EXPECT_EQ(found.b.text, generate(model, bad, options).text);
  EXPECT_THAT(found.words, ElementsAre("good", "bad"));
  ASSERT_TRUE(found.first_difference);
  const auto step = static_cast<size_t>(*found.first_difference);
  EXPECT_GT(step, 0U);
  EXPECT_TRUE(std::equal(found.a.ids.begin(), found.a.ids.begin() + static_cast<long>(step), found.b.ids.begin()));
  EXPECT_NE(found.a.ids[step], found.b.ids[step]);
}

// The same tokens after both prompts; the engine feeds them at once, the reference starts again at every step.
TEST_F(AnswersTest, TheDivergenceIsThatOfTheNextTokenAfterBothPrompts) {
  const Answers found = compare_answers(model, good, bad, options);
  ASSERT_EQ(found.divergence.size(), found.a.ids.size());
  for (size_t step = 0; step < found.divergence.size(); ++step) {
    const auto fed = std::span(found.a.ids).first(step);
    EXPECT_NEAR(found.divergence[step],
                divergence_reference(next_logits(found.a.prompt_ids, fed), next_logits(found.b.prompt_ids, fed)), 1e-6)
        << step;
    EXPECT_GT(found.divergence[step], 0) << step;
  }
}

TEST_F(AnswersTest, ToTheSamePromptDoNotDiffer) {
  const Answers found = compare_answers(model, good, good, options);
  EXPECT_EQ(found.first_difference, std::nullopt);
  EXPECT_THAT(found.divergence, Each(0.));
  EXPECT_TRUE(found.words.empty());
}

TEST_F(AnswersTest, DrawnOnesShareTheirRandomNumbers) {
  GenerateOptions drawn = options;
  drawn.temperature = 1;
  const Answers found = compare_answers(model, good, good, drawn);
  EXPECT_EQ(found.a.ids, found.b.ids);
  EXPECT_EQ(found.a.ids, generate(model, good, drawn).ids);
}

TEST_F(AnswersTest, OneThatEndsEarlierDiffersThere) {
  GenerateOptions stopping = options;
  const Answers whole = compare_answers(model, good, bad, options);
  Model ending = model;
  ending.end_of_text = {whole.a.ids[20]};
  const Answers found = compare_answers(ending, good, good + " and", stopping);
  EXPECT_TRUE(found.a.finished);
  EXPECT_EQ(found.divergence.size(), found.a.ids.size());
  EXPECT_TRUE(found.first_difference.has_value());
}

TEST_F(AnswersTest, StepsWithoutAPositionHaveNoDivergence) {
  std::string longer;
  for (int k = 0; k < 240; ++k) longer += "film ";
  Model endless = model;
  endless.end_of_text = {9'000'000};
  const Answers found = compare_answers(endless, "film", longer, options);
  EXPECT_EQ(found.a.ids.size(), 32U);
  EXPECT_EQ(found.divergence.size(), 256 - found.b.prompt_ids.size() + 1);
  EXPECT_EQ(found.b.ids.size(), found.divergence.size());
}

TEST_F(AnswersTest, NoTokensNoDivergence) {
  const Answers found = compare_answers(model, good, bad, {.max_new_tokens = 0});
  EXPECT_TRUE(found.divergence.empty());
  EXPECT_EQ(found.first_difference, std::nullopt);
}

TEST_F(AnswersTest, AreOneJsonObject) {
  const Answers found = compare_answers(model, good, bad, {.max_new_tokens = 5});
  const auto json = nlohmann::json::parse(to_json(found));
  EXPECT_EQ(json.at("a").at("ids").get<std::vector<int>>(), found.a.ids);
  EXPECT_EQ(json.at("b").at("text"), found.b.text);
  EXPECT_EQ(json.at("words"), nlohmann::json::array({"good", "bad"}));
  EXPECT_EQ(json.at("first_difference"), *found.first_difference);
  EXPECT_EQ(json.at("divergence").get<std::vector<double>>(), found.divergence);
  const Answers same = compare_answers(model, good, good, {.max_new_tokens = 1});
  EXPECT_TRUE(nlohmann::json::parse(to_json(same)).at("first_difference").is_null());
}

TEST_F(AnswersTest, TokensAreShownOnOneLine) {
  const std::vector<int> ids = {*model.tokenizer->id_of("\u010a"), *model.tokenizer->id_of("<|eot_id|>")};
  EXPECT_THAT(token_texts(*model.tokenizer, ids), ElementsAre("\\n", "<|eot_id|>"));
}

}  // namespace
}  // namespace wordsway::test
