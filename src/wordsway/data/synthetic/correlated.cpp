// correlated:R: neighbours are alike. The tokens are a chain,
//
//   g_0 = u_0,   g_j = R·g_{j−1} + √(1−R²)·u_j,   x_j = √d·g_j/‖g_j‖,   u_j independent N(0, 1) in every entry,
//
// so every token is uniform on the sphere, and tokens at a distance k have a cosine of about R^k. With R = 1 all are
// one.
#include <cmath>

#include "wordsway/data/data_source.h"
#include "wordsway/data/synthetic_data.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

Matrix sample(const LawDraw& at) {
  Matrix X = gaussian_matrix(at.tokens, at.n, at.d);
  const double fresh = std::sqrt(1 - at.value * at.value);
  for (Index j = 1; j < at.n; ++j) X.row(j) = at.value * X.row(j - 1) + fresh * X.row(j);
  normalise_rows(X);
  return X;
}

// A word that belongs to no neighbour.
Matrix words(const LawDraw& at) {
  return sphere_sample(at.tokens, at.n, at.d);
}

}  // namespace

void register_correlated(LawRegistry& registry) {
  registry.add("correlated", {.summary = "a chain of tokens on the sphere, neighbours with a cosine of about R",
                              .parameter = LawParameter{"R"},
                              .sample = sample,
                              .words = words});
}

}  // namespace wordsway
