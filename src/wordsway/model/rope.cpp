#include "wordsway/model/rope.h"

#include <numbers>

#include "wordsway/model/config.h"
#include "wordsway/model/layers/rotary.h"

namespace wordsway {
namespace {

constexpr double kUsualTheta = 10'000, kMost = 1e12;

// In float32, as the models were trained.
RowF scale_as_llama3(const ConfigFile& scaling, RowF frequencies) {
  const auto factor = static_cast<float>(scaling.number("factor", 1e-6, kMost));
  const auto low = static_cast<float>(scaling.number("low_freq_factor", 1e-6, kMost));
  const auto high = static_cast<float>(scaling.number("high_freq_factor", 1e-6, kMost));
  const auto old = static_cast<float>(scaling.integer("original_max_position_embeddings", 1, ConfigLimits::kPositions));
  if (!(low < high)) scaling.refuse("low_freq_factor", "must be below high_freq_factor");
  for (float& f : frequencies) {
    const float wavelength = 2 * std::numbers::pi_v<float> / f;
    if (wavelength < old / high) continue;
    const float share = (old / wavelength - low) / (high - low);
    f = wavelength > old / low ? f / factor : (1 - share) * f / factor + share * f;
  }
  return frequencies;
}

RowF scale(const ConfigFile& scaling, RowF frequencies) {
  const std::string key = scaling.has("rope_type") ? "rope_type" : "type";
  const std::string type = scaling.text_or(key, "default");
  if (type == "default") return frequencies;
  if (type == "linear") return frequencies / static_cast<float>(scaling.number("factor", 1e-6, kMost));
  if (type == "llama3") return scale_as_llama3(scaling, std::move(frequencies));
  scaling.refuse(key, "is \"" + type + "\"; supported are default, linear and llama3");
}

void refuse_partial_rotation(const ConfigFile& file) {
  if (file.number_or("partial_rotary_factor", 1, 0, 1) != 1)
    file.refuse("partial_rotary_factor", "must be 1: rotations of a part of the columns are not supported");
}

}  // namespace

RowF read_rope_frequencies(const ConfigFile& file, Index width) {
  if (width % 2 != 0) file.refuse("head_dim", "must be even for rotary positions, but is " + std::to_string(width));
  const double theta = file.number_or("rope_theta", kUsualTheta, 1, kMost);
  refuse_partial_rotation(file);
  const std::optional<ConfigFile> scaling =
      file.object(file.has("rope_parameters") ? "rope_parameters" : "rope_scaling");
  if (!scaling) return rotary_frequencies(width, theta);
  refuse_partial_rotation(*scaling);
  return scale(*scaling, rotary_frequencies(width, scaling->number_or("rope_theta", theta, 1, kMost)));
}

}  // namespace wordsway
