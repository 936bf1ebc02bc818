#include "wordsway/audit/answers.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"
#include "wordsway/model/next_word_head.h"
#include "wordsway/text/words/word_diff.h"

namespace wordsway {
namespace {

std::optional<Index> first_difference(const std::vector<int>& a, const std::vector<int>& b) {
  const auto [at_a, at_b] = std::ranges::mismatch(a, b);
  if (at_a == a.end() && at_b == b.end()) return std::nullopt;
  return static_cast<Index>(at_a - a.begin());
}

// Rows of the last hidden state from which each of the tokens after a prompt is predicted when these tokens follow it.
MatrixF rows_before(const Transformer& transformer, ReadPrompt& prompt, std::span<const int> ids) {
  MatrixF rows(static_cast<Index>(ids.size()), prompt.last.cols());
  rows.topRows(1) = prompt.last;
  if (ids.size() > 1) rows.bottomRows(rows.rows() - 1) = transformer.extend(ids.first(ids.size() - 1), prompt.cache);
  return rows;
}

std::vector<double> divergences(const Transformer& transformer, ReadPrompt& a, ReadPrompt& b,
                                std::span<const int> ids) {
  constexpr Index kRows = 32;  // whose logits are in memory at once: of 150,000 words 20 MB for each prompt
  const Index room = transformer.config().most_tokens() - b.cache.tokens() + 1;
  ids = ids.first(static_cast<size_t>(std::clamp<Index>(room, 0, static_cast<Index>(ids.size()))));
  if (ids.empty()) return {};
  const MatrixF after_a = rows_before(transformer, a, ids), after_b = rows_before(transformer, b, ids);
  std::vector<double> result(ids.size());
  const Blocks blocks{after_a.rows(), kRows};
  for (Index block = 0; block < blocks.count(); ++block) {
    const Index begin = blocks.begin(block), rows = blocks.length(block);
    const MatrixF first = transformer.logits(after_a.middleRows(begin, rows));
    const MatrixF second = transformer.logits(after_b.middleRows(begin, rows));
    parallel_for(rows, [&](Index row) {
      result[static_cast<size_t>(begin + row)] = jensen_shannon_divergence(first.row(row), second.row(row));
    });
  }
  return result;
}

}  // namespace

Answers compare_answers(const Model& model, const std::string& prompt_a, const std::string& prompt_b,
                        const GenerateOptions& options, const OnAnswer& on_answer) {
  options.check();
  const auto options_of = [&](char side) {
    GenerateOptions own = options;
    if (on_answer) own.on_text = [&on_answer, side](std::string_view more) { return on_answer(side, more); };
    return own;
  };
  ReadPrompt a = read_prompt(model, prompt_a, options.chat_template);
  ReadPrompt b = read_prompt(model, prompt_b, options.chat_template);
  Answers result;
  result.words = changed_words(prompt_a, prompt_b);
  result.a = continue_prompt(model, a, options_of('a'));
  result.b = continue_prompt(model, b, options_of('b'));
  result.first_difference = first_difference(result.a.ids, result.b.ids);
  result.divergence = divergences(*model.transformer, a, b, result.a.ids);
  return result;
}

std::vector<std::string> token_texts(const Tokenizer& tokenizer, std::span<const int> ids) {
  std::vector<std::string> texts;
  texts.reserve(ids.size());
  for (const int id : ids) texts.push_back(on_one_line(tokenizer.decode({&id, 1}, false)));
  return texts;
}

std::pair<std::string, std::string> builtin_prompts() {
  const auto prompt = [](const char* word) {
    return fmt::format(
        "Review: Return to Brooklyn stars Quinelya Calloway as a weary undertaker. The truth is that I {} what I saw "
        "from the opening shot onwards. In the funeral scene a reporter hides a fountain behind a cigarette. Question: "
        "Would this viewer watch Return to Brooklyn again? Answer:",
        word);
  };
  return {prompt("admired"), prompt("despised")};
}

std::string to_json(const Answers& answers, const Device& device) {
  Record rest{{"words", answers.words},
              {"first_difference", optional_value(answers.first_difference)},
              {"divergence", answers.divergence}};
  rest.merge(fields_of(device));
  return fmt::format("{{\"a\": {}, \"b\": {}, {}", to_json(row_of(answers.a)), to_json(row_of(answers.b)),
                     to_json(rest).substr(1));
}

}  // namespace wordsway
