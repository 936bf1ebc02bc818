#include "wordsway/model/layers/rotary.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway {

RowF rotary_frequencies(Index width, double theta) {
  if (width < 2 || width % 2 != 0)
    throw DataError(fmt::format("rotary positions need heads of an even number of columns; got {}", width));
  if (!(theta > 0)) throw DataError(fmt::format("rotary positions need a base above 0; got {}", theta));
  RowF frequencies(width / 2);
  for (Index c = 0; c < frequencies.size(); ++c) {
    const float exponent = static_cast<float>(2 * c) / static_cast<float>(width);
    frequencies[c] = 1.f / std::pow(static_cast<float>(theta), exponent);
  }
  return frequencies;
}

Rotary::Rotary(const RowF& frequencies, Index positions)
    : half_(frequencies.size()), cosines_(positions, half_), sines_(positions, half_) {
  for (Index p = 0; p < positions; ++p)
    for (Index c = 0; c < half_; ++c) {
      const float angle = static_cast<float>(p) * frequencies[c];
      cosines_(p, c) = std::cos(angle);
      sines_(p, c) = std::sin(angle);
    }
}

Rotary::Rotary(Index width, double theta, Index positions) : Rotary(rotary_frequencies(width, theta), positions) {}

void Rotary::turn_heads(Index heads, Index position, float sign, float* row) const {
  const float* cosines = cosines_.row(position).data();
  const float* sines = sines_.row(position).data();
  for (Index head = 0; head < heads; ++head, row += 2 * half_) {
    for (Index c = 0; c < half_; ++c) {
      const float a = row[c], b = row[c + half_], sine = sign * sines[c];
      row[c] = a * cosines[c] - b * sine;
      row[c + half_] = b * cosines[c] + a * sine;
    }
  }
}

void Rotary::turn_rows(const AttentionShape& shape, const AttentionMask& mask, float sign, MatrixFRef qkv,
                       Index first) const {
  for (const RowRange& text : mask.texts(qkv.rows())) {
    if (first + text.size() > cosines_.rows())
      throw DataError(fmt::format("the text has {} tokens, but the model has positions for {}", first + text.size(),
                                  cosines_.rows()));
    parallel_if(text.size() * qkv.cols() >= (1 << 17), text.size(), [&](Index row) {
      turn_heads(shape.heads + shape.kv_heads, first + row, sign, qkv.row(text.begin + row).data());
    });
  }
}

void Rotary::turn(const AttentionShape& shape, const AttentionMask& mask, MatrixFRef qkv, Index first) const {
  turn_rows(shape, mask, 1, qkv, first);
}

void Rotary::turn_back(const AttentionShape& shape, const AttentionMask& mask, MatrixFRef qkv, Index first) const {
  turn_rows(shape, mask, -1, qkv, first);
}

void Rotary::turn_head_back(Index position, float* head) const {
  turn_heads(1, position, -1, head);
}

}  // namespace wordsway
