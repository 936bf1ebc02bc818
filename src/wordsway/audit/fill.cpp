#include "wordsway/audit/fill.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

// From one row of logits.
std::vector<ExpectedWord> likeliest(const RowF& logits, const Tokenizer& tokenizer, Index token, Index top) {
  std::vector<int> order(static_cast<size_t>(logits.size()));
  std::iota(order.begin(), order.end(), 0);
  const auto count = static_cast<size_t>(std::min(top, logits.size()));
  std::partial_sort(order.begin(), order.begin() + static_cast<long>(count), order.end(),
                    [&](int a, int b) { return logits[a] > logits[b]; });
  const double peak = logits.maxCoeff();
  const double total = (logits.cast<double>().array() - peak).exp().sum();
  std::vector<ExpectedWord> words;
  for (size_t k = 0; k < count; ++k)
    words.push_back({token, order[k], tokenizer.piece(order[k]), std::exp(logits[order[k]] - peak) / total});
  return words;
}

}  // namespace

std::vector<ExpectedWord> fill_masks(const Model& model, const Encoding& encoding, Index top) {
  const Transformer& transformer = *model.transformer;
  const auto mask = model.tokenizer->special_ids().mask;
  if (!mask || !transformer.predicts_words())
    throw DataError(transformer.name() + " has no head that predicts masked words");
  std::vector<Index> masks;
  for (size_t k = 0; k < encoding.ids.size(); ++k)
    if (encoding.ids[k] == *mask) masks.push_back(static_cast<Index>(k));
  if (masks.empty())
    throw UsageError("the text has no mask to fill; write " + model.tokenizer->piece(*mask) +
                     " where a word is missing");
  const MatrixF hidden = transformer.forward(transformer.embed(encoding.ids), transformer.config().layers);
  const MatrixF logits = transformer.word_logits(hidden(masks, Eigen::all));
  std::vector<ExpectedWord> words;
  for (size_t m = 0; m < masks.size(); ++m) {
    const auto best = likeliest(logits.row(static_cast<Index>(m)), *model.tokenizer, masks[m], top);
    words.insert(words.end(), best.begin(), best.end());
  }
  return words;
}

}  // namespace wordsway
