// For builds without librsvg, in place of print_svg.cpp.
#include "wordsway/core/error.h"
#include "wordsway/draw/print_svg.h"

namespace wordsway {

bool can_print() {
  return false;
}

std::string print_svg(const std::string& /*svg*/, int /*width*/, int /*height*/, PrintFormat /*format*/) {
  throw UsageError(kCannotPrint);
}

}  // namespace wordsway
