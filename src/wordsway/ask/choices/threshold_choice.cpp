#include "wordsway/ask/choices/threshold_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/audit/similarity.h"
#include "wordsway/core/error.h"

namespace wordsway {

void check_threshold(const std::optional<double>& threshold, const std::optional<std::string>& unit) {
  if (threshold && !unit)
    throw UsageError(fmt::format("{{threshold}} {} of what? give {{unit}}: {}", *threshold,
                                 fmt::join(similarity_unit_names(), ", ")));
  if (unit && !threshold) throw UsageError("{unit} is that of {threshold}, which is not given");
}

}  // namespace wordsway
