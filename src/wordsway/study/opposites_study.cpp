#include "wordsway/study/opposites_study.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "wordsway/audit/related_words.h"
#include "wordsway/core/digest.h"
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

std::vector<std::string> review_sentences(std::uint64_t first, Index reviews) {
  std::vector<std::string> result;
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(reviews); ++k)
    for (std::string& sentence : sentences_of(builtin_review(first + k, kWordsOfReview).text))
      result.push_back(std::move(sentence));
  return result;
}

std::vector<TwoWayWord> two_way_words(std::span<const std::string> texts, Index sentences_of_word) {
  std::vector<TwoWayWord> result;
  std::map<std::string, std::set<std::string>> sentences;  // of each lemma
  for (const std::string& sentence : texts) {
    const Lexicon* const lexicon = lexicon_of(sentence);
    if (lexicon == nullptr) continue;
    const std::vector<ByteRange> places = lexicon->words(sentence);
    const std::vector<LexiconEntry> entries = lexicon->look_up(sentence, places);
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

std::optional<double> magnitude_of(const Record& row, const std::string& relation) {
  for (const char* unit : {"_divergence", "_change"})
    if (row.find(relation + unit) != nullptr && !row.missing(relation + unit)) return row.number(relation + unit);
  return std::nullopt;
}

OppositesStudy::OppositesStudy(OppositesConfig config) : config_(std::move(config)) {
  if (config_.models.empty() || config_.words.empty())
    throw UsageError(fmt::format("a study of opposites needs models and words; got {} models and {} words",
                                 config_.models.size(), config_.words.size()));
}

Record OppositesStudy::config() const {
  std::vector<std::string> models, prompts;
  for (const JudgedModel& judged : config_.models) {
    models.push_back(fmt::format("{}: {}", judged.name, judged.model.transformer->name()));
    prompts.push_back(judged.change.prompt);
  }
  Record record{{"models", models},
                {"prompts", prompts},
                {"words", static_cast<std::int64_t>(config_.words.size())},
                {"seed", static_cast<std::int64_t>(config_.seed)}};
  record.merge(config_.settings);
  return record;
}

StudyContent OppositesStudy::content() const {
  Record content;
  for (const JudgedModel& judged : config_.models) {
    const Record own = content_of(judged.model);
    for (const auto& [name, value] : own.fields()) content.set(fmt::format("{} of {}", name, judged.name), value);
  }
  Digest words;
  for (const TwoWayWord& one : config_.words)
    for (const std::string* text : {&one.sentence, &one.word, &one.synonym, &one.antonym}) words.add(*text);
  content.set("words", words.text());
  content.set("lexicon", english_lexicon().digest());
  content.set("method of the replacements", std::int64_t{kReplacementMethod});
  content.set("method of the opposites", std::int64_t{kOppositesMethod});
  return {content, {{"models"}}};
}

Index OppositesStudy::size() const {
  return static_cast<Index>(config_.models.size() * config_.words.size());
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
  const TwoWayWord& at = config_.words[place(task)];
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
  row.merge({{"lemma", at.lemma}, {"word", at.word}, {"synonym", at.synonym}, {"antonym", at.antonym}});
  for (const auto& [relation, change] : {std::pair{"synonym", *changes[0]}, {"antonym", *changes[1]}}) {
    row.set(fmt::format("{}_change", relation), change.change);
    if (change.cosine) row.set(fmt::format("{}_cosine", relation), *change.cosine);
    if (change.divergence) row.set(fmt::format("{}_divergence", relation), *change.divergence);
  }
  row.merge({{"missed", changes[1]->magnitude() < changes[0]->magnitude()},
             {"sentence", at.sentence},
             {"swapped", Stream(config_.seed).derive("shuffled labels").uniform(place(task)) < 0.5},
             {"seconds", watch.seconds()}});
  return {row};
}

}  // namespace wordsway
