// logits: those of the word after the text, from the last row of the last layer.
//
// Features are the logits less their mean: a constant that all logits have in common says nothing about the word.
#include <algorithm>

#include <fmt/format.h>

#include "wordsway/model/readout.h"
#include "wordsway/model/transformer.h"

namespace wordsway {
namespace {

Matrix centred(Matrix features) {
  features.array() -= features.mean();
  return features;
}

class Logits final : public Readout {
 public:
  bool is_vector() const override { return true; }
  bool is_distribution() const override { return true; }
  std::string description() const override { return "logits of the next word"; }
  std::string why_missing(const Transformer& transformer, Index layer) const override {
    if (!transformer.predicts_next_word()) return "predicts no next word: it has no logits; decoders have them";
    if (layer == transformer.config().layers) return {};
    return fmt::format("predicts no next word after layer {}: it has logits after the last layer", layer);
  }
  Index columns(const Transformer& transformer) const override { return transformer.config().vocabulary; }

  MatrixF forward(const ReadoutText& text, ConstMatrixFRef hidden) const override {
    return text.transformer.logits(hidden.middleRows(last_visible_row(hidden.rows(), text.mask), 1));
  }
  MatrixF vjp(const ReadoutText& text, ConstMatrixFRef hidden, ConstMatrixFRef cotangent) const override {
    MatrixF result = MatrixF::Zero(hidden.rows(), hidden.cols());
    result.row(last_visible_row(hidden.rows(), text.mask)) = text.transformer.logits_vjp(cotangent);
    return result;
  }

  Matrix features(ConstMatrixFRef output) const override { return centred(output.cast<double>()); }
  MatrixF features_vjp(const Matrix& cotangent) const override {  // centring is its own vjp
    return centred(MatrixF(cotangent.cast<float>()).cast<double>()).cast<float>();
  }

  // The logits of many texts are one product with the table of words.
  RowF row_weights(const ReadoutText&, Index n) const override { return MatrixF::Identity(n, n).row(n - 1); }
  MatrixF forward_sums(const Transformer& transformer, ConstMatrixFRef sums) const override {
    return transformer.logits(sums);
  }
  MatrixF sums_vjp(const Transformer& transformer, ConstMatrixFRef, ConstMatrixFRef cotangents) const override {
    return transformer.logits_vjp(cotangents);
  }
  Index texts_at_once(Index texts) const override { return std::min<Index>(64, texts); }  // 40 MB for 150,000 words
};

}  // namespace

void register_logits(ReadoutRegistry& registry) {
  registry.add("logits", {.order = 4, .readout = std::make_shared<const Logits>()});
}

}  // namespace wordsway
