#include "wordsway/study/answers_study.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/study/film_pairs.h"
#include "wordsway/text/questions/film_questions.h"

namespace wordsway {
namespace {

constexpr Index kMostAnswerTokens = 40;            // the longest answers have about 15
constexpr std::uint64_t kSeedQuestions = 1 << 20;  // that a seed may ask for; even, so that even numbers decide

GenerateOptions greedy() {
  GenerateOptions options;
  options.max_new_tokens = kMostAnswerTokens;
  return options;
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::ranges::max_element(values);
}

}  // namespace

AnswersStudy::AnswersStudy(AnswersStudyConfig config) : config_(std::move(config)) {
  if (config_.n.empty() || config_.pairs < 1)
    throw UsageError(fmt::format("a study of answers needs a length and a pair; got {} lengths and {} pairs",
                                 config_.n.size(), config_.pairs));
}

Record AnswersStudy::config() const {
  return {{"model", config_.model.transformer->name()},
          {"n", std::vector<std::int64_t>(config_.n.begin(), config_.n.end())},
          {"pairs", static_cast<std::int64_t>(config_.pairs)},
          {"split", "held-out"},
          {"seed", static_cast<std::int64_t>(config_.seed)}};
}

StudyContent AnswersStudy::content() const {
  Record content = content_of(config_.model);
  content.set("film questions", film_questions_digest());
  content.set("shown prompts", builtin_prompts().first);
  return {content, {{"model"}}};
}

Index AnswersStudy::size() const {
  return 1 + static_cast<Index>(config_.n.size()) * config_.pairs;
}

// Lengths share no question: they are different samples.
AnswersStudy::Point AnswersStudy::point(Index task) const {
  const Index length = (task - 1) / config_.pairs;
  return {config_.n[static_cast<size_t>(length)],
          (config_.seed - 1) * kSeedQuestions + static_cast<std::uint64_t>(task - 1)};
}

Record AnswersStudy::key(Index task) const {
  Record key{{"part", task == 0 ? "shown" : "pairs"}};
  if (task > 0) {
    const Point at = point(task);
    key.merge({{"n", static_cast<std::int64_t>(at.n)}, {"question", static_cast<std::int64_t>(at.question)}});
  }
  key.merge(device_fields(*config_.model.transformer));
  return key;
}

// The keys and values of two texts, and the logits of their steps.
double AnswersStudy::memory_bytes(Index task) const {
  const ModelConfig& config = config_.model.transformer->config();
  const double tokens = 2 * static_cast<double>(task == 0 ? 100 : point(task).n + 2 * kMostAnswerTokens);
  return 4 * tokens * static_cast<double>(config.layers) * 10 * static_cast<double>(config.hidden_size) +
         4.0 * kMostAnswerTokens * 2 * static_cast<double>(config.vocabulary);
}

double AnswersStudy::work(Index task) const {
  const ModelConfig& config = config_.model.transformer->config();
  return 2 * config.forward_flops((task == 0 ? 60 : point(task).n) + 2 * kMostAnswerTokens, config.layers);
}

Record AnswersStudy::shown() const {
  const auto [a, b] = builtin_prompts();
  const Answers found = compare_answers(config_.model, a, b, greedy());
  Record row = key(0);
  row.merge({{"prompts", std::vector{a, b}},
             {"words", found.words},
             {"answers", std::vector{found.a.text, found.b.text}},
             {"tokens_a", token_texts(*config_.model.tokenizer, found.a.ids)},
             {"tokens_b", token_texts(*config_.model.tokenizer, found.b.ids)},
             {"first_difference", optional_value(found.first_difference)},
             {"divergence", found.divergence}});
  return row;
}

std::vector<Record> AnswersStudy::run(Index task) const {
  const Stopwatch watch;
  if (task == 0) {
    Record row = shown();
    row.set("seconds", watch.seconds());
    return {row};
  }
  const Point at = point(task);
  const Tokenizer& tokenizer = *config_.model.tokenizer;
  const FilmQuestion question = question_with_tokens(at.question, at.n, QuestionSplit::kHeldOut, tokenizer);
  const Answers found = compare_answers(config_.model, question.prompts[0], question.prompts[1], greedy());
  // A blank stands between prompt and answer.
  const std::vector<std::string> expected = {" " + question.answers[0], " " + question.answers[1]};
  const std::int64_t right = (found.a.text == expected[0] ? 1 : 0) + (found.b.text == expected[1] ? 1 : 0);
  Record row = key(task);
  row.merge({{"kind", question.kind},
             {"decides", question.decides},
             {"tokens", std::int64_t{tokenizer.count_tokens(parts_of_prompt(question.prompts[0]).review, false)}},
             {"words", found.words},
             {"answers", std::vector{found.a.text, found.b.text}},
             {"expected", expected},
             {"right", right},
             {"differ", found.a.text != found.b.text},
             {"divergence", largest(found.divergence)},
             {"seconds", watch.seconds()}});
  return {row};
}

}  // namespace wordsway
