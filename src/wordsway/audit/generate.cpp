#include "wordsway/audit/generate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/random/stream.h"
#include "wordsway/text/tokenizer/text_stream.h"

namespace wordsway {
namespace {

// The likeliest ids, best first, that together have this share of all weights.
std::vector<int> likeliest(const Vector& weights, double share) {
  std::vector<int> order(static_cast<size_t>(weights.size()));
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](int a, int b) { return weights[a] != weights[b] ? weights[a] > weights[b] : a < b; };
  const double enough = share * weights.sum();
  double reached = 0;
  size_t sorted = 0;
  // Few are needed most of the time: a vocabulary of 150,000 is not sorted for them.
  for (size_t end = 64; sorted < order.size(); end *= 4) {
    const size_t next = std::min(end, order.size());
    std::partial_sort(order.begin() + static_cast<long>(sorted), order.begin() + static_cast<long>(next), order.end(),
                      before);
    for (; sorted < next; ++sorted) {
      reached += weights[order[sorted]];
      if (reached < enough) continue;
      order.resize(sorted + 1);
      return order;
    }
  }
  return order;
}

int drawn(const RowF& logits, const GenerateOptions& options, double uniform) {
  const double top = logits.maxCoeff();
  const Vector weights = ((logits.cast<double>().array() - top) / options.temperature).exp().matrix().transpose();
  std::vector<int> among(static_cast<size_t>(weights.size()));
  if (options.top_p < 1) {
    among = likeliest(weights, options.top_p);
  } else {
    std::iota(among.begin(), among.end(), 0);
  }
  double total = 0, sum = 0;
  for (const int id : among) total += weights[id];
  for (const int id : among)
    if ((sum += weights[id]) > uniform * total) return id;
  return among.front();  // never: uniform is below 1
}

int next_token(const Transformer& transformer, const MatrixF& last, const GenerateOptions& options, Index step) {
  const RowF logits = transformer.logits(last).row(0);
  if (!logits.allFinite())
    throw DataError(fmt::format("{}: the logits of token {} are not finite", transformer.name(), step));
  if (options.temperature > 0)
    return drawn(logits, options, Stream(options.seed).derive("next token").uniform(static_cast<std::uint64_t>(step)));
  Index best = 0;
  logits.maxCoeff(&best);
  return static_cast<int>(best);
}

// The text of the arriving tokens, without what belongs to the prompt. Text that may begin a stop text is held back.
class Answer {
 public:
  Answer(const Model& model, const std::vector<int>& prompt, const GenerateOptions& options)
      : stream_(*model.tokenizer), options_(options) {
    // A tokenizer may write its first token differently, without the space before it. Plain text continues the prompt;
    // the answer in a template starts afresh.
    if (options.chat_template != ChatTemplate::kNone) return;
    for (const int id : prompt) left_ += stream_.add(id).size();
    left_ = model.tokenizer->decode(prompt).size() - left_;
  }

  // Returns whether the text goes on.
  bool add(int id) { return take(stream_.add(id)); }

  void finish() {
    if (ended_ || stopped_) return;
    take(stream_.finish());
    if (!ended_) pass_on(held_.size());
  }

  const std::string& text() const { return text_; }
  bool ended() const { return ended_; }
  bool stopped() const { return stopped_; }

 private:
  // The number of leading bytes that belong to the prompt. It does not cut a character in which later tokens changed
  // the prompt's last bytes.
  size_t part_of_prompt(const std::string& more) {
    size_t bytes = std::min(left_, more.size());
    left_ -= bytes;
    while (bytes > 0 && bytes < more.size() && (more[bytes] & 0xc0) == 0x80) ++bytes;
    return bytes;
  }

  bool take(const std::string& more) {
    held_ += more.substr(part_of_prompt(more));
    size_t certain = held_.size();
    for (const std::string& stop : options_.stop) {
      const size_t place = held_.find(stop);
      if (place != std::string::npos) ended_ = true;
      certain = std::min(certain, place != std::string::npos ? place : begin_of(stop));
    }
    pass_on(certain);
    return !ended_ && !stopped_;
  }

  // Where the rest of the held text could begin a stop text.
  size_t begin_of(const std::string& stop) const {
    for (size_t length = std::min(stop.size() - 1, held_.size()); length > 0; --length)
      if (std::string_view(held_).substr(held_.size() - length) == std::string_view(stop).substr(0, length))
        return held_.size() - length;
    return held_.size();
  }

  void pass_on(size_t bytes) {
    const std::string certain = held_.substr(0, bytes);
    held_.erase(0, bytes);
    text_ += certain;
    if (options_.on_text && !options_.on_text(certain)) stopped_ = true;
  }

  TextStream stream_;
  const GenerateOptions& options_;
  size_t left_ = 0;  // bytes of the prompt still to come from the stream
  std::string text_, held_;
  bool ended_ = false, stopped_ = false;
};

std::vector<int> end_ids(const Model& model, ChatTemplate chat_template) {
  std::vector<int> ids = model.end_of_text;
  if (ids.empty() && model.tokenizer->special_ids().end_of_text)
    ids.push_back(*model.tokenizer->special_ids().end_of_text);
  if (const auto turn = end_of_answer(chat_template, *model.tokenizer)) ids.push_back(*turn);
  return ids;
}

}  // namespace

void GenerateOptions::check() const {
  if (max_new_tokens < 0)
    throw UsageError(fmt::format("a text has 0 or more new tokens; asked was for {}", max_new_tokens));
  if (!(temperature >= 0) || !std::isfinite(temperature))
    throw UsageError(fmt::format("the temperature must be a number from 0 on; got {}", temperature));
  if (!(top_p > 0 && top_p <= 1)) throw UsageError(fmt::format("top-p must be above 0 and at most 1; got {}", top_p));
  if (std::ranges::any_of(stop, [](const std::string& text) { return text.empty(); }))
    throw UsageError("a stop text is empty; expected at least one character");
}

ReadPrompt read_prompt(const Model& model, const std::string& prompt, ChatTemplate chat_template) {
  const Transformer& transformer = *model.transformer;
  if (!transformer.is_decoder())
    throw DataError(fmt::format("{} is an encoder, which does not write text; give a decoder, such as {}",
                                transformer.name(), enumerate(decoder_titles(), "or")));
  if (!transformer.predicts_next_word())
    throw DataError(fmt::format("{} does not write text: its folder has no head for the next word (lm_head.weight)",
                                transformer.name()));
  EncodedPrompt encoded = encode_prompt(model, prompt, chat_template);
  const Stopwatch watch;
  KeyValueCache cache = transformer.make_cache();
  MatrixF last = transformer.extend(encoded.ids, cache).bottomRows(1);
  return {std::move(encoded), std::move(cache), std::move(last), watch.seconds()};
}

Generation continue_prompt(const Model& model, ReadPrompt from, const GenerateOptions& options) {
  options.check();
  const Stopwatch watch;
  const Transformer& transformer = *model.transformer;
  const std::vector<int> ends = end_ids(model, options.chat_template);
  Generation result;
  result.prompt_ids = std::move(from.prompt.ids);
  result.prompt_cut = from.prompt.cut;
  Answer answer(model, result.prompt_ids, options);
  double first = 0;
  const Index positions = transformer.config().most_tokens();
  for (Index step = 0; step < options.max_new_tokens; ++step) {
    if (step > 0) {
      if (from.cache.tokens() == positions) break;
      from.last = transformer.extend(std::span(result.ids).last(1), from.cache);
    }
    const int id = next_token(transformer, from.last, options, step);
    result.ids.push_back(id);
    if (step == 0) first = watch.seconds();
    result.finished = std::ranges::count(ends, id) > 0;
    if (result.finished || !answer.add(id)) break;
  }
  const double seconds = watch.seconds();
  answer.finish();
  result.text = answer.text();
  result.finished = result.finished || answer.ended();
  result.stopped = answer.stopped();
  result.seconds = from.seconds + seconds;
  if (result.ids.size() > 1) result.tokens_per_second = static_cast<double>(result.ids.size() - 1) / (seconds - first);
  return result;
}

Generation generate(const Model& model, const std::string& prompt, const GenerateOptions& options) {
  options.check();
  return continue_prompt(model, read_prompt(model, prompt, options.chat_template), options);
}

Record row_of(const Generation& generation) {
  const auto numbers = [](const std::vector<int>& ids) { return std::vector<std::int64_t>(ids.begin(), ids.end()); };
  return {{"prompt_ids", numbers(generation.prompt_ids)},
          {"ids", numbers(generation.ids)},
          {"text", generation.text},
          {"finished", generation.finished},
          {"seconds", generation.seconds},
          {"tokens_per_second", optional_value(generation.tokens_per_second)}};
}

}  // namespace wordsway
