// answers: the answers of a decoder to two prompts that differ in a word.
#include "wordsway/audit/answers.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "wordsway/ask/choices/generation_choice.h"
#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/question.h"
#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/core/text_layout.h"
#include "wordsway/figures/model_charts.h"
#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"
#include "wordsway/text/words/word_diff.h"

namespace wordsway {
namespace {

struct AnswersRequest {
  std::vector<std::string> prompts;
  std::optional<std::string> a, b;
  ModelInput model;
  GenerationChoice generation;
  RunChoice run;

  static void describe(Fields<AnswersRequest>& fields) {
    fields
        .texts("prompts", &AnswersRequest::prompts,
               "Two prompts, each in quotes (without them: a built-in pair about a film)")
        .argument("PROMPT")
        .not_on_page();
    fields.text("a", &AnswersRequest::a, "The first prompt").only_for({FrontEnd::kPage});
    fields.text("b", &AnswersRequest::b, "The second").only_for({FrontEnd::kPage});
    fields.include(&AnswersRequest::model, ModelInput::Usual{.is_decoder = true});
    fields.include(&AnswersRequest::generation);
    fields.include(&AnswersRequest::run);
    fields.check([](const AnswersRequest& request) { request.pair(); });
  }

  std::pair<std::string, std::string> pair() const {
    if (a.has_value() != b.has_value()) throw UsageError("a and b belong together: give both prompts");
    if (a) return {*a, *b};
    if (prompts.empty()) return builtin_prompts();
    if (prompts.size() != 2)
      throw UsageError(fmt::format("answers compares two prompts, each in quotes; there {} {}",
                                   prompts.size() == 1 ? "is" : "are", prompts.size()));
    return {prompts[0], prompts[1]};
  }
};

// The one task's row holds both texts: a row of `generate` for each, its keys beginning with a_ or b_; words,
// first_difference, divergence; tokens_a, tokens_b (as texts).
class AnswersOfTwo final : public Study {
 public:
  AnswersOfTwo(const AnswersRequest& request, std::shared_ptr<const Model> model, Context& context)
      : request_(request), prompts_(request.pair()), model_(std::move(model)), context_(context) {}

  std::string command() const override { return "answers"; }
  Record config() const override {
    const GenerateOptions& options = request_.generation.options;
    return {{"model", model_->transformer->name()},
            {"prompts", std::vector{prompts_.first, prompts_.second}},
            {"max_new_tokens", std::int64_t{options.max_new_tokens}},
            {"temperature", options.temperature},
            {"top_p", options.top_p},
            {"seed", static_cast<std::int64_t>(options.seed)},
            {"stop", options.stop},
            {"template", describe_chat_template(options.chat_template)}};
  }
  StudyContent content() const override {
    Record content = content_of(*model_);
    return {content, {{"model"}}};
  }
  Index size() const override { return 1; }
  Record key(Index /*task*/) const override { return {{"prompts", std::vector{prompts_.first, prompts_.second}}}; }
  // The keys and values of two texts, and the logits of their steps.
  double memory_bytes(Index /*task*/) const override {
    const ModelConfig& config = model_->transformer->config();
    const auto tokens = static_cast<double>(request_.generation.options.max_new_tokens);
    return 2 * sizeof(float) *
           ((tokens + 256) * 2 * static_cast<double>(config.layers * config.hidden_size) +
            tokens * static_cast<double>(config.vocabulary));
  }
  double work(Index /*task*/) const override {
    const ModelConfig& config = model_->transformer->config();
    return 3 * config.forward_flops(request_.generation.options.max_new_tokens + 16, std::max<Index>(1, config.layers));
  }

  // Throws Stopped where the texts were ended early; ended_early() then has what there is.
  std::vector<Record> run(Index task) const override {
    const Progress progress = context_.progress();
    ProgressCounter counter(progress, "answers", 2 * static_cast<double>(request_.generation.options.max_new_tokens));
    const Answers found = compare_answers(*model_, prompts_.first, prompts_.second, request_.generation.options,
                                          [&](char side, std::string_view more) {
                                            context_.text(side == 'a' ? "a" : "b", more);
                                            counter.step();
                                            return !context_.stopped();
                                          });
    for (const Generation* one : {&found.a, &found.b})
      if (one->prompt_cut)
        context_.warn(fmt::format("a prompt was cut to the {} tokens that {} has positions for", one->prompt_ids.size(),
                                  model_->transformer->name()));
    Record row = row_for(task, found);
    if (!found.a.stopped && !found.b.stopped) return {row};
    ended_early_ = row;
    throw Stopped("interrupted: the answers are what was written by then");
  }

  const std::optional<Record>& ended_early() const { return ended_early_; }

 private:
  Record row_for(Index task, const Answers& found) const {
    Record row = key(task);
    for (const auto& [side, one] : {std::pair("a_", &found.a), std::pair("b_", &found.b)}) {
      const Record fields = wordsway::row_of(*one);
      for (const auto& [name, value] : fields.fields()) row.set(side + name, value);
    }
    row.merge({{"words", found.words},
               {"first_difference", optional_value(found.first_difference)},
               {"divergence", found.divergence},
               {"tokens_a", token_texts(*model_->tokenizer, found.a.ids)},
               {"tokens_b", token_texts(*model_->tokenizer, found.b.ids)}});
    row.merge(device_fields(*model_->transformer));
    return row;
  }

  const AnswersRequest& request_;
  std::pair<std::string, std::string> prompts_;
  std::shared_ptr<const Model> model_;
  Context& context_;
  mutable std::optional<Record> ended_early_;
};

std::vector<std::string> texts(const Record& row, const char* name) {
  const auto* list = std::get_if<std::vector<std::string>>(row.find(name));
  return list == nullptr ? std::vector<std::string>() : *list;
}

std::vector<double> divergence_of(const Record& row) {
  const auto* list = std::get_if<std::vector<double>>(row.find("divergence"));
  return list == nullptr ? std::vector<double>() : *list;
}

std::optional<size_t> first_difference(const Record& row) {
  return row.missing("first_difference") ? std::nullopt
                                         : std::optional(static_cast<size_t>(row.number("first_difference")));
}

// The fields of one side, under the names that `generate` gives them.
Record side_of(const Record& row, const std::string& side) {
  Record result;
  for (const auto& [name, value] : row.fields())
    if (name.starts_with(side)) result.set(name.substr(side.size()), value);
  return result;
}

std::string as_json(const Record& row) {
  Record rest;
  for (const char* name : {"words", "first_difference", "divergence", "device", "precision"})
    if (const Value* value = row.find(name)) rest.set(name, *value);
  return fmt::format("{{\"a\": {}, \"b\": {}, {}\n", to_json(side_of(row, "a_")), to_json(side_of(row, "b_")),
                     to_json(rest).substr(1));
}

// A row a step: step, a, b (tokens), divergence.
std::vector<Record> steps_of(const Record& row) {
  const std::vector<std::string> a = texts(row, "tokens_a"), b = texts(row, "tokens_b");
  const std::vector<double> divergence = divergence_of(row);
  const auto token = [](const std::vector<std::string>& tokens, size_t step) {
    return step < tokens.size() ? Value(tokens[step]) : Value();
  };
  std::vector<Record> rows;
  for (size_t step = 0; step < std::max(a.size(), b.size()); ++step)
    rows.push_back({{"step", static_cast<std::int64_t>(step)},
                    {"a", token(a, step)},
                    {"b", token(b, step)},
                    {"divergence", step < divergence.size() ? Value(divergence[step]) : Value()}});
  return rows;
}

// For people: the prompts with their changed words in brackets, the answers, where they diverge, and the divergence.

std::string marked(const std::string& text, const std::vector<TextPlace>& places) {
  std::string result;
  size_t done = 0;
  for (const auto& [begin, end] : places) {
    result += text.substr(done, begin - done) + "[" + text.substr(begin, end - begin) + "]";
    done = end;
  }
  return result + text.substr(done);
}

std::string token_at(const std::vector<std::string>& tokens, size_t step) {
  return step < tokens.size() ? fmt::format("\"{}\"", tokens[step]) : "the end";
}

std::string difference(const Record& row) {
  const auto step = first_difference(row);
  if (!step) return "none: both answers are the same";
  return fmt::format("step {}: {} and {}", *step, token_at(texts(row, "tokens_a"), *step),
                     token_at(texts(row, "tokens_b"), *step));
}

// One character a step, from 0 to 1 bit.
std::string bars(const std::vector<double>& values) {
  constexpr const char* kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string result;
  for (const double value : values) result += kBars[std::clamp(static_cast<int>(value * 8), 0, 7)];
  return result;
}

std::string summary(const Record& row) {
  const std::vector<double> values = divergence_of(row);
  const auto largest = std::ranges::max_element(values);
  const auto step = static_cast<size_t>(largest - values.begin());
  const double mean = std::accumulate(values.begin(), values.end(), 0.) / static_cast<double>(values.size());
  return fmt::format("mean {:.3g} bits, largest {:.3g} at step {} ({})", mean, *largest, step,
                     token_at(texts(row, "tokens_a"), step));
}

std::string labelled(const std::string& label, const std::string& text, size_t width) {
  constexpr size_t kLabel = 18;
  std::string result;
  for (const std::string& line : wrapped(text, std::max(width, kLabel + 10) - kLabel))
    result += fmt::format("{:<{}}{}\n", result.empty() ? label : "", kLabel, line);
  return result;
}

std::string as_text(const std::pair<std::string, std::string>& prompts, const Record& row, size_t width) {
  const WordDiff words = word_diff(prompts.first, prompts.second);
  std::string result = side_by_side("A", "B", width);
  result += side_by_side(marked(prompts.first, words.in_first), marked(prompts.second, words.in_second), width) + "\n";
  result += side_by_side(row.text("a_text"), row.text("b_text"), width) + "\n";
  result += labelled("first difference", difference(row), width);
  const std::vector<double> divergence = divergence_of(row);
  if (divergence.empty()) return result;
  result += labelled("divergence", bars(divergence), width);
  return result + labelled("", summary(row), width);
}

Chart divergence_chart(const Record& row, const std::string& model) {
  const std::vector<double> divergence = divergence_of(row);
  if (divergence.empty()) throw DataError("there is no token of an answer to draw; expected at least one");
  std::optional<Index> step;
  if (const auto first = first_difference(row)) step = static_cast<Index>(*first);
  return chart_of(
      answers_chart({model, texts(row, "words"), texts(row, "tokens_a"), texts(row, "tokens_b"), step, divergence}));
}

Answer answer(const AnswersRequest& request, Context& context) {
  const auto model = request.model.open_decoder(context);
  const AnswersOfTwo study(request, model, context);
  RunHooks hooks;
  hooks.tells_progress = true;
  hooks.shows_rows = false;
  hooks.on_interrupt = "ending the texts after the next token";
  Answer answer;
  Record row;
  try {
    const auto result = context.run(study, request.run, hooks);
    if (!result) return {};
    row = result->rows.front();
  } catch (const Stopped& stopped) {
    if (!study.ended_early()) throw;
    row = *study.ended_early();
    answer.interrupted = stopped.what();
  }
  answer.shape = Answer::Shape::kRow;
  answer.config = study.config();
  answer.rows = steps_of(row);
  answer.json = [row] { return as_json(row); };
  answer.table = [row, prompts = request.pair()](int width) {
    return as_text(prompts, row, static_cast<size_t>(width));
  };
  answer.details = {
      {"tokens_a", *row.find("tokens_a")}, {"tokens_b", *row.find("tokens_b")}, {"prompts", *row.find("prompts")}};
  answer.chart = [row, name = model->transformer->name()](Bands) { return divergence_chart(row, name); };
  return answer;
}

Guide guide() {
  Guide guide;
  guide.order = 100;
  guide.summary = "Two prompts that differ in a word: what a decoder answers to each";
  guide.examples =
      "  wordsway answers\n"
      "  wordsway answers -m MODEL \"Is it safe to enable this?\" \\\n"
      "      \"Is it safe to disable this?\" --template chatml --chart answers.svg";
  guide.columns =
      "Steps count the tokens of the answers from 0. first_difference is the step at\n"
      "which they part. divergence says for every token of the first answer how far\n"
      "the distributions of the next token are from each other after the two prompts,\n"
      "when the tokens before it follow both: the Jensen-Shannon divergence in bits,\n"
      "0 for the same, 1 for nothing in common. Drawn answers share their random\n"
      "numbers, so they differ by the prompts alone.";
  guide.chart = "Draw the divergence at every token";
  guide.row_keys = {"a", "b", "words", "first_difference", "divergence"};
  return guide;
}

}  // namespace

void register_answers(QuestionRegistry& registry) {
  add_question(registry, "answers", guide(), answer);
}

}  // namespace wordsway
