// A bias of attention scores that depends on how far a key is from its query, as in T5 and MPNet.
//
//   bias_h(i, j) = table[bucket(i − j), h]        table: [buckets, heads]
//
// Half of the buckets are for keys after the query. In each half short distances have buckets of their own, and longer
// ones share buckets that grow by a constant factor up to distance 128.
#pragma once

#include "wordsway/core/matrix.h"

namespace wordsway {

class RelativeBias {
 public:
  /// Throws DataError unless the number of buckets is a multiple of 4.
  explicit RelativeBias(MatrixF table);

  Index heads() const { return table_.cols(); }
  Index size() const { return table_.size(); }
  /// The biases of a head for a text of n tokens by distance: entry j − i + n − 1 of 2n − 1.
  RowF by_distance(Index head, Index n) const;
  /// The bucket of a key `distance` tokens before its query (negative: after it).
  Index bucket(Index distance) const;

 private:
  MatrixF table_;
};

}  // namespace wordsway
