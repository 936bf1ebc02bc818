#include "wordsway/study/one_word_study.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/learning/feature_store.h"
#include "wordsway/learning/readout.h"
#include "wordsway/study/pair_readouts.h"

namespace wordsway {
namespace {

constexpr int kOneWordMethod = 1;                   // to be raised when the same settings and seed give other rows
constexpr std::uint64_t kTrialQuestions = 1 << 24;  // that a trial may look at; even, as review_pairs begins with one

void flatten_into(const MatrixF& rows, Eigen::Ref<Eigen::RowVectorXd> out) {
  for (Index i = 0; i < rows.rows(); ++i) out.segment(i * rows.cols(), rows.cols()) = rows.row(i).cast<double>();
}

}  // namespace

OneWordStudy::OneWordStudy(OneWordConfig config) : config_(std::move(config)) {
  constexpr Index kLeastTraining = 5;
  if (config_.n.empty() || config_.test_pairs < 1 || config_.trials < 1 || config_.training_pairs < kLeastTraining)
    throw UsageError(
        fmt::format("the one-word task needs a length, a trial, a test pair and {} training pairs; got {} "
                    "lengths, {} trials, {} and {} pairs",
                    kLeastTraining, config_.n.size(), config_.trials, config_.test_pairs, config_.training_pairs));
  for (size_t map = 0; map < config_.maps.size(); ++map)
    for (const Index n : config_.n) map_registry().get(config_.maps[map].map).describe(options_of(map, n));
}

Record OneWordStudy::config() const {
  std::vector<std::string> maps;
  for (const NamedMap& map : config_.maps) maps.push_back(map.name);
  Record config{{"encoder", config_.encoder.transformer->name()},
                {"decoder", config_.decoder.transformer->name()},
                {"maps", maps},
                {"n", std::vector<std::int64_t>(config_.n.begin(), config_.n.end())},
                {"training_pairs", static_cast<std::int64_t>(config_.training_pairs)},
                {"test_pairs", static_cast<std::int64_t>(config_.test_pairs)},
                {"split", "training"},
                {"first_question", static_cast<std::int64_t>(config_.first)},
                {"trials", static_cast<std::int64_t>(config_.trials)},
                {"seed", static_cast<std::int64_t>(config_.seed)}};
  for (size_t map = 0; map < config_.maps.size(); ++map) {
    const Record described = map_registry().get(config_.maps[map].map).describe(options_of(map, config_.n.front()));
    for (const auto& [name, value] : config_.maps[map].options.given)
      if (const Value* shown = described.find(name)) config.set(config_.maps[map].name + " " + name, *shown);
  }
  return config;
}

StudyContent OneWordStudy::content() const {
  Record content;
  const auto add = [&](const std::string& who, const Record& record) {
    for (const auto& [name, value] : record.fields()) content.set(fmt::format("{} of the {}", name, who), value);
  };
  for (const auto& [who, model] : {std::pair("encoder", &config_.encoder), std::pair("decoder", &config_.decoder)})
    add(who, content_of(*model));
  std::vector<std::string> maps;
  for (const NamedMap& map : config_.maps) maps.push_back(map.map);
  content.merge(methods_of(maps));
  content.set("film questions", film_questions_digest());
  content.set("method of the one-word task", std::int64_t{kOneWordMethod});
  return {content, {{"encoder"}, {"decoder"}}};
}

Index OneWordStudy::size() const {
  return static_cast<Index>(config_.n.size() * (config_.maps.size() + 2)) * config_.trials;
}

OneWordStudy::Point OneWordStudy::point(Index task) const {
  const Index parts = static_cast<Index>(config_.maps.size()) + 2, of_a_length = parts * config_.trials;
  return {config_.n[static_cast<size_t>(task / of_a_length)], task % of_a_length / parts,
          static_cast<size_t>(task % parts)};
}

std::string OneWordStudy::part_name(size_t part) const {
  return part < config_.maps.size() ? config_.maps[part].name : part == config_.maps.size() ? "encoder" : "decoder";
}

Record OneWordStudy::key(Index task) const {
  const Point at = point(task);
  Record key{{"part", part_name(at.part)},
             {"n", static_cast<std::int64_t>(at.n)},
             {"trial", static_cast<std::int64_t>(at.trial)}};
  if (at.part >= config_.maps.size()) key.merge(device_fields(*model_of(at.part).transformer));
  return key;
}

Index OneWordStudy::row_count(Index task) const {
  const size_t part = point(task).part, maps = config_.maps.size();
  if (part < maps) return 2;
  const Index layers = model_of(part).transformer->config().layers;
  return part == maps ? layers + 1 + 2 : layers + 1;
}

MapOptions OneWordStudy::options_of(size_t map, Index n) const {
  MapOptions options = config_.maps[map].options;
  options.n = n;
  options.d = config_.encoder.transformer->config().hidden_size;
  return options;
}

// Flattened rows twice, a block of features, kernels.
double OneWordStudy::memory_bytes(Index task) const {
  const Point at = point(task);
  const double samples = 2 * static_cast<double>(config_.training_pairs + config_.test_pairs),
               D = static_cast<double>(at.n * config_.encoder.transformer->config().hidden_size);
  double bytes = 16 * samples * D + 32 * samples * samples + FeatureRoom{}.block_bytes;
  if (at.part < config_.maps.size()) {
    const MapEntry& entry = map_registry().get(config_.maps[at.part].map);
    const MapOptions options = options_of(at.part, at.n);
    bytes += entry.learner_memory_bytes ? entry.learner_memory_bytes(options, static_cast<Index>(samples))
                                        : entry.memory_bytes(options);
  }
  return bytes;
}

double OneWordStudy::work(Index task) const {
  const Point at = point(task);
  const double samples = 2 * static_cast<double>(config_.training_pairs + config_.test_pairs);
  if (at.part < config_.maps.size()) {
    const double d = static_cast<double>(config_.encoder.transformer->config().hidden_size),
                 n = static_cast<double>(at.n);
    return samples * n * d * (2 * samples + 2 * d + 4 * n);
  }
  const ModelConfig& config = model_of(at.part).transformer->config();
  return samples * config.forward_flops(at.n + 20, config.layers);
}

std::vector<ReviewPair> OneWordStudy::pairs(const Point& at) const {
  // Lengths share questions, trials and seeds do not.
  const std::uint64_t block =
      (config_.seed - 1) * static_cast<std::uint64_t>(config_.trials) + static_cast<std::uint64_t>(at.trial);
  ReviewPairOptions options;
  options.first = config_.first + block * kTrialQuestions;
  options.count = config_.training_pairs + config_.test_pairs;
  options.tokens = at.n;
  return review_pairs(options, *config_.encoder.tokenizer);
}

Record OneWordStudy::judged(const std::string& readout, const std::vector<ReviewPair>& pairs,
                            const Vector& outputs) const {
  return judge_pairs(readout, pairs, config_.training_pairs, outputs);
}

std::vector<Record> OneWordStudy::run_map(const Point& at, const std::vector<ReviewPair>& pairs) const {
  const MapOptions options = options_of(at.part, at.n);
  const Index samples = samples_of(pairs), n = at.n, d = options.d;
  Matrix all(samples - 1, n * d), X(n, d);
  parallel_for(samples, [&](Index s) {
    const SurroundedReview text = surrounded_review(*config_.encoder.tokenizer, pairs, s);
    Matrix rows = config_.encoder.transformer->embed(text.ids).middleRows(text.first, n).cast<double>();
    for (Index i = 0; i < n; ++i) rows.row(i) *= std::sqrt(static_cast<double>(d)) / rows.row(i).norm();
    if (s == samples - 1) {
      X = rows;
    } else {
      all.row(s) = Eigen::Map<const Eigen::RowVectorXd>(rows.data(), rows.size());
    }
  });
  const MapEntry& entry = map_registry().get(config_.maps[at.part].map);
  const Stream stream = Stream(config_.seed).derive("one-word task").derive(n).derive(at.trial);
  const auto view = draw_learner_view(entry, options, stream.derive("weights"), {all, X, 0});
  const Index features = view->sample().features().size();
  const Vector labels = labels_of_pairs(pairs, config_.training_pairs);
  const Matrix K = kernel_of(*view);
  return {judged("interpolator", pairs, interpolate(K, labels, features)), judged("ridge", pairs, ridge(K, labels, 2))};
}

std::vector<Record> OneWordStudy::run_encoder(const std::vector<ReviewPair>& pairs) const {
  const Transformer& encoder = *config_.encoder.transformer;
  const Index layers = encoder.config().layers, d = encoder.config().hidden_size, samples = samples_of(pairs);
  const Index n = static_cast<Index>(ids_of_sample(pairs, 0).size());
  std::vector<Matrix> means(static_cast<size_t>(layers) + 1, Matrix(samples, d));
  Matrix first(samples, n * d), last(samples, n * d);
  for_each_review(config_.encoder, pairs, [&](Index s, const std::vector<MatrixF>& states) {
    for (size_t l = 0; l < states.size(); ++l) means[l].row(s) = states[l].cast<double>().colwise().mean();
    flatten_into(states.front(), first.row(s));
    flatten_into(states.back(), last.row(s));
  });
  const Vector labels = labels_of_pairs(pairs, config_.training_pairs);
  std::vector<Record> rows;
  const auto add = [&](const std::string& readout, Index layer, const Vector& outputs) {
    rows.push_back(judged(readout, pairs, outputs));
    rows.back().set("layer", std::int64_t{layer});
  };
  for (Index l = 0; l <= layers; ++l) add("mean", l, ridge(kernel_of(means[static_cast<size_t>(l)]), labels, 2));
  add("flattened", 0, ridge(kernel_of(first), labels, 2));
  add("flattened", layers, ridge(kernel_of(last), labels, 2));
  return rows;
}

std::vector<Record> OneWordStudy::run_decoder(const std::vector<ReviewPair>& pairs) const {
  const Transformer& decoder = *config_.decoder.transformer;
  const Tokenizer& tokenizer = *config_.decoder.tokenizer;
  const Index layers = decoder.config().layers, d = decoder.config().hidden_size, samples = samples_of(pairs);
  std::vector<Matrix> lasts(static_cast<size_t>(layers) + 1, Matrix(samples, d));
  Vector answers = Vector::Zero(samples);
  parallel_for(samples, [&](Index s) {
    const std::string& prompt = pairs[static_cast<size_t>(s / 2)].prompts[static_cast<size_t>(s % 2)];
    const std::vector<int> ids = tokenizer.encode(prompt, {.max_tokens = config_.decoder.most_tokens()}).ids;
    const auto states = decoder.hidden_states(decoder.embed(ids));
    for (size_t l = 0; l < states.size(); ++l) lasts[l].row(s) = states[l].bottomRows(1).cast<double>();
    Index best = 0;
    decoder.logits(states.back().bottomRows(1)).row(0).maxCoeff(&best);
    const std::string word = tokenizer.decode(std::vector<int>{static_cast<int>(best)}, false);
    answers[s] = word == " Yes" ? 1 : word == " No" ? -1 : 0;
  });
  const Vector labels = labels_of_pairs(pairs, config_.training_pairs);
  std::vector<Record> rows;
  for (Index l = 1; l <= layers; ++l) {  // the last token itself is the same everywhere
    rows.push_back(judged("last", pairs, ridge(kernel_of(lasts[static_cast<size_t>(l)]), labels, 2)));
    rows.back().set("layer", std::int64_t{l});
  }
  rows.push_back(judged("answer", pairs, answers.tail(2 * config_.test_pairs)));
  rows.back().set("layer", Value());
  return rows;
}

std::vector<Record> OneWordStudy::run(Index task) const {
  const Stopwatch watch;
  const Point at = point(task);
  const std::vector<ReviewPair> drawn = pairs(at);
  const size_t maps = config_.maps.size();
  const std::vector<Record> found = at.part < maps    ? run_map(at, drawn)
                                    : at.part == maps ? run_encoder(drawn)
                                                      : run_decoder(drawn);
  std::vector<Record> rows;
  for (const Record& one : found) {
    Record row = key(task);
    row.merge(one);
    row.set("seconds", watch.seconds());
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace wordsway
