#include "wordsway/audit/token_move.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/model/attract.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

Vector ascent_move(std::shared_ptr<const Transformer> transformer, const MatrixF& x, Index token, const Radius& radius,
                   const Stream& stream, SensitivityOptions options, const std::optional<ModelOutput>& output) {
  const ModelOutput last{transformer->config().layers};
  const ModelMap map(std::move(transformer), output.value_or(last));
  const auto sample = map.at(x.cast<double>());
  options.radius = radius;
  // A picture shows a few percent; from the attracting direction one ascent gets that far (docs/models.md).
  if (!options.starts) options.starts = 1;
  if (!options.tolerance) options.tolerance = 1e-3;
  return measure_token(*sample, token, options, stream).delta;
}

}  // namespace

MoveDirection parse_direction(const std::string& name) {
  if (name == "attract") return MoveDirection::kAttract;
  if (name == "noise") return MoveDirection::kNoise;
  if (name == "ascent") return MoveDirection::kAscent;
  throw UsageError("unknown direction '" + name + "'; there are: attract, noise, ascent");
}

std::string to_string(MoveDirection direction) {
  return direction == MoveDirection::kAttract ? "attract" : direction == MoveDirection::kNoise ? "noise" : "ascent";
}

Vector token_move(std::shared_ptr<const Transformer> transformer, const MatrixF& x, Index token,
                  MoveDirection direction, const Radius& radius, const Stream& stream, const SensitivityOptions& search,
                  const std::optional<ModelOutput>& output) {
  if (token < 0 || token >= x.rows())
    throw UsageError(fmt::format("token {} is out of range; the text has tokens 0 to {}", token, x.rows() - 1));
  Vector delta;
  if (direction == MoveDirection::kAscent)
    return ascent_move(std::move(transformer), x, token, radius, stream, search, output);
  if (direction == MoveDirection::kAttract) delta = attracting_direction(*transformer, x, token);
  if (direction == MoveDirection::kNoise) delta = gaussian_vector(stream, x.cols());
  const double norm = delta.norm();
  return norm > 0 ? Vector(delta * (radius.of(x.row(token).cast<double>()) / norm)) : delta;
}

MatrixF with_moved_token(const MatrixF& x, Index token, const Vector& delta) {
  MatrixF result = x;
  result.row(token) += delta.transpose().cast<float>();
  return result;
}

}  // namespace wordsway
