// The one-word task on small sizes: rows against direct calls, and what must be so whatever was learnt.
#include "wordsway/study/one_word_study.h"

#include <set>

#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/audit/generate.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/io/json.h"

namespace wordsway {
namespace {

OneWordConfig small_one_word() {
  static const Model encoder = load_model(test::source_folder() / "models/builtin"),
                     decoder = load_model(test::source_folder() / "models/builtin-decoder");
  OneWordConfig config;
  config.encoder = encoder;
  config.decoder = decoder;
  config.maps = {{"rf", "rf", {}}, {"sharp raf", "raf", {}}};
  config.maps[0].options.set("width", 200);
  config.maps[1].options.set("beta", 2.0);
  config.n = {20, 30};
  config.training_pairs = 8;
  config.test_pairs = 6;
  config.trials = 2;
  return config;
}

Index task_of(const OneWordStudy& study, const std::string& part, double n, double trial) {
  for (Index task = 0; task < study.size(); ++task) {
    const Record key = study.key(task);
    if (key.text("part") == part && key.number("n") == n && key.number("trial") == trial) return task;
  }
  return -1;
}

TEST(OneWordStudy, HasATaskForEveryLengthTrialAndPart) {
  const OneWordStudy study(small_one_word());
  ASSERT_EQ(study.size(), 2 * 2 * 4);
  std::set<std::string> keys;
  for (Index task = 0; task < study.size(); ++task) keys.insert(to_json(study.key(task)));
  EXPECT_EQ(keys.size(), 16U);
  EXPECT_EQ(study.config().number("sharp raf beta"), 2);
}

TEST(OneWordStudy, CountsOfTestPairsFitEachOther) {
  const OneWordStudy study(small_one_word());
  for (const char* part : {"rf", "sharp raf", "encoder", "decoder"}) {
    const Index task = task_of(study, part, 20, 0);
    const auto rows = study.run(task);
    EXPECT_EQ(static_cast<Index>(rows.size()), study.row_count(task)) << part;
    for (const Record& row : rows) {
      EXPECT_EQ(row.number("pairs"), 6);
      EXPECT_LE(2 * row.number("both_right"), row.number("right"));
      EXPECT_LE(row.number("both_right"), row.number("ordered"));
      EXPECT_LE(row.number("right"), 6 + row.number("both_right")) << "else one review is right";
    }
  }
}

// The first token of what the decoder writes after the prompts of the same pairs.
TEST(OneWordStudy, TheAnswerIsTheFirstWordThatTheDecoderWrites) {
  const OneWordConfig config = small_one_word();
  const OneWordStudy study(config);
  const Record row = study.run(task_of(study, "decoder", 30, 0)).back();
  ASSERT_EQ(row.text("readout"), "answer");
  const auto pairs = review_pairs({.count = 14, .tokens = 30}, *config.encoder.tokenizer);
  Index right = 0;
  for (size_t k = 8; k < pairs.size(); ++k)
    for (const size_t side : {0U, 1U}) {
      const std::string text = generate(config.decoder, pairs[k].prompts[side], {.max_new_tokens = 1}).text;
      right += text == (pairs[k].labels[side] > 0 ? " Yes" : " No") ? 1 : 0;
    }
  EXPECT_EQ(row.number("right"), static_cast<double>(right));
}

TEST(OneWordStudy, TrialsAndSeedsHaveOtherPairsAndThreadsTheSameRows) {
  OneWordConfig config = small_one_word();
  const OneWordStudy study(config);
  const auto rows_of = [](const OneWordStudy& from, double trial) {
    std::vector<Record> rows = from.run(task_of(from, "sharp raf", 20, trial));
    for (Record& row : rows) row.set("seconds", 0.0);
    return rows;
  };
  const int before = available_threads();
  set_thread_count(1);
  const auto alone = rows_of(study, 0);
  set_thread_count(4);
  EXPECT_EQ(rows_of(study, 0), alone);
  set_thread_count(before);
  config.seed = 2;
  EXPECT_NE(to_json(identity_of(OneWordStudy(config)).config), to_json(identity_of(study).config));
}

// The word is there to be found: a sum of vectors has it wherever it stands.
TEST(OneWordStudy, TheMeanOfWordVectorsLearnsTheWordInShortTexts) {
  OneWordConfig config = small_one_word();
  config.n = {20};
  config.trials = 1;
  config.training_pairs = 60;
  config.test_pairs = 40;
  const OneWordStudy study(config);
  const Record row = study.run(task_of(study, "encoder", 20, 0)).front();
  EXPECT_EQ(row.text("readout"), "mean");
  EXPECT_EQ(row.number("layer"), 0);
  EXPECT_GT(row.number("ordered"), 34);
}

TEST(OneWordStudy, RefusesSizesThatMakeNoSense) {
  for (const auto& spoil : std::vector<std::function<void(OneWordConfig&)>>{
           [](OneWordConfig& config) { config.n.clear(); }, [](OneWordConfig& config) { config.test_pairs = 0; },
           [](OneWordConfig& config) { config.training_pairs = 4; }, [](OneWordConfig& config) { config.trials = 0; },
           [](OneWordConfig& config) { config.maps[0].map = "no such map"; }}) {
    OneWordConfig config = small_one_word();
    spoil(config);
    EXPECT_THROW(OneWordStudy{config}, UsageError);
  }
}

}  // namespace
}  // namespace wordsway
