#include "wordsway/study/word_studies.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "wordsway/audit/related_words.h"
#include "wordsway/audit/swaps.h"
#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

Value change_of(const std::optional<TextChange>& found) {
  return found ? Value(found->change) : Value();
}
Value cosine_of(const std::optional<TextChange>& found) {
  return found ? optional_value(found->cosine) : Value();
}

Value divergence_of(const std::optional<TextChange>& found) {
  return found ? optional_value(found->divergence) : Value();
}

// Whether a text has one vector of hidden states.
bool gives_cosines(const ModelOutput& output) {
  return output.is_vector() && !output.readout->is_distribution();
}

std::string name_of(BallSearch search) {
  return search == BallSearch::kNone ? "none" : search == BallSearch::kPower ? "power" : "full";
}

Record row_of(const WordEffect& found, const ModelOutput& output) {
  Record row{{"word", found.word.text},
             {"sensitivity", optional_value(found.sensitivity)},
             {"typical", change_of(found.typical)},
             {"worst_word", optional_value(found.worst_word)},
             {"worst_change", change_of(found.worst)},
             {"synonym", optional_value(found.synonym)},
             {"synonym_change", change_of(found.by_synonym)},
             {"antonym", optional_value(found.antonym)},
             {"antonym_change", change_of(found.by_antonym)},
             {"dropped", change_of(found.dropped)}};
  if (output.readout->is_distribution())
    row.merge({{"typical_divergence", divergence_of(found.typical)},
               {"worst_divergence", divergence_of(found.worst)},
               {"synonym_divergence", divergence_of(found.by_synonym)},
               {"antonym_divergence", divergence_of(found.by_antonym)},
               {"dropped_divergence", divergence_of(found.dropped)}});
  if (gives_cosines(output))
    row.merge({{"typical_cosine", cosine_of(found.typical)},
               {"worst_cosine", cosine_of(found.worst)},
               {"synonym_cosine", cosine_of(found.by_synonym)},
               {"antonym_cosine", cosine_of(found.by_antonym)},
               {"dropped_cosine", cosine_of(found.dropped)}});
  row.merge({{"token", std::int64_t{found.token}},
             {"tokens", static_cast<std::int64_t>(found.word.tokens.size())},
             {"begin", std::int64_t{found.word.characters[0]}},
             {"end", std::int64_t{found.word.characters[1]}}});
  return row;
}

// Texts for each word at most, besides the word left out.
Index tried_for_each(const WordOptions& options) {
  constexpr Index kCommonest = 2;  // a synonym and an opposite
  if (options.replacements == 0) return 0;
  if (options.source == CandidateSource::kAll) return 2 * options.replacements + kCommonest;
  if (options.source == CandidateSource::kPlausible) return options.replacements + kCommonest;
  return kCommonest + (options.source == CandidateSource::kGiven ? static_cast<Index>(options.given.size())
                                                                 : static_cast<Index>(kMostAlike));
}

}  // namespace

TextStudy::TextStudy(StudiedTexts texts) : texts_(std::move(texts)), candidates_(*texts_.model, texts_.head.get()) {
  for (size_t t = 0; t < texts_.texts.size(); ++t)
    if (!words_of(texts_.texts[t].text, texts_.encodings[t]).empty()) tasks_.push_back(static_cast<Index>(t));
}

StudyContent TextStudy::content() const {
  Record content = texts_.model->transformer->content();
  content.merge(ids_of(*texts_.model, texts_.name, texts_.encodings).content());
  Digest digest;
  for (const LabelledText& text : texts_.texts) digest.add(text.text);
  content.set("spelling of the texts", digest.text());
  if (const Model* head = candidates_.head(); head != nullptr && head != texts_.model.get()) {
    content.set("model that says which words fit", digest_of(content_of(*head)));
  }
  content.set("lexicon", english_lexicon().digest());
  content.set("method of the search", std::int64_t{kSearchMethod});
  content.set("method of the search in models", std::int64_t{kModelSearchMethod});
  content.set("method of the replacements", std::int64_t{kReplacementMethod});
  return {content, {{"model"}, {"texts"}}};
}

Record TextStudy::settings() const {
  Record record{{"model", texts_.model->transformer->name()},
                {"layer", texts_.layer},
                {"texts", texts_.name},
                {"prompt", texts_.change.prompt}};
  if (texts_.change.output) record.merge(texts_.change.output->readout->settings());
  return record;
}

Record TextStudy::key(Index task) const {
  Record key{{"text", std::int64_t{text_of(task)}}};
  key.merge(device_fields(*texts_.model->transformer));
  return key;
}

double TextStudy::memory_bytes(Index task) const {
  const ModelMap map(texts_.model->transformer, texts_.change.output.value_or(last_layer(*texts_.model->transformer)));
  return map.sample_bytes(texts_.encodings[static_cast<size_t>(text_of(task))].size(),
                          texts_.model->transformer->config().hidden_size);
}

ChangedText TextStudy::changed_text(Index task) const {
  const auto t = static_cast<size_t>(text_of(task));
  return {*texts_.model, texts_.texts[t].text, texts_.encodings[t], texts_.change};
}

std::vector<Word> TextStudy::words_of_task(Index task) const {
  const auto t = static_cast<size_t>(text_of(task));
  return words_of(texts_.texts[t].text, texts_.encodings[t]);
}

double TextStudy::work_of(Index task, double texts_for_each_word) const {
  constexpr double kSpeed = 10;  // float32 products run ten times as fast as other work
  const ModelConfig& config = texts_.model->transformer->config();
  const Index n = texts_.encodings[static_cast<size_t>(text_of(task))].size();
  return texts_for_each_word / kSpeed * static_cast<double>(words_of_task(task).size()) *
         config.forward_flops(n, std::max<Index>(1, config.layers));
}

WordsStudy::WordsStudy(StudiedTexts texts, WordOptions options)
    : TextStudy(std::move(texts)), options_(std::move(options)) {
  options_.change = texts_.change;
  if (size() == 0 || options_.ball == BallSearch::kNone) return;
  // A radius that is out of range is the user's mistake and not a text's.
  const Transformer& transformer = *texts_.model->transformer;
  const Matrix X = transformer.embed(texts_.encodings[static_cast<size_t>(text_of(0))].ids).cast<double>();
  const ModelMap embedding(texts_.model->transformer, {0});
  check_radius(*embedding.at(X), options_.search.radius.of(X.row(0)));
}

Record WordsStudy::config() const {
  Record record = settings();
  record.merge({{"candidates", std::string(name_of(options_.source))},
                {"replacements", std::int64_t{options_.replacements}},
                {"ball", name_of(options_.ball)},
                {"radius", options_.search.radius.value},
                {"radius_unit", to_string(options_.search.radius.unit)},
                {"seed", static_cast<std::int64_t>(options_.seed)},
                {"starts", options_.search.starts ? Value(std::int64_t{*options_.search.starts}) : Value()},
                {"steps", std::int64_t{options_.search.max_iterations}},
                {"tolerance", optional_value(options_.search.tolerance)}});
  if (options_.source == CandidateSource::kGiven) record.set("given", options_.given);
  return record;
}

Index WordsStudy::row_count(Index task) const {
  return static_cast<Index>(words_of_task(task).size());
}

double WordsStudy::work(Index task) const {
  constexpr double kAscent = 400;  // forwards for a token
  return work_of(task,
                 static_cast<double>(tried_for_each(options_)) + (options_.ball == BallSearch::kFull ? kAscent : 0));
}

std::vector<Record> WordsStudy::run(Index task) const {
  const ChangedText text = changed_text(task);
  SeeWord see;
  if (texts_.partial) see = [&](const WordEffect& known) { texts_.partial(row_of(known, text.map().output())); };
  std::vector<Record> rows;
  for (const WordEffect& found : word_effects(candidates_, text, options_, texts_.progress, see)) {
    rows.push_back(key(task));
    rows.back().merge(row_of(found, text.map().output()));
  }
  return rows;
}

SubstituteStudy::SubstituteStudy(StudiedTexts texts, SubstituteStudyOptions options)
    : TextStudy(std::move(texts)), options_(std::move(options)) {
  if (options_.threshold && !texts_.change.output.value_or(ModelOutput{0}).is_pooled())
    throw UsageError("a threshold compares the vectors of two texts: it needs a pooled output");
  for (Index task = 0; task < size(); ++task) chosen_words(task);
  if (size() == 0 || options_.search.source != CandidateSource::kAll) return;
  const Word first = words_of_task(0)[chosen_words(0).front()];
  if (candidates_.all(first).empty())
    throw UsageError(fmt::format("the vocabulary of {} has no whole word that could stand for '{}'",
                                 texts_.model->transformer->name(), first.text));
}

Record SubstituteStudy::config() const {
  Record record = settings();
  const SubstituteOptions& search = options_.search;
  record.merge({{"word", optional_value(options_.choice.word)},
                {"token", options_.choice.token ? Value(std::int64_t{*options_.choice.token}) : Value()},
                {"candidates", std::string(name_of(search.source))},
                {"evaluations", search.evaluations ? Value(std::int64_t{*search.evaluations}) : Value()},
                {"exhaustive", search.exhaustive},
                {"top", std::int64_t{options_.top}},
                {"threshold", optional_value(options_.threshold)},
                {"seed", static_cast<std::int64_t>(search.seed)}});
  if (search.source == CandidateSource::kGiven) record.set("given", search.given);
  return record;
}

std::vector<size_t> SubstituteStudy::chosen_words(Index task) const {
  const std::vector<Word> words = words_of_task(task);
  std::vector<size_t> chosen;
  for (size_t w = 0; w < words.size(); ++w) {
    const auto& tokens = words[w].tokens;
    const bool has_token =
        !options_.choice.token || std::find(tokens.begin(), tokens.end(), *options_.choice.token) != tokens.end();
    const bool is_word = !options_.choice.word || without_case(words[w].text) == without_case(*options_.choice.word);
    if (has_token && is_word) chosen.push_back(w);
  }
  if (!chosen.empty()) return chosen;
  if (options_.choice.token)
    throw UsageError(fmt::format("token {} belongs to no word{} of text {}", *options_.choice.token,
                                 options_.choice.word ? " '" + *options_.choice.word + "'" : "", text_of(task)));
  std::vector<std::string> names;
  for (size_t w = 0; w < std::min<size_t>(words.size(), 20); ++w) names.push_back(words[w].text);
  throw UsageError(fmt::format("text {} has no word '{}'; it begins with: {}", text_of(task),
                               options_.choice.word.value_or(""), fmt::join(names, " ")));
}

Index SubstituteStudy::candidate_count(const std::string& text, const Word& word, const LexiconEntry& entry) const {
  const SubstituteOptions& search = options_.search;
  const Index all = std::numeric_limits<Index>::max();
  if (const auto relation = relation_of(search.source))
    return static_cast<Index>(candidates_of(entry, *relation).size());
  if (search.source == CandidateSource::kGiven)
    return static_cast<Index>(given_candidates(search.given, word.text).size());
  if (search.source == CandidateSource::kPlausible)
    return candidates_.count_plausible(
        text, word, CandidateWords::Kind::kSame,
        std::min(options_.top, search.exhaustive ? all : search.evaluations.value_or(kPlausibleEvaluations)));
  return std::min(static_cast<Index>(candidates_.all(word).size()),
                  search.exhaustive ? all : search.evaluations.value_or(kScreenedEvaluations));
}

Index SubstituteStudy::row_count(Index task) const {
  const std::vector<size_t> chosen = chosen_words(task);
  if (options_.threshold) return static_cast<Index>(chosen.size());
  const std::vector<Word> words = words_of_task(task);
  const auto t = static_cast<size_t>(text_of(task));
  const std::string& text = texts_.texts[t].text;
  std::vector<LexiconEntry> entries(words.size());
  if (relation_of(options_.search.source)) entries = related_words(candidates_, text, texts_.encodings[t]);
  Index rows = 0;
  for (const size_t word : chosen) rows += std::min(options_.top, candidate_count(text, words[word], entries[word]));
  return rows;
}

double SubstituteStudy::work(Index task) const {
  constexpr double kExhaustive = 20'000;
  const SubstituteOptions& search = options_.search;
  if (relation_of(search.source)) return work_of(task, static_cast<double>(kMostAlike));
  if (search.source == CandidateSource::kGiven) return work_of(task, static_cast<double>(search.given.size()));
  return work_of(
      task, search.exhaustive ? kExhaustive : static_cast<double>(search.evaluations.value_or(kScreenedEvaluations)));
}

std::vector<Record> SubstituteStudy::run(Index task) const {
  const ChangedText text = changed_text(task);
  SubstituteOptions search = options_.search;
  search.words = chosen_words(task);
  const auto found = substitute_words(text, candidates_, search, texts_.progress);
  std::vector<Record> rows;
  if (options_.threshold) {
    for (const Record& row : rows_within(text, found)) {
      rows.push_back(key(task));
      rows.back().merge(row);
    }
    return rows;
  }
  // A model may have more ids than its tokenizer.
  const auto next_word = [&](int id) {
    return texts_.model->tokenizer->has_id(id) ? Value(texts_.model->tokenizer->surface(id)) : Value();
  };
  for (const WordSubstitutions& word : found)
    for (size_t k = 0; k < std::min(word.found.size(), static_cast<size_t>(options_.top)); ++k) {
      const Substitution& one = word.found[k];
      rows.push_back(key(task));
      rows.back().merge({{"word", text.words()[word.word].text},
                         {"token", std::int64_t{text.words()[word.word].tokens.front()}},
                         {"replacement", one.replacement},
                         {"change", one.found.change},
                         {"cosine", optional_value(one.found.cosine)},
                         {"plausibility", optional_value(one.plausibility)},
                         {"relation", one.relation ? Value(std::string(name_of(*one.relation))) : Value()},
                         {"screened_rank", one.screened_rank ? Value(std::int64_t{*one.screened_rank}) : Value()}});
      if (one.found.next)
        rows.back().merge({{"divergence", optional_value(one.found.divergence)},
                           {"next_before", next_word(*text.next())},
                           {"next_after", next_word(*one.found.next)}});
    }
  return rows;
}

std::vector<Record> SubstituteStudy::rows_within(const ChangedText& text,
                                                 const std::vector<WordSubstitutions>& found) const {
  std::vector<Record> rows;
  for (const WordSwaps& word : swaps_within(*options_.threshold, *texts_.model, text, found, texts_.change.prompt)) {
    const Swap* const first = word.swaps.empty() ? nullptr : &word.swaps.front();
    std::vector<std::string> also;
    for (size_t k = 1; k < std::min(word.swaps.size(), static_cast<size_t>(options_.top)); ++k)
      also.push_back(word.swaps[k].substitution.replacement);
    const auto value = [&](auto get) { return first == nullptr ? Value() : Value(get(first->substitution)); };
    rows.push_back({{"word", text.words()[word.word].text},
                    {"token", std::int64_t{text.words()[word.word].tokens.front()}},
                    {"replacement", value([](const Substitution& one) { return one.replacement; })},
                    {"change", value([](const Substitution& one) { return one.found.change; })},
                    {"cosine", value([](const Substitution& one) { return *one.found.cosine; })},
                    {"plausibility", first == nullptr ? Value() : optional_value(first->substitution.plausibility)},
                    {"screened_rank", Value()},
                    {"alone", value([&](const Substitution&) { return first->alone; })},
                    {"harm", value([&](const Substitution&) { return first->harm; })},
                    {"swaps", static_cast<std::int64_t>(word.swaps.size())},
                    {"evaluated", std::int64_t{word.evaluated}},
                    {"also", also}});
  }
  return rows;
}

}  // namespace wordsway
