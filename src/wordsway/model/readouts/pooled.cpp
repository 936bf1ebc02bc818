// pooled: the vector of a text, from the sentence chain on top of a layer (sentence_chain.h).
#include "wordsway/model/readouts/pooled.h"

#include <cmath>
#include <optional>

#include "wordsway/core/parallel.h"
#include "wordsway/model/transformer.h"

namespace wordsway {
namespace {

class Pooled final : public Readout {
 public:
  explicit Pooled(std::optional<SentenceChain> own = {}) : own_(std::move(own)) {}

  bool is_vector() const override { return true; }
  bool is_sentence_vector() const override { return true; }
  std::string description() const override { return "the text's vector"; }
  Index columns(const Transformer& transformer) const override {
    return chain(transformer).output_size(transformer.config().hidden_size);
  }

  MatrixF forward(const ReadoutText& text, ConstMatrixFRef hidden) const override {
    return chain(text.transformer).forward(hidden, text.mask, text.first_pooled);
  }
  MatrixF vjp(const ReadoutText& text, ConstMatrixFRef hidden, ConstMatrixFRef cotangent) const override {
    return chain(text.transformer).vjp(hidden, text.mask, cotangent.row(0), text.first_pooled);
  }

  // Hidden states may cancel in their mean: what is left of them is noise when it is below float32's rounding, a few
  // times 1e-7 of them. A mean that goes through more steps is judged before them.
  double noise_norm(const ReadoutText& text, ConstMatrixFRef hidden) const override {
    constexpr double kPooledNoise = 1e-5;
    const SentenceChain& used = chain(text.transformer);
    const RowF pooled = used.pool(hidden, text.mask, text.first_pooled);
    const double left = pooled.cast<double>().norm();
    const double terms = hidden.cast<double>().norm() / std::sqrt(static_cast<double>(hidden.rows()));
    if (used.modules.empty()) return kPooledNoise * terms;
    if (left > kPooledNoise * terms) return 0;
    return 2 * used.forward(hidden, text.mask, text.first_pooled).cast<double>().norm();
  }

  RowF row_weights(const ReadoutText& text, Index n) const override {
    const SentenceChain& used = chain(text.transformer);
    if (used.modes.size() != 1 || used.modes.front() == PoolingMode::kMax) return {};
    return used.pool(MatrixF::Identity(n, n), {}, text.first_pooled);
  }
  MatrixF forward_sums(const Transformer& transformer, ConstMatrixFRef sums) const override {
    MatrixF result(sums.rows(), columns(transformer));
    parallel_for(sums.rows(), [&](Index k) { result.row(k) = chain(transformer).apply_modules(sums.row(k)); });
    return result;
  }
  MatrixF sums_vjp(const Transformer& transformer, ConstMatrixFRef sums, ConstMatrixFRef cotangents) const override {
    MatrixF result(cotangents.rows(), sums.cols());
    parallel_for(cotangents.rows(),
                 [&](Index k) { result.row(k) = chain(transformer).modules_vjp(sums.row(k), cotangents.row(k)); });
    return result;
  }

 private:
  const SentenceChain& chain(const Transformer& transformer) const {
    return own_ ? *own_ : transformer.sentence_chain();
  }

  std::optional<SentenceChain> own_;
};

}  // namespace

std::shared_ptr<const Readout> pooled_readout(SentenceChain chain) {
  return std::make_shared<const Pooled>(std::move(chain));
}

void register_pooled(ReadoutRegistry& registry) {
  registry.add("pooled", {.order = 3, .readout = std::make_shared<const Pooled>()});
}

}  // namespace wordsway
