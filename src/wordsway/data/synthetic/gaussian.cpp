// gaussian: entries N(0, 1), independent. Rows are not scaled: their norms are √d up to a share of about 1/√(2d).
#include "wordsway/random/gaussian.h"

#include "wordsway/data/synthetic_data.h"

namespace wordsway {
namespace {

Matrix sample(const LawDraw& at) {
  return gaussian_matrix(at.tokens, at.n, at.d);
}

}  // namespace

void register_gaussian(LawRegistry& registry) {
  registry.add("gaussian",
               {.summary = "independent N(0, 1) entries; rows keep their own norms, about sqrt(d)", .sample = sample});
}

}  // namespace wordsway
