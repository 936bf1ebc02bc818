#include "wordsway/model/layers/relative_bias.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {

RelativeBias::RelativeBias(MatrixF table) : table_(std::move(table)) {
  if (table_.rows() < 4 || table_.rows() % 4 != 0)
    throw DataError(fmt::format("a relative bias needs a multiple of 4 buckets; got {}", table_.rows()));
}

Index RelativeBias::bucket(Index distance) const {
  constexpr float kFarthest = 128;
  const Index half = table_.rows() / 2, exact = half / 2;
  const Index first = distance < 0 ? half : 0, length = std::abs(distance);
  if (length < exact) return first + length;
  // In float, as models were trained: at powers of two the last digit decides.
  const float steps = std::log(static_cast<float>(length) / static_cast<float>(exact)) /
                      static_cast<float>(std::log(kFarthest / static_cast<double>(exact))) *
                      static_cast<float>(half - exact);
  return first + std::min(exact + static_cast<Index>(steps), half - 1);
}

RowF RelativeBias::by_distance(Index head, Index n) const {
  RowF result(2 * n - 1);
  for (Index k = 0; k < result.size(); ++k) result[k] = table_(bucket(n - 1 - k), head);
  return result;
}

}  // namespace wordsway
