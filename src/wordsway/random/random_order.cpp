#include "wordsway/random/random_order.h"

#include <numeric>
#include <utility>

#include "wordsway/core/error.h"

namespace wordsway {

std::vector<Index> random_order(const Stream& stream, Index total, Index count) {
  if (count < 0 || count > total)
    throw UsageError("cannot draw " + std::to_string(count) + " of " + std::to_string(total));
  std::vector<Index> order(static_cast<size_t>(total));
  std::iota(order.begin(), order.end(), Index{0});
  for (size_t k = 0; k < static_cast<size_t>(count); ++k) {
    const auto reach = static_cast<double>(order.size() - k);
    std::swap(order[k], order[k + static_cast<size_t>(stream.uniform(k) * reach)]);
  }
  order.resize(static_cast<size_t>(count));
  return order;
}

}  // namespace wordsway
