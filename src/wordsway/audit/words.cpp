#include "wordsway/audit/words.h"

#include <algorithm>
#include <cmath>

#include "wordsway/core/parallel.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {
namespace {

// A text in a model, whose tokens are measured one by one.
class WordMeter {
 public:
  WordMeter(const Model& model, const Encoding& encoding, const WordOptions& options)
      : model_(model),
        options_(options),
        ids_(encoding.ids),
        map_(model.transformer, options.output.value_or(last_layer(*model.transformer))),
        sample_(map_.at(model.transformer->embed(encoding.ids).cast<double>())) {
    if (!options_.search.starts) options_.search.starts = 1;
    if (!options_.search.tolerance) options_.search.tolerance = 1e-3;
  }

  // Tokens are measured side by side, each on one thread: the products of a short text are too small to share out.
  std::vector<double> measure(const std::vector<Index>& tokens, const Progress& progress) const {
    const Stream stream = Stream(options_.seed).derive("words");
    if (!options_.fast) return measure_tokens(*sample_, tokens, options_.search, stream, progress).sensitivities;
    std::vector<double> found(tokens.size());
    StepCounter counter(progress, "tokens", static_cast<double>(tokens.size()));
    parallel_for(static_cast<Index>(tokens.size()), [&](Index k) {
      const Index token = tokens[static_cast<size_t>(k)];
      found[static_cast<size_t>(k)] =
          estimate_token_by_power(*sample_, token, radius_of(token), kFastIterations, stream);
      counter.step();
    });
    return found;
  }

  // Random moves of the same length, and other words of the vocabulary in the token's place.
  void average(WordSensitivity& word) const {
    const Stream stream = Stream(options_.seed).derive("average").derive(word.token);
    const auto change = sample_->token(word.token)->change();
    const double radius = radius_of(word.token), norm = sample_->feature_norm();
    Matrix deltas(options_.average, sample_->X().cols());
    double moves = 0, replacements = 0;
    for (int k = 0; k < options_.average; ++k) {
      const Stream draw = stream.derive(static_cast<std::uint64_t>(k));
      const Vector direction = gaussian_vector(draw, deltas.cols());
      deltas.row(k) = direction.transpose() * (radius / direction.norm());
      replacements += replaced(word.token, draw.derive("word")) / options_.average;
    }
    for (const double squared : change->values(deltas)) moves += std::sqrt(squared) / norm / options_.average;
    word.average_move = moves;
    word.average_replacement = replacements;
  }

 private:
  double radius_of(Index token) const { return options_.search.radius.of(sample_->X().row(token)); }

  double replaced(Index token, const Stream& draw) const {
    std::vector<int> ids = ids_;
    ids[static_cast<size_t>(token)] =
        static_cast<int>(draw.uniform(0) * static_cast<double>(model_.transformer->config().vocabulary));
    const Matrix features = map_.features_reference(model_.transformer->embed(ids).cast<double>());
    return (features - sample_->features()).norm() / sample_->feature_norm();
  }

  const Model& model_;
  WordOptions options_;
  const std::vector<int>& ids_;
  ModelMap map_;
  std::unique_ptr<Sample> sample_;
};

}  // namespace

std::vector<Word> words_of(const std::string& text, const Encoding& encoding) {
  std::vector<Word> words;
  std::optional<int> current;
  for (size_t k = 0; k < encoding.ids.size(); ++k) {
    if (!encoding.words[k]) continue;
    if (encoding.words[k] != current) words.push_back({"", encoding.offsets[k], encoding.byte_offsets[k], {}});
    current = encoding.words[k];
    words.back().characters[1] = encoding.offsets[k][1];
    words.back().bytes[1] = encoding.byte_offsets[k][1];
    words.back().tokens.push_back(static_cast<Index>(k));
  }
  for (Word& word : words)
    word.text = text.substr(static_cast<size_t>(word.bytes[0]), static_cast<size_t>(word.bytes[1] - word.bytes[0]));
  return words;
}

std::vector<WordSensitivity> word_sensitivities(const Model& model, const std::string& text, const Encoding& encoding,
                                                const WordOptions& options, const Progress& progress) {
  std::vector<WordSensitivity> result;
  std::vector<Index> tokens;
  for (Word& word : words_of(text, encoding)) {
    tokens.insert(tokens.end(), word.tokens.begin(), word.tokens.end());
    result.push_back({std::move(word)});
  }
  if (result.empty()) return result;
  const WordMeter meter(model, encoding, options);
  const std::vector<double> measured = meter.measure(tokens, progress);
  auto found = measured.begin();
  for (WordSensitivity& word : result) {
    const auto end = found + static_cast<long>(word.word.tokens.size());
    const auto most = std::max_element(found, end);
    word.sensitivity = *most;
    word.token = word.word.tokens[static_cast<size_t>(most - found)];
    found = end;
  }
  if (options.average > 0)
    parallel_for(static_cast<Index>(result.size()), [&](Index w) { meter.average(result[static_cast<size_t>(w)]); });
  return result;
}

}  // namespace wordsway
