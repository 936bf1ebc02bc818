#include "wordsway/study/pair_readouts.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway {

const std::vector<int>& ids_of_sample(const std::vector<ReviewPair>& pairs, Index sample) {
  return pairs[static_cast<size_t>(sample / 2)].ids[static_cast<size_t>(sample % 2)];
}

SurroundedReview surrounded_review(const Tokenizer& tokenizer, const std::vector<ReviewPair>& pairs, Index sample) {
  const std::string& text = pairs[static_cast<size_t>(sample / 2)].reviews[static_cast<size_t>(sample % 2)];
  const std::vector<int>& own = ids_of_sample(pairs, sample);
  SurroundedReview result{tokenizer.encode(text).ids, 0};
  const auto found = std::search(result.ids.begin(), result.ids.end(), own.begin(), own.end());
  ensure(found != result.ids.end(), "a text's tokens are among those with special ones around them");
  result.first = static_cast<Index>(found - result.ids.begin());
  return result;
}

Vector labels_of_pairs(const std::vector<ReviewPair>& pairs, Index count) {
  Vector labels(2 * count);
  for (Index s = 0; s < labels.size(); ++s)
    labels[s] = pairs[static_cast<size_t>(s / 2)].labels[static_cast<size_t>(s % 2)];
  return labels;
}

void for_each_review(const Model& encoder, const std::vector<ReviewPair>& pairs, const VisitReview& visit) {
  parallel_for(samples_of(pairs), [&](Index s) {
    const SurroundedReview text = surrounded_review(*encoder.tokenizer, pairs, s);
    const Index n = static_cast<Index>(ids_of_sample(pairs, s).size());
    std::vector<MatrixF> states = encoder.transformer->hidden_states(encoder.transformer->embed(text.ids));
    for (MatrixF& state : states) state = MatrixF(state.middleRows(text.first, n));
    visit(s, states);
  });
}

Record judge_pairs(const std::string& readout, const std::vector<ReviewPair>& pairs, Index training,
                   const Vector& outputs) {
  if (!outputs.allFinite()) throw DataError(fmt::format("the outputs of the readout '{}' are not finite", readout));
  const Index count = static_cast<Index>(pairs.size()) - training;
  std::int64_t right = 0, both = 0, ordered = 0;
  for (Index k = 0; k < count; ++k) {
    const ReviewPair& pair = pairs[static_cast<size_t>(training + k)];
    const double a = outputs[2 * k] * pair.labels[0], b = outputs[2 * k + 1] * pair.labels[1];
    right += (a > 0 ? 1 : 0) + (b > 0 ? 1 : 0);
    both += a > 0 && b > 0 ? 1 : 0;
    ordered += a + b > 0 ? 1 : 0;
  }
  return {{"readout", readout},
          {"pairs", static_cast<std::int64_t>(count)},
          {"right", right},
          {"both_right", both},
          {"ordered", ordered}};
}

}  // namespace wordsway
