#include "wordsway/io/tensor_info.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/json.h"

namespace wordsway {

size_t offset_of_rows(const std::string& name, const TensorInfo& info, Index first_row, Index rows, size_t bytes) {
  const Index columns = info.shape.empty() ? 1 : info.shape.back();
  const Index all = columns == 0 ? 0 : info.count / columns;
  if (first_row < 0 || rows < 0 || first_row > all || rows > all - first_row)
    throw UsageError(
        fmt::format("the tensor {} has {} rows; asked for {} from {} on", json_quoted(name), all, rows, first_row));
  const size_t row_bytes = all == 0 ? 0 : info.size / static_cast<size_t>(all);
  if (bytes != static_cast<size_t>(rows) * row_bytes)
    throw UsageError(fmt::format("{} rows of the tensor {} have {} bytes; got room for {}", rows, json_quoted(name),
                                 static_cast<size_t>(rows) * row_bytes, bytes));
  return info.offset + static_cast<size_t>(first_row) * row_bytes;
}

}  // namespace wordsway
