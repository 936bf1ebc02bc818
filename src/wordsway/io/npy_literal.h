// The Python dictionary literal inside an npy header.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway {

struct NpyDictionary {
  std::string descr;  // type of the values, not yet understood
  bool fortran_order = false;
  std::vector<Index> shape;  // no entry is negative
};

/// Each of the three keys exactly once, no other. Throws DataError otherwise; `name` is what messages call the file.
NpyDictionary parse_npy_dictionary(std::string_view text, std::string_view name);

}  // namespace wordsway
