#include "wordsway/study/normalisers_study.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/learning/readout.h"
#include "wordsway/random/stream.h"
#include "wordsway/study/pair_readouts.h"
#include "wordsway/text/reviews/builtin_reviews.h"

namespace wordsway {
namespace {

constexpr int kNormalisersMethod = 1;  // to be raised when the same settings and seed give other rows
constexpr double kMaskedShare = 0.15;  // of the words, as in training

// A text with some of its words hidden.
struct MaskedText {
  std::vector<int> ids;
  std::vector<Index> places;
  std::vector<int> words;  // at these places, before
};

// Special tokens are not words. At least one word is hidden.
MaskedText mask_words(std::vector<int> ids, Index first, Index end, int mask, const Stream& stream) {
  MaskedText text{std::move(ids), {}, {}};
  const auto hide = [&](Index place) {
    text.places.push_back(place);
    text.words.push_back(text.ids[static_cast<size_t>(place)]);
    text.ids[static_cast<size_t>(place)] = mask;
  };
  for (Index place = first; place < end; ++place)
    if (stream.uniform(static_cast<std::uint64_t>(place)) < kMaskedShare) hide(place);
  if (text.places.empty()) hide(first);
  return text;
}

// How many hidden words the model ranks first.
std::int64_t right_words(const Transformer& transformer, const MaskedText& text) {
  const MatrixF hidden = transformer.forward(transformer.embed(text.ids), transformer.config().layers);
  const MatrixF logits = transformer.word_logits(hidden(text.places, Eigen::all));
  std::int64_t right = 0;
  for (size_t k = 0; k < text.words.size(); ++k) {
    Index best = 0;
    logits.row(static_cast<Index>(k)).maxCoeff(&best);
    right += best == text.words[k] ? 1 : 0;
  }
  return right;
}

}  // namespace

NormalisersStudy::NormalisersStudy(NormalisersConfig config) : config_(std::move(config)) {
  constexpr Index kLeastTraining = 5;
  if (config_.models.empty() || config_.n.empty() || config_.texts < 1 || config_.test_pairs < 1 ||
      config_.training_pairs < kLeastTraining)
    throw UsageError(
        fmt::format("a study of normalisers needs a model, a length, a text, a test pair and {} training pairs; got {} "
                    "models, {} lengths, {} texts, {} and {} pairs",
                    kLeastTraining, config_.models.size(), config_.n.size(), config_.texts, config_.test_pairs,
                    config_.training_pairs));
  const ModelConfig& first = config_.models.front().transformer->config();
  for (const Model& model : config_.models) {
    const Transformer& transformer = *model.transformer;
    if (!transformer.predicts_words() || !model.tokenizer->special_ids().mask)
      throw DataError(transformer.name() + " has no head that predicts masked words");
    if (transformer.config().vocabulary != first.vocabulary)
      throw DataError(fmt::format("{} has {} words, but {} has {}; one vocabulary for all was expected",
                                  transformer.name(), transformer.config().vocabulary,
                                  config_.models.front().transformer->name(), first.vocabulary));
  }
}

Record NormalisersStudy::config() const {
  std::vector<std::string> models;
  for (const Model& model : config_.models) models.push_back(model.transformer->name());
  return {{"models", models},
          {"n", std::vector<std::int64_t>(config_.n.begin(), config_.n.end())},
          {"masked_texts", static_cast<std::int64_t>(config_.texts)},
          {"masked_share", kMaskedShare},
          {"training_pairs", static_cast<std::int64_t>(config_.training_pairs)},
          {"test_pairs", static_cast<std::int64_t>(config_.test_pairs)},
          {"first_text", static_cast<std::int64_t>(config_.first)},
          {"seed", static_cast<std::int64_t>(config_.seed)}};
}

StudyContent NormalisersStudy::content() const {
  Record content = config_.models.front().tokenizer->content();
  for (const Model& model : config_.models) {
    const Record own = model.transformer->content();
    for (const auto& [name, value] : own.fields())
      content.set(fmt::format("{} of {}", name, model.transformer->name()), value);
  }
  content.set("film questions", film_questions_digest());
  content.set("built-in reviews", builtin_reviews_digest());
  content.set("method of the normalisers", std::int64_t{kNormalisersMethod});
  return {content, {}};
}

Record NormalisersStudy::key(Index task) const {
  return {{"part", kind(task)}, {"n", static_cast<std::int64_t>(length(task))}};
}

// Means of two layers of all samples, their kernels, and a few forwards at once.
double NormalisersStudy::memory_bytes(Index task) const {
  const ModelConfig& config = config_.models.front().transformer->config();
  const double samples = 2 * static_cast<double>(config_.training_pairs + config_.test_pairs),
               d = static_cast<double>(config.hidden_size), n = static_cast<double>(length(task));
  return 16 * samples * d + 32 * samples * samples + 64 * n * (n + 8 * d) +
         4 * n * static_cast<double>(config.vocabulary);
}

double NormalisersStudy::work(Index task) const {
  const ModelConfig& config = config_.models.front().transformer->config();
  const Index texts = is_task(task) ? 2 * (config_.training_pairs + config_.test_pairs) : config_.texts;
  return static_cast<double>(texts * row_count(task)) * config.forward_flops(length(task), config.layers);
}

std::vector<Record> NormalisersStudy::predict_masked(Index n) const {
  const Tokenizer& tokenizer = *config_.models.front().tokenizer;
  std::vector<MaskedText> texts(static_cast<size_t>(config_.texts));
  std::int64_t masked = 0;
  const std::uint64_t first = config_.first + (config_.seed - 1) * static_cast<std::uint64_t>(config_.texts);
  for (size_t k = 0; k < texts.size(); ++k) {
    const Review review = builtin_review(first + k, n);
    std::vector<int> ids = tokenizer.encode(review.text, {.max_tokens = n}).ids;
    const std::vector<int> own = tokenizer.encode(review.text, {.special_tokens = false}).ids;
    const Index begin = ids.front() == own.front() ? 0 : 1,
                words = static_cast<Index>(ids.size()) - tokenizer.special_token_count();
    const Stream stream = Stream(config_.seed).derive("masked words").derive(n).derive(first + k);
    texts[k] = mask_words(std::move(ids), begin, begin + words, *tokenizer.special_ids().mask, stream);
    masked += static_cast<std::int64_t>(texts[k].places.size());
  }
  const Index count = config_.texts, models = static_cast<Index>(config_.models.size());
  std::vector<std::int64_t> right(static_cast<size_t>(models * count));
  parallel_for(models * count, [&](Index item) {
    right[static_cast<size_t>(item)] = right_words(*config_.models[static_cast<size_t>(item / count)].transformer,
                                                   texts[static_cast<size_t>(item % count)]);
  });
  std::vector<Record> rows;
  for (Index model = 0; model < models; ++model) {
    std::int64_t sum = 0;
    for (Index k = 0; k < count; ++k) sum += right[static_cast<size_t>(model * count + k)];
    rows.push_back({{"masked", masked}, {"right", sum}});
  }
  return rows;
}

std::vector<Record> NormalisersStudy::read_words(Index n) const {
  ReviewPairOptions options;
  constexpr std::uint64_t kSeedQuestions = 1 << 24;  // that a seed may look at; even, as review_pairs begins with one
  options.first = config_.first + (config_.seed - 1) * kSeedQuestions;
  options.count = config_.training_pairs + config_.test_pairs;
  options.tokens = n;
  const std::vector<ReviewPair> pairs = review_pairs(options, *config_.models.front().tokenizer);
  const Vector labels = labels_of_pairs(pairs, config_.training_pairs);
  std::vector<Record> rows;
  for (const Model& model : config_.models) {
    const Index d = model.transformer->config().hidden_size;
    Matrix words(samples_of(pairs), d), last(samples_of(pairs), d);
    for_each_review(model, pairs, [&](Index s, const std::vector<MatrixF>& states) {
      words.row(s) = states.front().cast<double>().colwise().mean();
      last.row(s) = states.back().cast<double>().colwise().mean();
    });
    Record row = judge_pairs("mean", pairs, config_.training_pairs, ridge(kernel_of(last), labels, 2));
    const Record plain = judge_pairs("mean", pairs, config_.training_pairs, ridge(kernel_of(words), labels, 2));
    row.set("right_words", *plain.find("right"));
    row.set("ordered_words", *plain.find("ordered"));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Record> NormalisersStudy::run(Index task) const {
  const Stopwatch watch;
  const std::vector<Record> found = is_task(task) ? read_words(length(task)) : predict_masked(length(task));
  std::vector<Record> rows;
  for (size_t k = 0; k < found.size(); ++k) {
    const Transformer& transformer = *config_.models[k].transformer;
    Record row = key(task);
    row.set("model", transformer.name());
    row.set("normaliser", normaliser_label(transformer.config().normaliser));
    row.merge(found[k]);
    row.set("seconds", watch.seconds() / static_cast<double>(found.size()));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace wordsway
