// What a user asks for by name, and how it becomes what the library computes: the program and Python ask alike.
#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/audit/attention.h"
#include "wordsway/audit/layers.h"
#include "wordsway/audit/words.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const Model& builtin_model() {
  static const Model model = load_model(test::source_folder() / "models" / "builtin");
  return model;
}

TEST(ChoosePrompt, TakesATextOrANameAndNeverBoth) {
  EXPECT_EQ(choose_prompt(builtin_model(), {.text = "query: "}, false), "query: ");
  EXPECT_EQ(choose_prompt(builtin_model(), {}, true), "");
  EXPECT_THROW(choose_prompt(builtin_model(), {.name = "query", .text = "query: "}, true), UsageError);
  EXPECT_THROW(choose_prompt(builtin_model(), {.name = "nobody"}, true), UsageError);
}

TEST(PromptedOutput, LeavesThePromptOfAPooledVectorOutWhereTheModelDoes) {
  const PromptedOutput pooled = prompted_output(builtin_model(), "pooled", "all", {.text = "query: "});
  EXPECT_TRUE(pooled.output.is_pooled());
  EXPECT_EQ(pooled.output.first_pooled, unpooled_tokens(builtin_model(), "query: "));
  EXPECT_EQ(prompted_output(builtin_model(), "2", "last", {}).output.kind, OutputKind::kLast);
  EXPECT_THROW(prompted_output(builtin_model(), "99", "all", {}), UsageError);
}

TEST(ChooseBall, SearchesWhereAskedForAndInTheBuiltinModel) {
  WordOptions unasked, builtin_model, full, fast;
  choose_ball(unasked, {});
  choose_ball(builtin_model, {.builtin = true});
  choose_ball(full, {.full = true});
  choose_ball(fast, {.fast = true, .builtin = true});
  EXPECT_EQ(unasked.ball, BallSearch::kNone);
  EXPECT_EQ(builtin_model.ball, BallSearch::kFull);
  EXPECT_EQ(builtin_model.search.starts, 1);
  EXPECT_EQ(full.ball, BallSearch::kFull);
  EXPECT_EQ(full.search.starts, kBallStarts);
  EXPECT_FALSE(full.search.tolerance.has_value());
  EXPECT_EQ(fast.ball, BallSearch::kPower);
  EXPECT_THROW(choose_ball(full, {.full = true, .fast = true}), UsageError);
}

TEST(CheckNotHubName, SaysHowToGetTheFolder) {
  EXPECT_THAT([] { check_not_hub_name("bert-base-uncased", "load"); },
              ThrowsMessage<FileError>(HasSubstr("then load bert-base-uncased")));
  EXPECT_NO_THROW(check_not_hub_name("/nowhere/at/all", "load"));  // the reader says what is wrong with it
}

TEST(RowsOf, LayersCallWhatComesAfterTheLastByItsName) {
  const LayerChanges changes{MoveDirection::kNoise, Vector::Ones(3), Vector::Zero(3)};
  const auto rows = rows_of(changes, 1, "pooled", 4, "word");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].number("layer"), 1);
  EXPECT_EQ(rows[2].text("layer"), "pooled");
  EXPECT_EQ(rows[2].text("direction"), "noise");
}

TEST(ForEachAttentionLayer, GivesTheHeadsOfEveryLayer) {
  const Transformer& transformer = *builtin_model().transformer;
  const MatrixF x = transformer.embed(builtin_model().tokenizer->encode("I love her smile").ids);
  const AttentionPart part = parse_attention("all", "all", transformer);
  std::vector<float> values;
  for_each_attention_layer(transformer, x, part, [&](std::span<const float> layer) {
    values.insert(values.end(), layer.begin(), layer.end());
  });
  const MatrixF second = transformer.attention(x, 2, 1);
  const Index n = x.rows(), heads = part.range.heads;
  ASSERT_EQ(static_cast<Index>(values.size()), part.range.layers * heads * n * n);
  EXPECT_EQ(Eigen::Map<const MatrixF>(values.data() + (heads + 1) * n * n, n, n), second);
}

}  // namespace
}  // namespace wordsway
