#include "wordsway/model/layers/key_value_cache.h"

#include <algorithm>
#include <utility>

namespace wordsway {

KeyValueCache::KeyValueCache(Index layers, const AttentionShape& shape)
    : columns_(shape.kv_columns()), rows_(static_cast<size_t>(layers), MatrixF(0, columns_)) {}

KeyValueCache::KeyValueCache(Index layers, const AttentionShape& shape, std::unique_ptr<DeviceCache> device_cache)
    : KeyValueCache(layers, shape) {
  device_ = std::move(device_cache);
}

KeyValueCache::KeyValueCache(const KeyValueCache& other)
    : tokens_(other.tokens_),
      columns_(other.columns_),
      rows_(other.rows_),
      device_(other.device_ ? other.device_->copy() : nullptr) {}

KeyValueCache& KeyValueCache::operator=(KeyValueCache other) noexcept {
  tokens_ = other.tokens_;
  columns_ = other.columns_;
  rows_ = std::move(other.rows_);
  device_ = std::move(other.device_);
  return *this;
}

Index KeyValueCache::bytes() const {
  if (device_) return device_->bytes();
  Index numbers = 0;
  for (const MatrixF& rows : rows_) numbers += rows.size();
  return numbers * static_cast<Index>(sizeof(float));
}

// Capacity grows by half, so that a text of n tokens moves at most 3n rows.
MatrixFRef KeyValueCache::next_rows(Index layer, Index count) {
  constexpr Index kLeast = 64;
  MatrixF& rows = rows_[static_cast<size_t>(layer)];
  if (tokens_ + count > rows.rows())
    rows.conservativeResize(std::max({tokens_ + count, rows.rows() + rows.rows() / 2, kLeast}), columns_);
  return rows.middleRows(tokens_, count);
}

ConstMatrixFRef KeyValueCache::rows(Index layer, Index count) const {
  return rows_[static_cast<size_t>(layer)].topRows(tokens_ + count);
}

}  // namespace wordsway
