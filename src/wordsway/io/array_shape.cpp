#include "wordsway/io/array_shape.h"

#include <limits>

#include <fmt/format.h>

namespace wordsway {

std::optional<size_t> item_count(const std::vector<Index>& shape, size_t item_size) {
  size_t limit = static_cast<size_t>(std::numeric_limits<Index>::max()) / item_size;
  size_t nonzero_product = 1;
  bool has_zero = false;
  for (const Index extent : shape) {
    has_zero = has_zero || extent == 0;
    if (extent == 0) continue;
    limit /= static_cast<size_t>(extent);
    if (limit == 0) return std::nullopt;
    nonzero_product *= static_cast<size_t>(extent);
  }
  return has_zero ? 0 : nonzero_product;
}

std::string format_shape(const std::vector<Index>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace wordsway
