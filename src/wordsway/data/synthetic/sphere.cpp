// sphere: tokens uniform on the sphere of radius √d, each by itself.
#include "wordsway/data/data_source.h"
#include "wordsway/data/synthetic_data.h"

namespace wordsway {
namespace {

Matrix sample(const LawDraw& at) {
  return sphere_sample(at.tokens, at.n, at.d);
}

}  // namespace

void register_sphere(LawRegistry& registry) {
  registry.add("sphere", {.summary = "tokens uniform on the sphere of radius sqrt(d), independent", .sample = sample});
}

}  // namespace wordsway
