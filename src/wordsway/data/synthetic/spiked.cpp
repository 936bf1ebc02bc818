// spiked:A: tokens √d·normalise(√A·μ + √(1−A)·u), one unit vector μ for all tokens (spiked_sample). Two tokens have a
// cosine of about A.
#include "wordsway/data/data_source.h"
#include "wordsway/data/synthetic_data.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

Matrix sample(const LawDraw& at) {
  if (at.value == 0) return sphere_sample(at.tokens, at.n, at.d);
  return spiked_sample(at.tokens, at.shared, at.n, at.d, at.value);
}

Vector direction(const Stream& shared, Index d) {
  return gaussian_vector(shared, d).normalized();
}

}  // namespace

void register_spiked(LawRegistry& registry) {
  registry.add("spiked", {.summary = "tokens that share one direction with weight A, as real embeddings do",
                          .parameter = LawParameter{"A"},
                          .sample = sample,
                          .direction = direction});
}

}  // namespace wordsway
