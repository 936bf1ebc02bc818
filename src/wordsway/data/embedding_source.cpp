#include "wordsway/data/embedding_source.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/data/data_source.h"
#include "wordsway/random/random_order.h"
#include "wordsway/text/corpus/token_counts.h"

namespace wordsway {
namespace {

// Both sources share this: texts that can be asked for by number.
class EmbeddedTexts {
 public:
  EmbeddedTexts(std::shared_ptr<const Transformer> transformer, EncodedTexts texts, bool normalise)
      : transformer_(std::move(transformer)), texts_(std::move(texts)), normalise_(normalise) {
    if (texts_.size() == 0) throw DataError(texts_.name() + ": there is no text");
    dictionary_.resize(static_cast<size_t>(texts_.size()));
    std::iota(dictionary_.begin(), dictionary_.end(), Index{0});
    std::sort(dictionary_.begin(), dictionary_.end(), [&](Index a, Index b) { return ids(a) < ids(b); });
  }

  std::string name() const { return transformer_->name() + " of " + texts_.name(); }
  Index d() const { return transformer_->config().hidden_size; }
  Index count() const { return texts_.size(); }

  Index shortest() const {
    Index shortest = texts_.length(0);
    for (Index t = 1; t < count(); ++t) shortest = std::min(shortest, texts_.length(t));
    return shortest;
  }

  // The texts with at least n tokens.
  std::vector<Index> long_enough(Index n) const {
    std::vector<Index> result;
    for (Index t = 0; t < count(); ++t)
      if (texts_.length(t) >= n) result.push_back(t);
    return result;
  }

  // The first of all texts that begin with the same n tokens: corpora hold reviews twice, and a learner must not get
  // one sample twice.
  std::vector<Index> distinct(Index n) const {
    const auto prefix = [&](Index text) { return std::span(ids(text)).first(static_cast<size_t>(n)); };
    std::vector<Index> result;  // as in a dictionary, texts that begin alike are neighbours
    for (const Index text : dictionary_) {
      if (texts_.length(text) < n) continue;
      if (!result.empty() && std::ranges::equal(prefix(result.back()), prefix(text))) {
        result.back() = std::min(result.back(), text);
      } else {
        result.push_back(text);
      }
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  Matrix embed(Index text, Index n, Index d) const {
    try {
      return embed_text(*transformer_, ids(text), n, d, normalise_);
    } catch (const DataError& error) {
      throw DataError(fmt::format("{}: {}", name(), error.what()));
    }
  }

  TokenCounts token_counts() const { return {texts_.tokenizer(), texts_.all_ids()}; }

  ReplacementWords replacement_words(const TokenCounts& counts, Index text, const TokenPlace& place, Index count,
                                     const Stream& stream) const {
    const int own = ids(text)[static_cast<size_t>(place.token)];
    DrawnTokens tokens = counts.draw(own, kMostReplacementWords, count, stream);
    return {embed_words(*transformer_, tokens.ids, place.token, place.d, normalise_), std::move(tokens.drawn)};
  }

  Record content() const {
    Record content = texts_.content();
    content.set("normalisation", normalisation_name(normalise_));
    content.merge(transformer_->content());
    return content;
  }

 private:
  const std::vector<int>& ids(Index text) const { return texts_.ids(text); }

  std::shared_ptr<const Transformer> transformer_;
  EncodedTexts texts_;
  bool normalise_;
  std::vector<Index> dictionary_;  // texts in the order of their tokens
};

class EmbeddingSource final : public DataSource {
 public:
  explicit EmbeddingSource(EmbeddedTexts texts) : texts_(std::move(texts)), counts_(texts_.token_counts()) {}

  std::string name() const override { return texts_.name(); }
  Record content() const override { return texts_.content(); }
  std::optional<Index> own_d() const override { return texts_.d(); }
  std::optional<Index> own_n() const override { return texts_.shortest(); }
  std::optional<Index> count() const override { return texts_.count(); }

  Matrix sample(Index n, Index d, std::uint64_t trial) const override { return texts_.embed(text_of(n, trial), n, d); }

  ReplacementWords replacement_words(const TokenPlace& place, Index count, const Stream& stream) const override {
    return texts_.replacement_words(counts_, text_of(place.n, place.trial), place, count, stream);
  }
  Index replacement_count(Index /*count*/) const override { return std::min(kMostReplacementWords, counts_.size()); }

 private:
  Index text_of(Index n, std::uint64_t trial) const {
    const auto long_enough = texts_.long_enough(n);
    if (long_enough.empty()) throw DataError(fmt::format("{}: no text has {} tokens", name(), n));
    return long_enough[trial % long_enough.size()];
  }

  EmbeddedTexts texts_;
  TokenCounts counts_;
};

class LabelledEmbeddingSource final : public LabelledSource {
 public:
  LabelledEmbeddingSource(EmbeddedTexts texts, std::vector<double> labels, std::uint64_t seed)
      : texts_(std::move(texts)), labels_(std::move(labels)), seed_(seed) {
    if (static_cast<Index>(labels_.size()) != texts_.count())
      throw DataError(fmt::format("{}: there must be a label for each of the {} texts; got {}", name(), texts_.count(),
                                  labels_.size()));
    for (const double label : labels_)
      if (std::abs(label) != 1) throw DataError(fmt::format("{}: labels must be 1 or -1; got {}", name(), label));
  }

  std::string name() const override { return texts_.name(); }
  Record content() const override {
    Record content = texts_.content();
    Digest digest;
    digest.add(std::span<const double>(labels_));
    content.set("labels", digest.text());
    return content;
  }
  std::optional<Index> own_d() const override { return texts_.d(); }

  LabelledSamples draw(Index n, Index d, Index training_size, std::uint64_t trial) const override {
    const auto pool = texts_.distinct(n);
    const auto total = static_cast<Index>(pool.size());
    if (training_size + 1 > total)
      throw DataError(fmt::format(
          "{}: {} training samples and a new one need {} different texts of at least {} tokens; there are {}", name(),
          training_size, training_size + 1, n, total));
    const auto order = random_order(Stream(seed_).derive("texts").derive(trial), total, training_size + 1);
    const auto text = [&](Index k) { return pool[static_cast<size_t>(order[static_cast<size_t>(k)])]; };
    LabelledSamples drawn{Matrix(training_size, n * d), Vector(training_size), texts_.embed(text(0), n, d),
                          label(text(0))};
    for (Index s = 0; s < training_size; ++s) {
      const Matrix X = texts_.embed(text(s + 1), n, d);
      drawn.training.row(s) = Eigen::Map<const Vector>(X.data(), X.size());
      drawn.labels[s] = label(text(s + 1));
    }
    return drawn;
  }

 private:
  double label(Index text) const { return labels_[static_cast<size_t>(text)]; }

  EmbeddedTexts texts_;
  std::vector<double> labels_;
  std::uint64_t seed_;
};

}  // namespace

Matrix embed_text(const Transformer& transformer, std::span<const int> ids, Index n, Index d, bool normalise) {
  if (d > transformer.config().hidden_size)
    throw DataError(fmt::format("the model's embedding has {} coordinates; {} were asked for",
                                transformer.config().hidden_size, d));
  if (n > static_cast<Index>(ids.size()))
    throw DataError(fmt::format("the text has {} tokens; {} were asked for", ids.size(), n));
  Matrix X = transformer.embed(ids.first(static_cast<size_t>(n))).leftCols(d).cast<double>();
  if (normalise) normalise_rows(X);
  return X;
}

Matrix embed_words(const Transformer& transformer, std::span<const int> ids, Index token, Index d, bool normalise) {
  Matrix rows = transformer.embed_at_row(ids, token).leftCols(d).cast<double>();
  if (normalise) normalise_rows(rows);
  return rows;
}

std::shared_ptr<const DataSource> embedding_source(std::shared_ptr<const Transformer> transformer, EncodedTexts texts,
                                                   bool normalise) {
  return std::make_shared<EmbeddingSource>(EmbeddedTexts(std::move(transformer), std::move(texts), normalise));
}

std::shared_ptr<const LabelledSource> labelled_embedding_source(std::shared_ptr<const Transformer> transformer,
                                                                EncodedTexts texts, std::vector<double> labels,
                                                                std::uint64_t seed, bool normalise) {
  return std::make_shared<LabelledEmbeddingSource>(EmbeddedTexts(std::move(transformer), std::move(texts), normalise),
                                                   std::move(labels), seed);
}

}  // namespace wordsway
