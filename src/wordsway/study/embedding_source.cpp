#include "wordsway/study/embedding_source.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/data/synthetic.h"

namespace wordsway {
namespace {

class EmbeddingSource final : public DataSource {
 public:
  EmbeddingSource(std::string name, std::shared_ptr<const Encoder> encoder, std::vector<std::vector<int>> texts,
                  bool normalise)
      : name_(std::move(name)), encoder_(std::move(encoder)), texts_(std::move(texts)), normalise_(normalise) {
    if (texts_.empty()) throw DataError(name_ + ": there is no text");
  }

  std::string name() const override { return name_; }
  std::optional<Index> own_d() const override { return encoder_->config().hidden_size; }
  std::optional<Index> own_n() const override {
    size_t shortest = texts_.front().size();
    for (const auto& text : texts_) shortest = std::min(shortest, text.size());
    return static_cast<Index>(shortest);
  }
  std::optional<Index> count() const override { return static_cast<Index>(texts_.size()); }

  // FNV-1a over all ids: another corpus under the same name is noticed.
  std::string fingerprint() const override {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const auto& text : texts_) {
      for (const int id : text) hash = (hash ^ static_cast<std::uint64_t>(id)) * 0x100000001b3;
      hash = (hash ^ 0xffffffff) * 0x100000001b3;
    }
    return fmt::format("{:016x}", hash);
  }

  Matrix sample(Index n, Index d, std::uint64_t trial) const override {
    if (d > encoder_->config().hidden_size)
      throw DataError(fmt::format("{}: the model's embedding has {} coordinates; {} were asked for", name_,
                                  encoder_->config().hidden_size, d));
    std::vector<const std::vector<int>*> long_enough;
    for (const auto& text : texts_)
      if (static_cast<Index>(text.size()) >= n) long_enough.push_back(&text);
    if (long_enough.empty()) throw DataError(fmt::format("{}: no text has {} tokens", name_, n));
    const auto& text = *long_enough[trial % long_enough.size()];
    const MatrixF embedded = encoder_->embed(std::span(text).first(static_cast<size_t>(n)));
    Matrix X = embedded.leftCols(d).cast<double>();
    if (normalise_) normalise_rows(X);
    return X;
  }

 private:
  std::string name_;
  std::shared_ptr<const Encoder> encoder_;
  std::vector<std::vector<int>> texts_;
  bool normalise_;
};

}  // namespace

std::shared_ptr<const DataSource> embedding_source(std::string name, std::shared_ptr<const Encoder> encoder,
                                                   std::vector<std::vector<int>> texts, bool normalise) {
  return std::make_shared<EmbeddingSource>(std::move(name), std::move(encoder), std::move(texts), normalise);
}

}  // namespace wordsway
