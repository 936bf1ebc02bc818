// orthogonal: n ≤ d tokens of norm √d at right angles to each other, turned at random: Gaussian vectors made orthogonal
// one after the other (Gram and Schmidt, twice for the last digits), which are uniform among all such tokens.
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/data/data_source.h"
#include "wordsway/data/synthetic_data.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

Matrix sample(const LawDraw& at) {
  if (at.n > at.d)
    throw DataError(
        fmt::format("data orthogonal: {} tokens of {} coordinates cannot all be orthogonal; n must be at "
                    "most d",
                    at.n, at.d));
  Matrix X = gaussian_matrix(at.tokens, at.n, at.d);
  for (Index j = 0; j < at.n; ++j) {
    for (int pass = 0; pass < 2; ++pass) {
      const Vector along = X.topRows(j) * X.row(j).transpose();
      X.row(j) -= along.transpose() * X.topRows(j);
    }
    X.row(j).normalize();
  }
  normalise_rows(X);
  return X;
}

// One word of such a sample by itself is uniform on the sphere.
Matrix words(const LawDraw& at) {
  return sphere_sample(at.tokens, at.n, at.d);
}

}  // namespace

void register_orthogonal(LawRegistry& registry) {
  registry.add("orthogonal",
               {.summary = "tokens at right angles to each other, n at most d", .sample = sample, .words = words});
}

}  // namespace wordsway
