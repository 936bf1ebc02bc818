// What stands on top of the last hidden state: one vector for a text, and the head that predicts words.
#pragma once

#include <filesystem>

#include "wordsway/core/matrix.h"
#include "wordsway/model/layers/activation.h"
#include "wordsway/model/layers/attention.h"
#include "wordsway/model/layers/layer_norm.h"
#include "wordsway/model/layers/linear.h"

namespace wordsway {

// One vector for a text from the last hidden state: its first token, or the mean of its visible tokens; optionally
// divided by its norm.
//
// hidden: [n, d], pooled: [d].

struct Pooling {
  enum class Kind { kCls, kMean };
  Kind kind = Kind::kMean;
  bool normalise = false;

  /// Throws DataError when there is no token or the mask covers another number of them.
  RowF forward(ConstMatrixFRef hidden, const AttentionMask& mask = {}) const;
  /// The cotangent of hidden, [n, d], from that of the pooled vector. Throws as forward() does,
  /// and DataError when the cotangent has another size.
  MatrixF vjp(ConstMatrixFRef hidden, const AttentionMask& mask, ConstRowFRef pooled_cotangent) const;
};

/// What the folder's modules.json and the configuration of its pooling module say (sentence-transformers); the mean,
/// not normalised, where there is no modules.json. Throws DataError on modules or ways of pooling that are not
/// supported and on malformed files, FileError on unreadable ones.
Pooling read_pooling(const std::filesystem::path& folder);

// The masked-word head of an encoder: which word would stand here?
//
//   logits = LN(σ(h·Wᵀ + b))·Dᵀ + c       h: [n, d], D: [V, d] (the word vectors where tied), c: [V], logits: [n, V]

struct WordHead {
  Linear transform;
  HiddenActivation activation;
  LayerNorm norm;
  RowF bias;
  MatrixF decoder;  // empty where it is the table of word vectors

  Index parameters() const { return transform.parameters() + norm.parameters() + bias.size() + decoder.size(); }

  MatrixF logits(ConstMatrixFRef hidden, const MatrixF& words) const;
};

}  // namespace wordsway
