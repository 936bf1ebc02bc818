// Answers to pairs of questions: rows against direct calls, on the built-in decoder.
#include "wordsway/study/answers_study.h"

#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/core/error.h"
#include "wordsway/io/json.h"
#include "wordsway/study/film_pairs.h"
#include "wordsway/text/questions/film_questions.h"

namespace wordsway {
namespace {

using testing::ElementsAre;

AnswersStudyConfig small_answers() {
  static const Model model = load_model(test::source_folder() / "models/builtin-decoder");
  AnswersStudyConfig config;
  config.model = model;
  config.n = {20, 60};
  config.pairs = 4;
  return config;
}

TEST(AnswersStudy, AsksABuiltInPairAndThenHeldOutQuestionsOfEveryLength) {
  const AnswersStudy study(small_answers());
  ASSERT_EQ(study.size(), 9);
  EXPECT_EQ(study.key(0).text("part"), "shown");
  EXPECT_EQ(study.key(4).number("n"), 20);
  EXPECT_EQ(study.key(5).number("n"), 60);
  EXPECT_EQ(study.key(5).number("question"), 4) << "lengths share no question";
  AnswersStudyConfig other = small_answers();
  other.seed = 2;
  EXPECT_NE(AnswersStudy(other).key(5).number("question"), 4);
}

TEST(AnswersStudy, ARowSaysWhatTheDecoderAnswersAndWhatIsRight) {
  const AnswersStudyConfig config = small_answers();
  const AnswersStudy study(config);
  for (const Index task : {1, 2, 7}) {
    const Record row = study.run(task).front();
    const auto question =
        question_with_tokens(static_cast<std::uint64_t>(row.number("question")), static_cast<Index>(row.number("n")),
                             QuestionSplit::kHeldOut, *config.model.tokenizer);
    const auto answers = std::get<std::vector<std::string>>(*row.find("answers"));
    std::int64_t right = 0;
    for (const size_t side : {0U, 1U}) {
      EXPECT_EQ(answers[side], generate(config.model, question.prompts[side]).text);
      right += answers[side] == " " + question.answers[side] ? 1 : 0;
    }
    EXPECT_EQ(row.number("right"), static_cast<double>(right));
    EXPECT_EQ(row.text("kind"), question.kind);
    EXPECT_EQ(std::get<bool>(*row.find("decides")), task % 2 == 1) << "even questions decide";
    EXPECT_EQ(std::get<bool>(*row.find("differ")), answers[0] != answers[1]);
    EXPECT_GE(row.number("divergence"), 0);
  }
}

TEST(AnswersStudy, TheShownPairHasTheDivergenceAlongTheWay) {
  const AnswersStudyConfig config = small_answers();
  const Record row = AnswersStudy(config).run(0).front();
  const auto [a, b] = builtin_prompts();
  const Answers found = compare_answers(config.model, a, b);
  EXPECT_EQ(std::get<std::vector<double>>(*row.find("divergence")), found.divergence);
  EXPECT_EQ(std::get<std::vector<std::string>>(*row.find("tokens_a")).size(), found.divergence.size());
  EXPECT_THAT(std::get<std::vector<std::string>>(*row.find("prompts")), ElementsAre(a, b));
}

TEST(AnswersStudy, NeedsALengthAndAPair) {
  AnswersStudyConfig config = small_answers();
  config.pairs = 0;
  EXPECT_THROW(AnswersStudy{config}, UsageError);
  config = small_answers();
  config.n.clear();
  EXPECT_THROW(AnswersStudy{config}, UsageError);
}

}  // namespace
}  // namespace wordsway
