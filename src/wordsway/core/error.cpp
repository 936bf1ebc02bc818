#include "wordsway/core/error.h"

#include <fmt/format.h>

namespace wordsway {

void ensure(bool holds, const char* what, const char* file, int line) {
  if (!holds) throw InternalError(fmt::format("{}:{}: broken invariant: {}", file, line, what));
}

}  // namespace wordsway
