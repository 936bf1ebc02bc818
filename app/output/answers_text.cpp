#include "output/answers_text.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "system/terminal.h"
#include "wordsway/text/words/word_diff.h"

namespace wordsway::app {
namespace {

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

std::string difference(const Answers& answers, const AnswersText& text) {
  if (!answers.first_difference) return "none: both answers are the same";
  const auto step = static_cast<size_t>(*answers.first_difference);
  return fmt::format("step {}: {} and {}", step, token_at(text.tokens_a, step), token_at(text.tokens_b, step));
}

// One character a step, from 0 to 1 bit.
std::string bars(const std::vector<double>& values) {
  constexpr const char* kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string result;
  for (const double value : values) result += kBars[std::clamp(static_cast<int>(value * 8), 0, 7)];
  return result;
}

std::string summary(const Answers& answers, const AnswersText& text) {
  const std::vector<double>& values = answers.divergence;
  const auto largest = std::ranges::max_element(values);
  const auto step = static_cast<size_t>(largest - values.begin());
  const double mean = std::accumulate(values.begin(), values.end(), 0.) / static_cast<double>(values.size());
  return fmt::format("mean {:.3g} bits, largest {:.3g} at step {} ({})", mean, *largest, step,
                     token_at(text.tokens_a, step));
}

std::string labelled(const std::string& label, const std::string& text, size_t width) {
  constexpr size_t kLabel = 18;
  std::string result;
  for (const std::string& line : wrapped(text, std::max(width, kLabel + 10) - kLabel))
    result += fmt::format("{:<{}}{}\n", result.empty() ? label : "", kLabel, line);
  return result;
}

}  // namespace

std::string format_answers(const Answers& answers, const AnswersText& text, size_t width) {
  const WordDiff words = word_diff(text.prompt_a, text.prompt_b);
  std::string result = side_by_side("A", "B", width);
  result += side_by_side(marked(text.prompt_a, words.in_first), marked(text.prompt_b, words.in_second), width) + "\n";
  result += side_by_side(answers.a.text, answers.b.text, width) + "\n";
  result += labelled("first difference", difference(answers, text), width);
  if (answers.divergence.empty()) return result;
  result += labelled("divergence", bars(answers.divergence), width);
  return result + labelled("", summary(answers, text), width);
}

std::vector<Record> answer_steps(const Answers& answers, const AnswersText& text) {
  const auto token = [](const std::vector<std::string>& tokens, size_t step) {
    return step < tokens.size() ? Value(tokens[step]) : Value();
  };
  std::vector<Record> rows;
  for (size_t step = 0; step < std::max(text.tokens_a.size(), text.tokens_b.size()); ++step)
    rows.push_back({{"step", static_cast<std::int64_t>(step)},
                    {"a", token(text.tokens_a, step)},
                    {"b", token(text.tokens_b, step)},
                    {"divergence", step < answers.divergence.size() ? Value(answers.divergence[step]) : Value()}});
  return rows;
}

}  // namespace wordsway::app
