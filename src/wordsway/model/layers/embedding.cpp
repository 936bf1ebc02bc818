#include "wordsway/model/layers/embedding.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {

Index Embedding::parameters() const {
  return words.size() + positions.size() + token_types.size() + (norm ? norm->parameters() : 0);
}

void Embedding::check_length(Index tokens) const {
  const Index offset = positions_skip_padding ? padding_id + 1 : 0;
  if (positions.rows() > 0 && tokens > positions.rows() - offset)
    throw DataError(
        fmt::format("the text has {} tokens, but the model has positions for {}", tokens, positions.rows() - offset));
}

void Embedding::check_ids(std::span<const int> ids) const {
  for (const int id : ids)
    if (id < 0 || id >= words.outputs())
      throw DataError(fmt::format("token id {} is outside the model's vocabulary of {}", id, words.outputs()));
}

void Embedding::check(std::span<const int> ids, std::span<const int> types) const {
  if (ids.empty()) throw DataError("a text of no tokens has no embedding; expected at least one token");
  check_length(static_cast<Index>(ids.size()));
  check_ids(ids);
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
  MatrixF x(static_cast<Index>(ids.size()), words.inputs());
  Index seen = 0;
  for (Index j = 0; j < x.rows(); ++j) {
    const int id = ids[static_cast<size_t>(j)];
    Index position = j;
    if (positions_skip_padding) position = id == padding_id ? padding_id : padding_id + ++seen;
    words.copy_row(id, x.row(j).data());
    if (positions.rows() > 0) x.row(j) += positions.row(position);
    if (token_types.rows() > 0) x.row(j) += token_types.row(types.empty() ? 0 : types[static_cast<size_t>(j)]);
  }
  return norm ? norm->forward(x) : x;
}

MatrixF Embedding::at_row(std::span<const int> ids, Index j) const {
  check_ids(ids);
  check_length(j + 1);
  MatrixF x(static_cast<Index>(ids.size()), words.inputs());
  for (Index k = 0; k < x.rows(); ++k) {
    words.copy_row(ids[static_cast<size_t>(k)], x.row(k).data());
    if (positions.rows() > 0) x.row(k) += positions.row(positions_skip_padding ? padding_id + 1 + j : j);
    if (token_types.rows() > 0) x.row(k) += token_types.row(0);
  }
  return norm ? norm->forward(x) : x;
}

}  // namespace wordsway
