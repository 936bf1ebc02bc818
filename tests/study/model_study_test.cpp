// A model as the map: which texts are measured at which length, and its rows against direct calls.
#include "wordsway/study/model_study.h"

#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/core/error.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::filesystem::path bert_folder() {
  return test::source_folder() / "tests/golden/models/bert";
}

EncodedTexts texts_of_lengths(const std::vector<int>& lengths) {
  static const std::shared_ptr<const Tokenizer> tokenizer = load_tokenizer(test::source_folder() / "models/builtin");
  std::vector<std::vector<int>> ids;
  for (const int length : lengths) {
    ids.emplace_back();
    for (int k = 0; k < length; ++k) ids.back().push_back(5 + (7 * k + length) % 20);
  }
  return {"made up", tokenizer, std::move(ids)};
}

ModelStudyConfig small_model_study(const std::vector<int>& lengths) {
  static const std::shared_ptr<const Transformer> bert = Transformer::load(bert_folder());
  ModelStudyConfig config{bert, texts_of_lengths(lengths)};
  config.layer = "1";
  config.output = ModelOutput{1};
  config.search.starts = 1;
  config.search.max_iterations = 20;
  return config;
}

std::vector<std::string> tasks_of(const ModelStudy& study) {
  std::vector<std::string> tasks;
  for (Index task = 0; task < study.size(); ++task)
    tasks.push_back(fmt::format("n={} trial={}", study.key(task).number("n"), study.key(task).number("trial")));
  return tasks;
}

SampleSensitivity directly_through_model(const ModelStudyConfig& config, Index text, Index n) {
  const std::span<const int> ids(config.texts.ids(text));
  const ModelMap map(config.transformer, config.output);
  const auto sample = map.at(config.transformer->embed(ids.first(static_cast<size_t>(n))).cast<double>());
  const Stream stream = Stream(config.seed)
                            .derive("model")
                            .derive(static_cast<std::uint64_t>(text))
                            .derive(static_cast<std::uint64_t>(n));
  if (!config.token) return measure_tokens(*sample, config.search, stream);
  return measure_tokens(*sample, std::array{*config.token}, config.search, stream);
}

TEST(ModelStudy, TakesTextsAsTheyAreWhenNoLengthIsGiven) {
  EXPECT_THAT(tasks_of(ModelStudy(small_model_study({6, 4, 9}))),
              ElementsAre("n=6 trial=0", "n=4 trial=1", "n=9 trial=2"));
}

TEST(ModelStudy, LeavesOutTextsThatAreTooShortForALength) {
  ModelStudyConfig config = small_model_study({6, 4, 9});
  config.n = {4, 6};
  EXPECT_THAT(tasks_of(ModelStudy(config)),
              ElementsAre("n=4 trial=0", "n=4 trial=1", "n=4 trial=2", "n=6 trial=0", "n=6 trial=1"));
  config.trials = 1;
  EXPECT_THAT(tasks_of(ModelStudy(config)), ElementsAre("n=4 trial=0", "n=6 trial=0"));
  config.n = {};
  EXPECT_THAT(tasks_of(ModelStudy(config)), ElementsAre("n=6 trial=0"));
}

TEST(ModelStudy, MeasuresWhatADirectCallOnTheCutTextDoes) {
  ModelStudyConfig config = small_model_study({4, 7, 9});
  config.n = {6};
  config.token = 2;
  config.seed = 3;
  Vector delta;
  config.observe = [&](const Vector& found) { delta = found; };
  const Record row = ModelStudy(config).run(1).front();  // the third text: the first is too short
  const TokenSensitivity expected = directly_through_model(config, 2, 6).most;
  EXPECT_EQ(row.number("sensitivity"), expected.sensitivity);
  EXPECT_EQ(row.number("token"), 2);
  EXPECT_EQ(row.number("depth"), 1);
  EXPECT_EQ(delta, expected.delta);
  EXPECT_NE(row.number("sensitivity"), directly_through_model(config, 1, 6).most.sensitivity);
}

TEST(ModelStudy, OfAllTokensGivesEach) {
  ModelStudyConfig config = small_model_study({4});
  config.token = std::nullopt;
  const Record row = ModelStudy(config).run(0).front();
  EXPECT_EQ(*row.find("token_sensitivities"), Value(directly_through_model(config, 0, 4).sensitivities));
  EXPECT_EQ(row.number("sensitivity"), directly_through_model(config, 0, 4).most.sensitivity);
}

TEST(ModelStudy, MovesATokenAsFarAsTheUnitOfTheRadiusSays) {
  ModelStudyConfig config = small_model_study({5});
  const Matrix X = config.transformer->embed(config.texts.ids(0)).cast<double>();
  const double root = std::sqrt(static_cast<double>(X.cols())), own = X.row(0).norm();
  ASSERT_GT(std::abs(own - root), 0.01 * root) << "the units must differ here";
  for (const auto& [unit, length] :
       {std::pair(RadiusUnit::kSqrtD, 0.5 * root), std::pair(RadiusUnit::kTokenNorm, 0.5 * own),
        std::pair(RadiusUnit::kAbsolute, 0.5)}) {
    config.search.radius = {0.5, unit};
    const Record row = ModelStudy(config).run(0).front();
    EXPECT_LE(row.number("delta_norm"), length * (1 + 1e-9)) << to_string(unit);
    EXPECT_GT(row.number("delta_norm"), 0.9 * length) << to_string(unit);
    EXPECT_EQ(ModelStudy(config).config().text("radius_unit"), to_string(unit));
  }
}

TEST(ModelStudy, HasTheKeysOfMeasuredMaps) {
  MeasureConfig of_map;
  of_map.data = synthetic_source("sphere", 1);
  const Record map_key = MeasureStudy(of_map).key(0), key = ModelStudy(small_model_study({5})).key(0);
  ASSERT_EQ(key.fields().size(), map_key.fields().size());
  for (size_t k = 0; k < key.fields().size(); ++k) EXPECT_EQ(key.fields()[k].first, map_key.fields()[k].first);
  EXPECT_EQ(key.text("map"), "bert");
}

TEST(ModelStudy, IsAnotherOneWhenAnySettingIs) {
  const Record first = ModelStudy(small_model_study({6, 9})).config();
  const std::vector<std::pair<const char*, std::function<void(ModelStudyConfig&)>>> changes = {
      {"layer", [](auto& c) { c.layer = "last"; }},
      {"n", [](auto& c) { c.n = {6}; }},
      {"token", [](auto& c) { c.token = 1; }},
      {"token", [](auto& c) { c.token = std::nullopt; }},
      {"radius", [](auto& c) { c.search.radius.value = 2; }},
      {"radius_unit", [](auto& c) { c.search.radius.unit = RadiusUnit::kTokenNorm; }},
      {"trials", [](auto& c) { c.trials = 1; }},
      {"seed", [](auto& c) { c.seed = 2; }},
      {"starts", [](auto& c) { c.search.starts = 2; }},
      {"steps", [](auto& c) { c.search.max_iterations = 21; }},
      {"tolerance", [](auto& c) { c.search.tolerance = 0.1; }}};
  for (const auto& [setting, change] : changes) {
    ModelStudyConfig config = small_model_study({6, 9});
    change(config);
    EXPECT_NE(*ModelStudy(config).config().find(setting), *first.find(setting)) << setting;
  }
}

TEST(ModelStudy, IsToldByItsTexts) {
  const auto content_of = [](const std::vector<int>& lengths) {
    return ModelStudy(small_model_study(lengths)).content().fields;
  };
  EXPECT_EQ(content_of({6, 9}), content_of({6, 9}));
  EXPECT_NE(content_of({6, 9}), content_of({6, 8}));
}

TEST(ModelStudy, KnowsThatLongerTextsAndMoreTokensTakeMore) {
  ModelStudyConfig config = small_model_study({4, 8});
  const ModelStudy study(config);
  EXPECT_LT(study.memory_bytes(0), study.memory_bytes(1));
  EXPECT_LT(study.work(0), study.work(1));
  config.token = std::nullopt;
  EXPECT_DOUBLE_EQ(ModelStudy(config).work(1), 8 * study.work(1));
}

TEST(ModelStudy, RefusesWhatItCannotMeasure) {
  const std::vector<std::pair<const char*, std::function<void(ModelStudyConfig&)>>> changes = {
      {"no text has 10 tokens",
       [](auto& c) {
         c.n = {4, 10};
       }},
      {"no text to measure", [](auto& c) { c.texts = texts_of_lengths({}); }},
      {"token 6 is out of range; a text has tokens 0 to 5", [](auto& c) { c.token = 6; }},
      {"token -1 is out of range", [](auto& c) { c.token = -1; }},
      {"layer", [](auto& c) { c.output.layer = 99; }}};
  for (const auto& [reason, change] : changes) {
    ModelStudyConfig config = small_model_study({6, 9});
    change(config);
    try {
      const ModelStudy study(config);
      ADD_FAILURE() << "accepted: " << reason;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(reason));
    }
  }
}

TEST(ModelStudy, ReplacesATokenByOtherTokensOfTheTexts) {
  ModelStudyConfig config = small_model_study({6, 9});
  config.token = 2;
  const Record plain = ModelStudy(config).run(0).front();
  EXPECT_EQ(plain.find("typical"), nullptr);
  config.typical = 6;
  const ModelStudy study(config);
  const Record row = study.run(0).front();
  EXPECT_EQ(row.number("sensitivity"), plain.number("sensitivity"));
  EXPECT_EQ(study.config().number("typical"), 6);
  EXPECT_EQ(study.content().fields.number("method of the replacement words"), 1);

  const TokenCounts counts(config.texts.tokenizer(), config.texts.all_ids());
  std::vector<int> ids = config.texts.ids(0);
  const Stream stream =
      Stream(config.seed).derive("replacement words").derive(std::uint64_t{0}).derive(std::uint64_t{2});
  const DrawnTokens drawn = counts.draw(ids[2], counts.size(), 6, stream);
  const ModelMap map(config.transformer, config.output);
  const auto phi = [&] { return map.features_reference(config.transformer->embed(ids).cast<double>()); };
  const Matrix before = phi();
  double typical = 0, worst = 0;
  for (const Index k : drawn.drawn) {
    ids[2] = drawn.ids[static_cast<size_t>(k)];
    const double change = (phi() - before).norm() / before.norm();
    typical += change / 6;
    worst = std::max(worst, change);
  }
  EXPECT_NEAR(row.number("typical"), typical, 1e-6);
  EXPECT_NEAR(row.number("worst_word_change"), worst, 1e-6);
  EXPECT_LE(row.number("words_tried"), 6);

  ids = config.texts.ids(0);
  ids.erase(ids.begin() + 2);
  const Matrix without = phi();
  const double squares = (without.topRows(2) - before.topRows(2)).squaredNorm() + before.row(2).squaredNorm() +
                         (without.bottomRows(3) - before.bottomRows(3)).squaredNorm();
  EXPECT_NEAR(row.number("left_out"), std::sqrt(squares) / before.norm(), 1e-6);
}

TEST(ModelStudy, LooksForTheWorstWordAmongAllTokensOfTheTexts) {
  ModelStudyConfig config = small_model_study({6, 9});
  config.token = 2;
  config.typical = 2;
  const Record drawn = ModelStudy(config).run(0).front();
  config.worst_among = 100;  // more than there are
  const ModelStudy study(config);
  const Record row = study.run(0).front();
  EXPECT_EQ(row.number("typical"), drawn.number("typical"));
  EXPECT_GE(row.number("worst_word_change"), drawn.number("worst_word_change"));
  const TokenCounts counts(config.texts.tokenizer(), config.texts.all_ids());
  EXPECT_EQ(row.number("words_tried"), static_cast<double>(counts.size() - 1)) << "all but the token itself";
  EXPECT_EQ(study.config().number("worst_among"), 100);
  config.typical = 0;
  EXPECT_THROW((ModelStudy(config)), UsageError);
}

TEST(ModelStudy, OfAllTokensReplacesEach) {
  ModelStudyConfig config = small_model_study({4});
  config.token = std::nullopt;
  config.typical = 3;
  const Record row = ModelStudy(config).run(0).front();
  EXPECT_GE(row.number("words_tried"), 4);
  EXPECT_GE(row.number("worst_word_change"), row.number("typical"));
}

}  // namespace
}  // namespace wordsway
