// repeated:K: a text of K different words, drawn from the sphere, which come again and again in the same order: token j
// is word j mod K.
#include "wordsway/data/data_source.h"
#include "wordsway/data/synthetic_data.h"

namespace wordsway {
namespace {

Matrix sample(const LawDraw& at) {
  const Index different = std::min(at.n, static_cast<Index>(at.value));
  const Matrix words = sphere_sample(at.tokens, different, at.d);
  Matrix X(at.n, at.d);
  for (Index j = 0; j < at.n; ++j) X.row(j) = words.row(j % different);
  return X;
}

// A word that the text does not have.
Matrix words(const LawDraw& at) {
  return sphere_sample(at.tokens, at.n, at.d);
}

}  // namespace

void register_repeated(LawRegistry& registry) {
  registry.add("repeated", {.summary = "K different words on the sphere, which come again and again",
                            .parameter = LawParameter{"K", 1, 1e6, true},
                            .sample = sample,
                            .words = words});
}

}  // namespace wordsway
