// topics:S: tokens √d·normalise(√S·t + √(1−S)·u), t one of two unit vectors that the samples of a trial share.
#include <cmath>

#include "wordsway/data/data_source.h"
#include "wordsway/data/synthetic_data.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

Matrix sample(const LawDraw& at) {
  Matrix topics = gaussian_matrix(at.shared, 2, at.d);
  topics.rowwise().normalize();
  Matrix X = sphere_sample(at.tokens, at.n, at.d) * std::sqrt((1 - at.value) / static_cast<double>(at.d));
  const Stream choice = at.tokens.derive("topic");
  for (Index j = 0; j < at.n; ++j)
    X.row(j) += std::sqrt(at.value) * topics.row(choice.uniform(static_cast<std::uint64_t>(j)) < 0.5 ? 0 : 1);
  normalise_rows(X);
  return X;
}

}  // namespace

void register_topics(LawRegistry& registry) {
  registry.add("topics", {.summary = "tokens near one of two directions, with weight S",
                          .parameter = LawParameter{"S"},
                          .sample = sample});
}

}  // namespace wordsway
