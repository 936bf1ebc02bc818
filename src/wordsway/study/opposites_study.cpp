#include "wordsway/study/opposites_study.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "wordsway/audit/related_words.h"
#include "wordsway/core/error.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/random/stream.h"
#include "wordsway/text/reviews/builtin_reviews.h"

namespace wordsway {
namespace {

constexpr int kOppositesMethod = 1;       // to be raised when the same settings and seed give other rows
constexpr Index kWordsOfReview = 100;     // at least
constexpr double kTokensOfSentence = 32;  // for estimates

}  // namespace

std::vector<TwoWayWord> two_way_words(std::uint64_t first, Index reviews, Index sentences_of_word) {
  std::vector<TwoWayWord> result;
  std::map<std::string, std::set<std::string>> sentences;  // of each lemma
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(reviews); ++k)
    for (const std::string& sentence : sentences_of(builtin_review(first + k, kWordsOfReview).text)) {
      const std::vector<ByteRange> places = english_lexicon().words(sentence);
      const std::vector<LexiconEntry> entries = english_lexicon().look_up(sentence, places);
      for (size_t w = 0; w < places.size(); ++w) {
        const LexiconEntry& entry = entries[w];
        if (entry.synonyms.empty() || entry.antonyms.empty()) continue;
        std::set<std::string>& own = sentences[entry.lemma];
        if (static_cast<Index>(own.size()) >= sentences_of_word || !own.insert(sentence).second) continue;
        const auto begin = static_cast<size_t>(places[w][0]), end = static_cast<size_t>(places[w][1]);
        result.push_back({sentence, places[w], entry.lemma, sentence.substr(begin, end - begin), entry.synonyms.front(),
                          entry.antonyms.front()});
      }
    }
  return result;
}

OppositesStudy::OppositesStudy(OppositesConfig config)
    : config_(std::move(config)), words_(two_way_words(config_.first, config_.reviews, config_.sentences_of_word)) {
  if (config_.models.empty() || words_.empty())
    throw UsageError(fmt::format("a study of opposites needs models and words; got {} models and {} words",
                                 config_.models.size(), words_.size()));
}

Record OppositesStudy::config() const {
  std::vector<std::string> models, prompts;
  for (const JudgedModel& judged : config_.models) {
    models.push_back(fmt::format("{}: {}", judged.name, judged.model.transformer->name()));
    prompts.push_back(judged.change.prompt);
  }
  return {{"models", models},
          {"prompts", prompts},
          {"first_review", static_cast<std::int64_t>(config_.first)},
          {"reviews", std::int64_t{config_.reviews}},
          {"sentences_of_word", std::int64_t{config_.sentences_of_word}},
          {"words", static_cast<std::int64_t>(words_.size())},
          {"seed", static_cast<std::int64_t>(config_.seed)}};
}

StudyContent OppositesStudy::content() const {
  Record content;
  for (const JudgedModel& judged : config_.models) {
    const Record own = content_of(judged.model);
    for (const auto& [name, value] : own.fields()) content.set(fmt::format("{} of {}", name, judged.name), value);
  }
  content.set("built-in reviews", builtin_reviews_digest());
  content.set("lexicon", english_lexicon().digest());
  content.set("method of the replacements", std::int64_t{kReplacementMethod});
  content.set("method of the opposites", std::int64_t{kOppositesMethod});
  return {content, {{"models"}}};
}

Index OppositesStudy::size() const {
  return static_cast<Index>(config_.models.size() * words_.size());
}

Record OppositesStudy::key(Index task) const {
  Record key{{"model", judged(task).name}, {"place", static_cast<std::int64_t>(place(task))}};
  key.merge(device_fields(*judged(task).model.transformer));
  return key;
}

double OppositesStudy::memory_bytes(Index task) const {
  const ModelMap map(judged(task).model.transformer, *judged(task).change.output);
  return map.sample_bytes(static_cast<Index>(kTokensOfSentence), judged(task).model.transformer->config().hidden_size);
}

double OppositesStudy::work(Index task) const {
  const ModelConfig& config = judged(task).model.transformer->config();
  constexpr double kTexts = 3;
  return kTexts * config.forward_flops(static_cast<Index>(kTokensOfSentence), config.layers);
}

std::vector<Record> OppositesStudy::run(Index task) const {
  const Stopwatch watch;
  const TwoWayWord& at = words_[place(task)];
  const ChangedText text(judged(task).model, at.sentence, judged(task).change);
  const auto word = std::ranges::find(text.words(), at.place, &Word::bytes);
  if (word == text.words().end())
    throw DataError(fmt::format("the tokenizer of {} takes '{}' apart in: {}", judged(task).model.transformer->name(),
                                at.word, at.sentence));
  const auto index = static_cast<size_t>(word - text.words().begin());
  const std::vector<WordEdit> edits = {edit_by_lexicon(&english_lexicon(), text, index, at.synonym),
                                       edit_by_lexicon(&english_lexicon(), text, index, at.antonym)};
  const auto changes = text.evaluate(edits);
  Record row = key(task);
  row.merge({{"lemma", at.lemma},
             {"word", at.word},
             {"synonym", at.synonym},
             {"antonym", at.antonym},
             {"sentence", at.sentence},
             {"by_synonym", changes[0]->magnitude()},
             {"by_antonym", changes[1]->magnitude()},
             {"swapped", Stream(config_.seed).derive("shuffled labels").uniform(place(task)) < 0.5},
             {"seconds", watch.seconds()}});
  return {row};
}

}  // namespace wordsway
