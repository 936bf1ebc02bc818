// One vector for a text from its last hidden state, as sentence-transformers builds it: pooling, then any number of
// dense layers, layer norms and normalisations.
//
//   pooled = [Σ_j w_j h_j for every mode], [k·d]       y = module_m(… module_1(pooled))
//
// hidden: [n, d]. Weights w of the modes (n' tokens are pooled): cls the first token, lasttoken the last one, mean
// 1/n', mean_sqrt_len_tokens 1/√n', weightedmean in proportion to the position 1 … n; max takes the largest entry
// instead. Tokens that the mask hides are not pooled, nor are those of a prompt where the chain leaves them out.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/model/layers/activation.h"
#include "wordsway/model/layers/attention.h"
#include "wordsway/model/layers/layer_norm.h"
#include "wordsway/model/layers/linear.h"

namespace wordsway {

enum class PoolingMode { kCls, kMax, kMean, kMeanSqrtLength, kWeightedMean, kLastToken };

/// By the names of sentence-transformers: cls, max, mean, mean_sqrt_len_tokens, weightedmean, lasttoken. Throws
/// UsageError naming what there is.
PoolingMode pooling_mode_named(const std::string& name);
std::string to_string(PoolingMode mode);

/// y = σ(x·Wᵀ + b), plus x or x·Rᵀ where there is a residual.
struct DenseModule {
  Linear linear;
  ActivationKind activation = ActivationKind::kTanh;
  bool has_residual = false;
  Linear residual = {};  // no outputs: x itself
};

struct LayerNormModule {
  LayerNorm norm;
};

/// y = x/max(‖x‖, 1e-12).
struct NormalizeModule {};

/// The first numbers alone, as many as there are at most.
struct TruncateModule {
  Index size;
};

struct SentenceModule {
  std::variant<DenseModule, LayerNormModule, NormalizeModule, TruncateModule> kind;
  std::string source = {};  // the file that said so, for messages
};

/// Immutable once made.
struct SentenceChain {
  std::vector<PoolingMode> modes = {PoolingMode::kMean};
  bool include_prompt = true;
  std::vector<SentenceModule> modules = {};

  /// Throws DataError unless every module takes as many numbers as what comes before it gives.
  void check(Index hidden_size) const;
  Index output_size(Index hidden_size) const;
  bool normalised() const;
  Index parameters() const;
  /// "cls, max", "mean".
  std::string pooling() const;
  /// "mean, normalised", "cls, dense 384 to 256 tanh, normalised".
  std::string describe() const;

  /// The vector of a text. Tokens before `first` are not pooled. Throws DataError when no token is left or the mask
  /// covers another number of them.
  RowF forward(ConstMatrixFRef hidden, const AttentionMask& mask = {}, Index first = 0) const;
  /// The input of the first module.
  RowF pool(ConstMatrixFRef hidden, const AttentionMask& mask = {}, Index first = 0) const;
  /// The output of the last module for what pool() gave, and the vjp of all modules there.
  RowF apply_modules(const RowF& pooled) const;
  RowF modules_vjp(const RowF& pooled, ConstRowFRef cotangent) const;
  /// The output of every module, in order. module_names() has their names: "dense", "layer norm", "normalise",
  /// "truncate", numbered where a name comes more than once.
  std::vector<RowF> after_modules(const RowF& pooled) const;
  std::vector<std::string> module_names() const;
  /// The cotangent of hidden, [n, d], from that of the vector. Throws as forward() does, and DataError when the
  /// cotangent has another size.
  MatrixF vjp(ConstMatrixFRef hidden, const AttentionMask& mask, ConstRowFRef cotangent, Index first = 0) const;
};

}  // namespace wordsway
