// What encoders learnt, on small sizes: rows against direct calls.
#include "wordsway/study/normalisers_study.h"

#include <gmock/gmock.h>

#include "support/golden.h"
#include "support/places.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/study/one_word_study.h"
#include "wordsway/text/reviews/builtin_reviews.h"

namespace wordsway {
namespace {

NormalisersConfig small_normalisers() {
  static const Model encoder = load_model(test::source_folder() / "models/builtin");
  NormalisersConfig config;
  config.models = {encoder, encoder};
  config.n = {20, 30};
  config.texts = 4;
  config.training_pairs = 8;
  config.test_pairs = 6;
  return config;
}

TEST(NormalisersStudy, HasARowForEveryModelOfAPartAndLength) {
  const NormalisersStudy study(small_normalisers());
  ASSERT_EQ(study.size(), 4);
  for (Index task = 0; task < study.size(); ++task) {
    const auto rows = study.run(task);
    ASSERT_EQ(static_cast<Index>(rows.size()), study.row_count(task));
    for (const Record& row : rows) {
      EXPECT_EQ(row.text("model"), "builtin");
      EXPECT_EQ(row.text("normaliser"), "softmax");
      EXPECT_EQ(row.number("right"), rows.front().number("right")) << "the same model twice";
    }
  }
}

// A text with its masks, filled by the function that `fill` calls.
TEST(NormalisersStudy, CountsMaskedWordsThatAreExpectedMost) {
  NormalisersConfig config = small_normalisers();
  config.texts = 1;
  config.n = {20};
  const Record row = NormalisersStudy(config).run(0).front();
  ASSERT_EQ(row.text("part"), "masked");
  const Model& model = config.models.front();
  Encoding text = model.tokenizer->encode(builtin_review(0, 20).text, {.max_tokens = 20});
  ASSERT_EQ(text.ids.size(), 20U);
  const std::vector<int> before = text.ids;
  const Stream stream = Stream(1).derive("masked words").derive(20).derive(0);
  for (size_t place = 1; place < 19; ++place)
    if (stream.uniform(place) < 0.15) text.ids[place] = *model.tokenizer->special_ids().mask;
  if (text.ids == before) text.ids[1] = *model.tokenizer->special_ids().mask;
  std::int64_t right = 0, masked = 0;
  const Transformer& transformer = *model.transformer;
  const MatrixF logits =
      transformer.word_logits(transformer.forward(transformer.embed(text.ids), transformer.config().layers));
  for (size_t token = 0; token < text.ids.size(); ++token) {
    if (text.ids[token] != *model.tokenizer->special_ids().mask) continue;
    Index likeliest = 0;
    logits.row(static_cast<Index>(token)).maxCoeff(&likeliest);
    ++masked;
    right += likeliest == before[token] ? 1 : 0;
  }
  EXPECT_EQ(row.number("masked"), static_cast<double>(masked));
  EXPECT_EQ(row.number("right"), static_cast<double>(right));
}

TEST(NormalisersStudy, ReadsTheWordAsTheOneWordTaskDoes) {
  const NormalisersConfig config = small_normalisers();
  OneWordConfig other;
  other.encoder = config.models.front();
  other.decoder = load_model(test::source_folder() / "models/builtin-decoder");
  other.n = config.n;
  other.training_pairs = config.training_pairs;
  other.test_pairs = config.test_pairs;
  const Record row = NormalisersStudy(config).run(3).front();  // the task at n = 30
  const OneWordStudy study(other);
  for (Index task = 0; task < study.size(); ++task) {
    if (study.key(task).text("part") != "encoder" || study.key(task).number("n") != 30) continue;
    for (const Record& readout : study.run(task)) {
      if (readout.text("readout") != "mean") continue;
      if (readout.number("layer") == 4) {
        EXPECT_EQ(row.number("right"), readout.number("right"));
        EXPECT_EQ(row.number("ordered"), readout.number("ordered"));
      } else if (readout.number("layer") == 0) {
        EXPECT_EQ(row.number("right_words"), readout.number("right"));
        EXPECT_EQ(row.number("ordered_words"), readout.number("ordered"));
      }
    }
  }
}

TEST(NormalisersStudy, GivesTheSameRowsWithAnyNumberOfThreadsAndOthersForOtherSeeds) {
  NormalisersConfig config = small_normalisers();
  const auto rows_of = [](const NormalisersConfig& from) {
    std::vector<Record> all;
    const NormalisersStudy study(from);
    for (const Index task : {0, 1})
      for (Record row : study.run(task)) {
        row.set("seconds", 0.0);
        all.push_back(row);
      }
    return all;
  };
  const int before = available_threads();
  set_thread_count(1);
  const auto alone = rows_of(config);
  set_thread_count(4);
  EXPECT_EQ(rows_of(config), alone);
  set_thread_count(before);
  config.seed = 2;
  EXPECT_NE(rows_of(config), alone);
}

TEST(NormalisersStudy, RefusesModelsAndSizesThatMakeNoSense) {
  for (const auto& spoil : std::vector<std::function<void(NormalisersConfig&)>>{
           [](NormalisersConfig& config) { config.models.clear(); },
           [](NormalisersConfig& config) { config.n.clear(); }, [](NormalisersConfig& config) { config.texts = 0; },
           [](NormalisersConfig& config) { config.training_pairs = 4; }}) {
    NormalisersConfig config = small_normalisers();
    spoil(config);
    EXPECT_THROW(NormalisersStudy{config}, UsageError);
  }
  NormalisersConfig config = small_normalisers();
  config.models.push_back(load_model(test::source_folder() / "models/builtin-decoder"));
  EXPECT_THROW(NormalisersStudy{config}, DataError);
}

}  // namespace
}  // namespace wordsway
