#include "wordsway/core/error.h"

#include <fmt/format.h>

namespace wordsway {

void ensure(bool holds, const char* what, std::source_location where) {
  if (!holds) throw InternalError(fmt::format("{}:{}: broken invariant: {}", where.file_name(), where.line(), what));
}

}  // namespace wordsway
