// The studies that move a token of a model: their rows against direct calls.
#include "wordsway/figures/attention_study.h"

#include <functional>

#include <gmock/gmock.h>

#include "figures/builtin_setting.h"
#include "wordsway/audit/layers.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/figure_registry.h"
#include "wordsway/text/reviews/example_texts.h"

namespace wordsway::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

AttentionStudyConfig small() {
  const FigureSetting setting = builtin_setting(Profile::kQuick);
  return {setting.transformer, setting.tokenizer, {"I love her much", "A film"}, {}};
}

TEST(AttentionStudy, GivesWhereEachTokenLooks) {
  const AttentionStudyConfig config = small();
  const AttentionStudy study(config);
  ASSERT_EQ(study.size(), 2);
  const Record row = study.run(1).front();
  EXPECT_EQ(row.text("text"), "A film");
  const Encoding encoding = config.tokenizer->encode("A film");
  EXPECT_EQ(texts_of(row, "pieces"), encoding.pieces);
  const Matrix expected =
      attention_change(config.transformer, config.transformer->embed(encoding.ids), config.options).before;
  const Matrix found = attention_matrix(row, "attention");
  EXPECT_EQ(found, expected);
  for (Index j = 0; j < found.rows(); ++j) EXPECT_NEAR(found.row(j).sum(), 1, 1e-5);
  EXPECT_EQ(row.find("attention_after"), nullptr);
}

TEST(AttentionStudy, MarksTokensThatBelongToNoWord) {
  const Record row = AttentionStudy(small()).run(1).front();
  EXPECT_THAT(texts_of(row, "pieces"), ElementsAre("[CLS]", "a", "film", "[SEP]"));
  EXPECT_THAT(integers_of(row, "words"), ElementsAre(-1, 0, 1, -1));
}

TEST(AttentionStudy, GivesAttentionAfterTheMoveOfAToken) {
  AttentionStudyConfig config = small();
  config.options.token = 2;
  config.options.head = 1;
  const Record row = AttentionStudy(config).run(0).front();
  const MatrixF x = config.transformer->embed(config.tokenizer->encode("I love her much").ids);
  const AttentionResult expected = attention_change(config.transformer, x, config.options);
  EXPECT_EQ(attention_matrix(row, "attention"), expected.before);
  EXPECT_EQ(attention_matrix(row, "attention_after"), *expected.after);
  EXPECT_NE(expected.before, *expected.after);
  EXPECT_EQ(row.number("token"), 2);
}

TEST(AttentionStudy, IsAnotherOneWhenAnySettingIs) {
  const Record first = AttentionStudy(small()).config();
  const std::vector<std::pair<const char*, std::function<void(AttentionStudyConfig&)>>> changes = {
      {"texts", [](auto& c) { c.texts = {"A film"}; }},    {"layer", [](auto& c) { c.options.layer = 2; }},
      {"head", [](auto& c) { c.options.head = 0; }},       {"token", [](auto& c) { c.options.token = 0; }},
      {"direction", [](auto& c) { c.options.token = 0; }}, {"seed", [](auto& c) { c.options.seed = 2; }}};
  for (const auto& [setting, change] : changes) {
    AttentionStudyConfig config = small();
    change(config);
    EXPECT_NE(*AttentionStudy(config).config().find(setting), *first.find(setting)) << setting;
  }
}

TEST(AttentionStudy, IsAnotherOneWhenTheTokenMovesAnotherWay) {
  AttentionStudyConfig config = small();
  config.options.token = 2;
  const Record first = AttentionStudy(config).config();
  config.options.radius.value = 0.5;
  const Record shorter = AttentionStudy(config).config();
  config.options.radius.unit = RadiusUnit::kTokenNorm;
  const Record in_another_unit = AttentionStudy(config).config();
  EXPECT_NE(shorter, first);
  EXPECT_NE(in_another_unit, shorter);
}

TEST(AttentionStudy, KnowsThatLongerTextsTakeMore) {
  const AttentionStudy study(small());
  EXPECT_GT(study.memory_bytes(0), study.memory_bytes(1));
}

TEST(AttentionRows, AreRefusedWhenTheyAreNoSquareOfTheirPieces) {
  const auto row = [](size_t numbers, size_t pieces) {
    return Record{{"attention", std::vector<double>(numbers, 0.5)}, {"pieces", std::vector<std::string>(pieces, "a")}};
  };
  EXPECT_EQ(attention_matrix(row(9, 3), "attention").rows(), 3);
  for (const auto& [numbers, pieces] : {std::pair(9, 2), std::pair(8, 3), std::pair(0, 3)})
    EXPECT_THROW(attention_matrix(row(static_cast<size_t>(numbers), static_cast<size_t>(pieces)), "attention"),
                 DataError);
  EXPECT_THROW(attention_matrix(row(9, 3), "attention_after"), DataError);
}

TEST(AttentionRows, KeepTheOrderOfRows) {
  const Record row{{"attention", std::vector<double>{1, 2, 3, 4}}, {"pieces", std::vector<std::string>{"a", "b"}}};
  EXPECT_EQ(attention_matrix(row, "attention")(0, 1), 2);
  EXPECT_EQ(attention_matrix(row, "attention")(1, 0), 3);
}

TEST(LayersFigure, HasTheChangesOfADirectCallLayerByLayer) {
  const FigureSetting setting = builtin_setting(Profile::kQuick);
  const auto study = figure_registry().get("layers").study(setting).study;
  ASSERT_EQ(study->key(3).text("direction"), "noise");
  const auto rows = study->run(3);
  ASSERT_EQ(static_cast<Index>(rows.size()), setting.transformer->config().layers + 1);
  EXPECT_EQ(study->row_count(3), static_cast<Index>(rows.size()));
  const MatrixF x = setting.transformer->embed(setting.tokenizer->encode(kPaperSummary).ids);
  const Vector delta = token_move(setting.transformer, x, kPaperSummaryToken, MoveDirection::kNoise, {},
                                  Stream(setting.seed).derive("move").derive(3));
  const Vector expected = layer_changes(*setting.transformer, x, kPaperSummaryToken, delta);
  for (Index l = 0; l < expected.size(); ++l) {
    EXPECT_EQ(rows[static_cast<size_t>(l)].number("layer"), static_cast<double>(l));
    EXPECT_EQ(rows[static_cast<size_t>(l)].number("change"), expected[l]) << l;
  }
}

TEST(LayersFigure, DrawsNoiseAnewInEveryTrial) {
  const auto study = figure_registry().get("layers").study(builtin_setting(Profile::kQuick)).study;
  EXPECT_EQ(study->key(2).number("trial"), 0);
  EXPECT_EQ(study->key(3).number("trial"), 1);
  EXPECT_NE(study->run(2).back().number("change"), study->run(3).back().number("change"));
  EXPECT_NE(study->kind(0), study->kind(2)) << "a search takes longer than noise";
  EXPECT_GT(study->work(0), study->work(2));
}

TEST(AttentionFigures, HoldOnTheBuiltinModel) {
  const FigureSetting setting = builtin_setting(Profile::kQuick);
  for (const char* name : {"attention-words", "attract"}) {
    const FigureEntry& figure = figure_registry().get(name);
    const auto study = figure.study(setting).study;
    std::vector<Record> rows;
    for (Index task = 0; task < study->size(); ++task) rows.push_back(study->run(task).front());
    for (const Verdict& verdict : figure.verdicts(rows)) EXPECT_TRUE(verdict.holds) << verdict.measured;
  }
}

}  // namespace
}  // namespace wordsway::test
