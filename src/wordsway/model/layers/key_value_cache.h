// Keys and values of the tokens that a decoder has read, so that the next token costs one row of work in every layer.
//
// Of every layer: [tokens, 2G·w], a token's keys and then its values, as the last columns of layers/attention.h have
// them. Queries are not kept: nobody looks at them again, and H heads of them may be many times the G heads of keys.
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
/// Rows of new tokens are written layer by layer and count when all layers have theirs. Where that is given up half
/// way, the cache holds what it held before.
class KeyValueCache {
 public:
  /// Of no tokens, for a model of these layers.
  KeyValueCache(Index layers, const AttentionShape& shape);
  /// The same where the rows lie elsewhere: only their number is kept here, and there are no rows to be asked for.
  KeyValueCache(Index layers, const AttentionShape& shape, std::unique_ptr<DeviceCache> there);
  ~KeyValueCache() = default;
  KeyValueCache(const KeyValueCache& other);
  KeyValueCache(KeyValueCache&&) noexcept = default;
  KeyValueCache& operator=(KeyValueCache other) noexcept;

  Index tokens() const { return tokens_; }
  Index layers() const { return static_cast<Index>(rows_.size()); }
  Index columns() const { return columns_; }
  /// Of memory for keys and values.
  Index bytes() const;
  /// Null where the rows are here.
  DeviceCache* there() const { return there_.get(); }

  /// The rows of the next `count` tokens in a layer, to be written. They stay where they are until another call.
  MatrixFRef next_rows(Index layer, Index count);
  /// The rows of a layer: those of tokens() and `count` more.
  ConstMatrixFRef rows(Index layer, Index count) const;
  /// The next `count` tokens are there in every layer.
  void advance(Index count) { tokens_ += count; }

 private:
  Index tokens_ = 0;
  Index columns_;
  std::vector<MatrixF> rows_;  // with room for more tokens
  std::unique_ptr<DeviceCache> there_;
};

}  // namespace wordsway
