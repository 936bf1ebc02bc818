#include "wordsway/data/review_source.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/data/embedding_source.h"
#include "wordsway/random/stream.h"
#include "wordsway/text/corpus/token_counts.h"
#include "wordsway/text/reviews/builtin_reviews.h"

namespace wordsway {
namespace {

constexpr const char* kName = "builtin";
constexpr Index kWords = 260;  // that reviews are written with before they are cut, or more where n asks for it
// Reviews whose tokens are what replaces a token: 2,923 different ones of the built-in tokenizer, of 2,947 that come in
// eight times as many.
constexpr std::uint64_t kCountedReviews = 512;

// Review numbers and what the reader makes of them.
class EmbeddedReviews {
 public:
  EmbeddedReviews(std::shared_ptr<const Transformer> transformer, std::shared_ptr<const Tokenizer> tokenizer,
                  std::uint64_t seed)
      : transformer_(std::move(transformer)), tokenizer_(std::move(tokenizer)), seed_(seed) {}

  std::string name() const {
    return transformer_->name() == kName ? kName : kName + (" through " + transformer_->name());
  }
  Index d() const { return transformer_->config().hidden_size; }

  // The first of a trial's reviews. Trials are far apart: 2^40 numbers hold more reviews than anybody asks for.
  std::uint64_t first(std::uint64_t trial) const {
    const auto bits = Stream(seed_).derive("built-in reviews").derive(trial).bits(0);
    return static_cast<std::uint64_t>(bits[0]) << 8 | (bits[1] & 0xff);
  }

  Matrix embed(const std::string& text, Index n, Index d) const {
    try {
      return embed_text(*transformer_, tokenizer_->encode(text).ids, n, d, true);
    } catch (const DataError& error) {
      throw DataError(fmt::format("data {}: {}", name(), error.what()));
    }
  }

  TokenCounts token_counts() const {
    std::vector<std::vector<int>> texts;
    for (std::uint64_t number = 0; number < kCountedReviews; ++number)
      texts.push_back(tokenizer_->encode(builtin_review(number, kWords).text).ids);
    return {*tokenizer_, texts};
  }

  ReplacementWords replacement_words(const TokenCounts& counts, const TokenPlace& place, Index count,
                                     const Stream& stream) const {
    const auto ids = tokenizer_->encode(review(first(place.trial), place.n).text).ids;
    DrawnTokens tokens = counts.draw(ids.at(static_cast<size_t>(place.token)), kMostReplacementWords, count, stream);
    return {embed_words(*transformer_, tokens.ids, place.token, place.d, true), std::move(tokens.drawn)};
  }

  static Review review(std::uint64_t number, Index n) { return builtin_review(number, std::max(n, kWords)); }

  Record content() const {
    Record content{{"built-in reviews", builtin_reviews_digest()}, {"words of a review", std::int64_t{kWords}}};
    content.merge(tokenizer_->content());
    content.merge(transformer_->content());
    return content;
  }

 private:
  std::shared_ptr<const Transformer> transformer_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  std::uint64_t seed_;
};

class ReviewSource final : public DataSource {
 public:
  explicit ReviewSource(EmbeddedReviews reviews) : reviews_(std::move(reviews)) {}

  std::string name() const override { return reviews_.name(); }
  Record content() const override { return reviews_.content(); }
  std::optional<Index> own_d() const override { return reviews_.d(); }

  Matrix sample(Index n, Index d, std::uint64_t trial) const override {
    return reviews_.embed(EmbeddedReviews::review(reviews_.first(trial), n).text, n, d);
  }

  ReplacementWords replacement_words(const TokenPlace& place, Index count, const Stream& stream) const override {
    return reviews_.replacement_words(counts(), place, count, stream);
  }
  Index replacement_count(Index /*count*/) const override { return std::min(kMostReplacementWords, counts().size()); }

 private:
  // Few studies ask for them.
  const TokenCounts& counts() const {
    std::call_once(counted_, [&] { counts_ = reviews_.token_counts(); });
    return *counts_;
  }

  EmbeddedReviews reviews_;
  mutable std::once_flag counted_;
  mutable std::optional<TokenCounts> counts_;
};

class LabelledReviewSource final : public LabelledSource {
 public:
  explicit LabelledReviewSource(EmbeddedReviews reviews) : reviews_(std::move(reviews)) {}

  std::string name() const override { return reviews_.name(); }
  Record content() const override { return reviews_.content(); }
  std::optional<Index> own_d() const override { return reviews_.d(); }

  LabelledSamples draw(Index n, Index d, Index training_size, std::uint64_t trial) const override {
    const std::uint64_t first = reviews_.first(trial);
    const Review fresh = EmbeddedReviews::review(first, n);
    LabelledSamples drawn{Matrix(training_size, n * d), Vector(training_size), reviews_.embed(fresh.text, n, d),
                          static_cast<double>(fresh.label)};
    for (Index s = 0; s < training_size; ++s) {
      const Review review = EmbeddedReviews::review(first + 1 + static_cast<std::uint64_t>(s), n);
      const Matrix X = reviews_.embed(review.text, n, d);
      drawn.training.row(s) = Eigen::Map<const Vector>(X.data(), X.size());
      drawn.labels[s] = review.label;
    }
    return drawn;
  }

 private:
  EmbeddedReviews reviews_;
};

}  // namespace

std::shared_ptr<const DataSource> review_source(std::shared_ptr<const Transformer> transformer,
                                                std::shared_ptr<const Tokenizer> tokenizer, std::uint64_t seed) {
  return std::make_shared<ReviewSource>(EmbeddedReviews(std::move(transformer), std::move(tokenizer), seed));
}

std::shared_ptr<const LabelledSource> labelled_review_source(std::shared_ptr<const Transformer> transformer,
                                                             std::shared_ptr<const Tokenizer> tokenizer,
                                                             std::uint64_t seed) {
  return std::make_shared<LabelledReviewSource>(EmbeddedReviews(std::move(transformer), std::move(tokenizer), seed));
}

}  // namespace wordsway
