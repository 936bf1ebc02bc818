#include "wordsway/model/layers/embedding.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {

void Embedding::check(std::span<const int> ids, std::span<const int> types) const {
  const Index offset = positions_skip_padding ? padding_id + 1 : 0;
  if (ids.empty()) throw DataError("a text of no tokens has no embedding; expected at least one token");
  if (positions.rows() > 0 && static_cast<Index>(ids.size()) > positions.rows() - offset) {
    throw DataError(fmt::format("the text has {} tokens, but the model has positions for {}", ids.size(),
                                positions.rows() - offset));
  }
  for (const int id : ids) {
    if (id < 0 || id >= words.rows()) {
      throw DataError(fmt::format("token id {} is outside the model's vocabulary of {}", id, words.rows()));
    }
  }
  if (!types.empty() && types.size() != ids.size()) {
    throw DataError(fmt::format("{} token types were given for {} tokens", types.size(), ids.size()));
  }
  for (const int type : types) {
    if (type < 0 || type >= token_types.rows()) {
      throw DataError(fmt::format("token type {} is outside the model's {} types", type, token_types.rows()));
    }
  }
}

MatrixF Embedding::forward(std::span<const int> ids, std::span<const int> types) const {
  check(ids, types);
  MatrixF x(static_cast<Index>(ids.size()), words.cols());
  Index seen = 0;
  for (Index j = 0; j < x.rows(); ++j) {
    const int id = ids[static_cast<size_t>(j)];
    Index position = j;
    if (positions_skip_padding) position = id == padding_id ? padding_id : padding_id + ++seen;
    x.row(j) = words.row(id);
    if (positions.rows() > 0) x.row(j) += positions.row(position);
    if (token_types.rows() > 0) x.row(j) += token_types.row(types.empty() ? 0 : types[static_cast<size_t>(j)]);
  }
  return norm.forward(x);
}

}  // namespace wordsway
