// The head of a decoder: which word comes next?
//
//   logits = h·Dᵀ       h: [n, d], D: [V, d] (the word vectors where tied), logits: [n, V]
#pragma once

#include "wordsway/core/matrix.h"

namespace wordsway {

struct NextWordHead {
  MatrixF table;  // D; empty where it is the table of word vectors

  Index parameters() const { return table.size(); }

  MatrixF logits(ConstMatrixFRef hidden, const MatrixF& words) const;
};

}  // namespace wordsway
