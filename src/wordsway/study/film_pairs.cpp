#include "wordsway/study/film_pairs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/random/random_order.h"
#include "wordsway/text/reviews/builtin_reviews.h"

namespace wordsway {
namespace {

constexpr std::string_view kReview = "Review: ";

// Which sentences to keep, in ascending order, so that their tokens add up to `total` and `kept` is among them: the
// first such choice when sentences are offered in a random order. Nothing if there is none.
std::optional<std::vector<Index>> choose_sentences(const std::vector<Index>& tokens, Index kept, Index total,
                                                   const Stream& stream) {
  constexpr Index kNever = -1;
  const Index room = total - tokens[static_cast<size_t>(kept)];
  if (room < 0) return std::nullopt;
  // last[s]: the sentence that was added last to reach s tokens.
  std::vector<Index> last(static_cast<size_t>(room) + 1, kNever);
  std::vector<Index> chosen = {kept};
  for (const Index offered :
       random_order(stream, static_cast<Index>(tokens.size()), static_cast<Index>(tokens.size()))) {
    const Index size = tokens[static_cast<size_t>(offered)];
    if (offered == kept || size < 1) continue;
    for (Index sum = room; sum >= size; --sum)
      if (last[static_cast<size_t>(sum)] == kNever && (sum == size || last[static_cast<size_t>(sum - size)] != kNever))
        last[static_cast<size_t>(sum)] = offered;
  }
  for (Index sum = room; sum > 0; sum -= tokens[static_cast<size_t>(chosen.back())]) {
    if (last[static_cast<size_t>(sum)] == kNever) return std::nullopt;
    chosen.push_back(last[static_cast<size_t>(sum)]);
  }
  std::ranges::sort(chosen);
  return chosen;
}

std::string joined(const std::vector<std::string>& sentences, const std::vector<Index>& chosen) {
  std::string text;
  for (const Index k : chosen) text += (text.empty() ? "" : " ") + sentences[static_cast<size_t>(k)];
  return text;
}

std::optional<Index> only_difference(const std::vector<int>& a, const std::vector<int>& b) {
  if (a.size() != b.size()) return std::nullopt;
  const auto [at, other] = std::ranges::mismatch(a, b);
  if (at == a.end() || !std::equal(at + 1, a.end(), other + 1)) return std::nullopt;
  return static_cast<Index>(at - a.begin());
}

std::optional<double> label_of(const std::string& answer) {
  if (answer.starts_with("Yes")) return 1;
  if (answer.starts_with("No")) return -1;
  return std::nullopt;
}

// The pair made from a question, if there is one.
std::optional<ReviewPair> shortened_pair(std::uint64_t index, const ReviewPairOptions& options,
                                         const Tokenizer& tokenizer) {
  constexpr Index kMoreWords = 40;  // enough sentences to choose from
  const Index words = std::min(options.tokens + options.tokens / 2 + kMoreWords, kLongestQuestion);
  const FilmQuestion question = film_question(index, words, options.split);
  const PromptParts parts = parts_of_prompt(question.prompts[0]), other = parts_of_prompt(question.prompts[1]);
  const std::vector<std::string> sentences = sentences_of(parts.review), others = sentences_of(other.review);
  if (sentences.size() != others.size()) return std::nullopt;
  const auto deciding = std::ranges::mismatch(sentences, others).in1 - sentences.begin();
  std::vector<Index> tokens;
  tokens.reserve(sentences.size());
  for (const std::string& sentence : sentences) tokens.push_back(tokenizer.count_tokens(sentence, false));
  const auto chosen = choose_sentences(tokens, deciding, options.tokens, Stream(index).derive("shortened review"));
  if (!chosen) return std::nullopt;
  ReviewPair pair{index, {joined(sentences, *chosen), joined(others, *chosen)}, {}, {}, {}, 0};
  for (const size_t side : {0U, 1U}) {
    const auto label = label_of(question.answers[side]);
    pair.ids[side] = tokenizer.encode(pair.reviews[side], {.special_tokens = false}).ids;
    if (!label || static_cast<Index>(pair.ids[side].size()) != options.tokens) return std::nullopt;
    pair.labels[side] = *label;
    pair.prompts[side] = fmt::format("{}{} {}", kReview, pair.reviews[side], parts.question);
  }
  const auto place = only_difference(pair.ids[0], pair.ids[1]);
  if (!place) return std::nullopt;
  pair.place = *place;
  return pair;
}

}  // namespace

PromptParts parts_of_prompt(const std::string& prompt) {
  size_t end = prompt.rfind(" Question: ");
  if (end == std::string::npos) end = prompt.rfind(" Continue:");
  if (!prompt.starts_with(kReview) || end == std::string::npos || end < kReview.size())
    throw DataError(
        fmt::format("a prompt is 'Review: … Question: … Answer:' or 'Review: … Continue:'; got '{}'", prompt));
  return {prompt.substr(kReview.size(), end - kReview.size()), prompt.substr(end + 1)};
}

FilmQuestion question_with_tokens(std::uint64_t index, Index tokens, QuestionSplit split, const Tokenizer& tokenizer) {
  constexpr int kAttempts = 6;
  constexpr double kWordsPerToken = 0.75;
  const auto in_range = [](double words) {
    return std::clamp(static_cast<Index>(std::lround(words)), kShortestQuestion, kLongestQuestion);
  };
  Index words = in_range(kWordsPerToken * static_cast<double>(tokens));
  std::optional<FilmQuestion> best;
  Index best_distance = 0;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    FilmQuestion question = film_question(index, words, split);
    const Index found = tokenizer.count_tokens(parts_of_prompt(question.prompts[0]).review, false);
    if (!best || std::abs(found - tokens) < best_distance) {
      best_distance = std::abs(found - tokens);
      best = std::move(question);
    }
    const Index next = in_range(static_cast<double>(words) + kWordsPerToken * static_cast<double>(tokens - found));
    if (next == words) break;
    words = next;
  }
  return *std::move(best);
}

std::vector<ReviewPair> review_pairs(const ReviewPairOptions& options, const Tokenizer& tokenizer) {
  if (options.count < 1 || options.tokens < 1)
    throw UsageError(fmt::format("pairs of reviews: expected at least one pair of at least one token; got {} of {}",
                                 options.count, options.tokens));
  constexpr std::uint64_t kQuestionsPerPair = 2000;
  const auto kinds = film_question_kinds();
  std::vector<ReviewPair> pairs;
  const std::uint64_t first = options.first - options.first % 2,
                      end = first + kQuestionsPerPair * static_cast<std::uint64_t>(options.count);
  for (std::uint64_t index = first; index < end && static_cast<Index>(pairs.size()) < options.count; index += 2) {
    const std::string_view kind = kinds[index / 2 % kinds.size()];
    if (kind != "again" && kind != "recommend") continue;
    if (auto pair = shortened_pair(index, options, tokenizer)) pairs.push_back(*std::move(pair));
  }
  if (static_cast<Index>(pairs.size()) < options.count)
    throw DataError(fmt::format("only {} of {} pairs of reviews have {} tokens in this vocabulary", pairs.size(),
                                options.count, options.tokens));
  return pairs;
}

}  // namespace wordsway
