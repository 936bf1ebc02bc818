// The masked-word head of an encoder: which word would stand here?
//
//   logits = LN(σ(h·Wᵀ + b))·Dᵀ + c       h: [n, d], D: [V, d] (the word vectors where tied), c: [V], logits: [n, V]
#pragma once

#include "wordsway/core/matrix.h"
#include "wordsway/model/layers/activation.h"
#include "wordsway/model/layers/layer_norm.h"
#include "wordsway/model/layers/linear.h"

namespace wordsway {

struct MaskedWordHead {
  Linear transform;
  ActivationKind activation = ActivationKind::kGelu;
  LayerNorm norm;
  RowF bias;
  PackedWeights decoder;  // empty where it is the table of word vectors

  Index parameters() const { return transform.parameters() + norm.parameters() + bias.size() + decoder.size(); }

  MatrixF logits(ConstMatrixFRef hidden, const PackedWeights& words) const;
};

}  // namespace wordsway
