// Keys and values of the tokens that a decoder has read, so that the next token costs one row of work in every layer.
//
// Each layer has [tokens, 2G·w]: a token's keys and then its values, as in the last columns of layers/attention.h.
// Queries are not kept: they are not needed again, and their H heads may be many times the G heads of keys.
#pragma once

#include <memory>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/model/layers/attention.h"

namespace wordsway {

/// Keys and values on a device with a memory of its own (model/device_engine.h).
class DeviceCache {
 public:
  virtual ~DeviceCache() = default;
  virtual std::unique_ptr<DeviceCache> copy() const = 0;
  virtual Index bytes() const = 0;
};

/// Copyable: a copy goes on by itself from the same tokens. Not thread-safe.
///
/// Rows of new tokens are written layer by layer and count once all layers have theirs. If writing stops before that,
/// the cache is unchanged.
class KeyValueCache {
 public:
  /// An empty cache for a model with these layers.
  KeyValueCache(Index layers, const AttentionShape& shape);
  /// An empty cache whose rows are on a device: only their number is kept here, and rows() has none.
  KeyValueCache(Index layers, const AttentionShape& shape, std::unique_ptr<DeviceCache> device_cache);
  ~KeyValueCache() = default;
  KeyValueCache(const KeyValueCache& other);
  KeyValueCache(KeyValueCache&&) noexcept = default;
  KeyValueCache& operator=(KeyValueCache other) noexcept;

  Index tokens() const { return tokens_; }
  Index layers() const { return static_cast<Index>(rows_.size()); }
  Index columns() const { return columns_; }
  /// Bytes of memory for keys and values.
  Index bytes() const;
  /// The cache on the device, or null if the rows are in this object.
  DeviceCache* device_cache() const { return device_.get(); }

  /// The rows of the next `count` tokens in a layer, to be written. The reference is valid until the next call.
  MatrixFRef next_rows(Index layer, Index count);
  /// The rows of the first tokens() + count tokens in a layer.
  ConstMatrixFRef rows(Index layer, Index count) const;
  /// Records that the next `count` tokens have been written in every layer.
  void advance(Index count) { tokens_ += count; }

 private:
  Index tokens_ = 0;
  Index columns_;
  std::vector<MatrixF> rows_;  // with room for more tokens
  std::unique_ptr<DeviceCache> device_;
};

}  // namespace wordsway
