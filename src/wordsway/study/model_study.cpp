#include "wordsway/study/model_study.h"

#include <array>

#include <fmt/format.h>

#include "wordsway/audit/model.h"
#include "wordsway/core/error.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/declared_parameters.h"
#include "wordsway/study/measure_rows.h"

namespace wordsway {

ModelStudy::ModelStudy(ModelStudyConfig config)
    : config_(std::move(config)), map_(config_.transformer, config_.output) {
  if (config_.typical < 0)
    throw UsageError(fmt::format("the number of replacements must be at least 0; got {}", config_.typical));
  if (config_.worst_among > 0 && config_.typical == 0)
    throw UsageError("a worst word is looked for from words that are drawn; their number must be at least 1");
  if (config_.typical > 0) counts_.emplace(config_.texts.tokenizer(), config_.texts.all_ids());
  if (config_.n.empty()) add_tasks(std::nullopt);
  for (const Index n : config_.n) {
    const Index before = size();
    add_tasks(n);
    if (size() == before) throw UsageError(fmt::format("no text has {} tokens", n));
  }
  if (tasks_.empty()) throw UsageError("there is no text to measure");
  for (const Task& task : tasks_)
    if (config_.token && (*config_.token < 0 || *config_.token >= task.n))
      throw UsageError(fmt::format("token {} is out of range; a text has tokens 0 to {}", *config_.token, task.n - 1));
}

void ModelStudy::add_tasks(std::optional<Index> n) {
  Index trial = 0;
  for (Index text = 0; text < config_.texts.size(); ++text) {
    const Index length = config_.texts.length(text);
    if (n && length < *n) continue;
    if (config_.trials && trial >= *config_.trials) return;
    tasks_.push_back({text, n.value_or(length), trial++});
  }
}

Record ModelStudy::config() const {
  Record config{{"model", config_.transformer->name()},
                {"layer", config_.layer},
                {"texts", config_.texts.name()},
                {"n", std::vector<std::int64_t>(config_.n.begin(), config_.n.end())},
                {"token", config_.token ? Value(static_cast<std::int64_t>(*config_.token)) : Value("all")},
                {"radius", config_.search.radius.value},
                {"radius_unit", to_string(config_.search.radius.unit)},
                {"trials", config_.trials ? Value(static_cast<std::int64_t>(*config_.trials)) : Value()},
                {"seed", static_cast<std::int64_t>(config_.seed)},
                {"starts", config_.search.starts ? Value(std::int64_t{*config_.search.starts}) : Value()},
                {"steps", std::int64_t{config_.search.max_iterations}},
                {"tolerance", optional_value(config_.search.tolerance)}};
  config.merge(config_.output.readout->settings());
  if (config_.typical > 0) config.set("typical", static_cast<std::int64_t>(config_.typical));
  if (config_.worst_among > 0) config.set("worst_among", static_cast<std::int64_t>(config_.worst_among));
  return config;
}

StudyContent ModelStudy::content() const {
  Record content = config_.transformer->content();
  content.merge(config_.texts.content());
  if (config_.output.first_pooled > 0) content.set("tokens of the prompt", std::int64_t{config_.output.first_pooled});
  content.set("method of the search", std::int64_t{kSearchMethod});
  content.set("method of the search in models", std::int64_t{kModelSearchMethod});
  if (config_.typical > 0) {
    content.set("method of the replacement words", std::int64_t{kReplacementWordsMethod});
    content.set("method of the word changes", std::int64_t{kWordChangesMethod});
  }
  return {content, {{"model", "map"}, {"texts"}}};
}

Record ModelStudy::key(Index task) const {
  Record key{{"map", config_.transformer->name()},
             {"n", static_cast<std::int64_t>(at(task).n)},
             {"d", static_cast<std::int64_t>(config_.transformer->config().hidden_size)},
             {"depth", static_cast<std::int64_t>(config_.output.layer)}};
  // A model has the keys of a map, so that rows of both fit into one table.
  for (const std::string& name : row_parameters({}))
    if (key.find(name) == nullptr) key.set(name, {});
  key.set("random", {});
  key.set("trial", static_cast<std::int64_t>(at(task).trial));
  key.set("seed", static_cast<std::int64_t>(config_.seed));
  key.merge(device_fields(*config_.transformer));
  return key;
}

// The words of a search are held as rows in addition to the sample.
double ModelStudy::memory_bytes(Index task) const {
  const Index d = config_.transformer->config().hidden_size;
  const Index words = config_.worst_among > 0 ? counts_->size() : config_.typical;
  return map_.sample_bytes(at(task).n, d) + 8.0 * static_cast<double>(words) * static_cast<double>(d);
}

double ModelStudy::work(Index task) const {
  // An ascent takes some fifty steps of two to three forwards each; float32 products run ten times as fast as other
  // work.
  constexpr double kForwards = 120, kSpeed = 10;
  const Index n = at(task).n, blocks = std::max<Index>(1, config_.output.layer);
  const double tokens = config_.token ? 1 : static_cast<double>(n);
  const double forwards = kForwards + static_cast<double>(std::max(config_.typical, config_.worst_among));
  return forwards / kSpeed * config_.transformer->config().forward_flops(n, blocks) * tokens;
}

// Every word costs a forward pass, so only some are tried.
WordChanges ModelStudy::change_words(const Task& at, const MappedSample& sample, Index token,
                                     const TokenView& view) const {
  const Stream stream = Stream(config_.seed)
                            .derive("replacement words")
                            .derive(static_cast<std::uint64_t>(at.text))
                            .derive(static_cast<std::uint64_t>(token));
  std::vector<int> ids = config_.texts.ids(at.text);
  ids.resize(static_cast<size_t>(at.n));
  const auto place = ids.begin() + static_cast<std::ptrdiff_t>(token);
  DrawnTokens words = counts_->draw(*place, counts_->size(), config_.typical, stream);
  if (config_.worst_among == 0) words = words.without_the_rest();
  const Matrix rows = config_.transformer->embed_at_row(words.ids, token).cast<double>();
  WordChanges found = search_word_changes(sample, view, token, rows, words.drawn, config_.worst_among);
  if (ids.size() == 1) return found;
  ids.erase(place);
  ModelOutput output = config_.output;
  if (token < output.first_pooled) --output.first_pooled;
  const Matrix others = config_.transformer->embed(ids).cast<double>();
  found.left_out = left_out_change(sample, token, ModelMap(config_.transformer, output).features_reference(others));
  return found;
}

std::vector<Record> ModelStudy::run(Index task) const {
  const Index n = at(task).n;
  const std::span<const int> ids(config_.texts.ids(at(task).text));
  const Matrix X = config_.transformer->embed(ids.first(static_cast<size_t>(n))).cast<double>();
  const Stopwatch watch;
  const auto sample = map_.at(X);
  const Stream stream = Stream(config_.seed)
                            .derive("model")
                            .derive(static_cast<std::uint64_t>(at(task).text))
                            .derive(static_cast<std::uint64_t>(n));
  std::vector<WordChanges> changes(static_cast<size_t>(config_.typical == 0 ? 0 : config_.token ? 1 : n));
  TokenQuestion question;
  if (config_.typical > 0)
    question = [&](Index token, const TokenView& view) {
      changes[static_cast<size_t>(config_.token ? 0 : token)] = change_words(at(task), *sample, token, view);
    };
  const SampleSensitivity found =
      config_.token ? measure_tokens(*sample, std::array{*config_.token}, config_.search, stream, {}, question)
                    : measure_tokens(*sample, config_.search, stream, {}, question);
  Record row = key(task);
  add_sensitivity(row, found.most, sample->feature_norm());
  if (config_.typical > 0) add_word_changes(row, changes);
  row.set("memory_bytes", static_cast<std::int64_t>(memory_bytes(task)));
  row.set("seconds", watch.seconds());
  if (!config_.token) row.set("token_sensitivities", found.sensitivities);
  if (config_.observe) config_.observe(found.most.delta);
  return {row};
}

}  // namespace wordsway
