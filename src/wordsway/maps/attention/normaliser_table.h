// The table of attention normalisers, P_m = f(s_m)/Σ_m' f(s_m'): names, and where each of them is implemented.
//
//   softmax    exp(βs)               sigmoid    1/(1 + exp(−βs))        relu    max(s, 0)     β cancels
//   softplus   log(1 + exp(βs))      elu        1 + βs above 0, exp(βs) below        square  s²    β cancels
//
// Random maps have all of them in double (normaliser.h), devices too (cuda/map_normalisers.cuh), and trained models
// some in float32 (model/layers/score_weights.h). A row without mass, which ReLU and square can have, has weights 0.
#pragma once

#include <string>
#include <vector>

namespace wordsway {

enum class NormaliserKind { kSoftmax, kSigmoid, kRelu, kSquare, kElu, kSoftplus };

struct NormaliserEntry {
  NormaliserKind kind;
  const char* name;
  bool has_beta;   // otherwise it cancels
  bool in_models;  // whether trained models may have it
};

inline constexpr NormaliserEntry kNormalisers[] = {
    {NormaliserKind::kSoftmax, "softmax", true, true}, {NormaliserKind::kSigmoid, "sigmoid", true, true},
    {NormaliserKind::kRelu, "relu", false, true},      {NormaliserKind::kSquare, "square", false, true},
    {NormaliserKind::kElu, "elu", true, false},        {NormaliserKind::kSoftplus, "softplus", true, false},
};

const NormaliserEntry& normaliser_entry(NormaliserKind kind);
std::string normaliser_name(NormaliserKind kind);

/// The normaliser of trained models with this name. Throws UsageError naming those there are; the caller adds the file.
NormaliserKind model_normaliser_named(const std::string& name);

/// A normaliser and its β.
struct NormaliserSpec {
  NormaliserKind kind = NormaliserKind::kSoftmax;
  double beta = 1;

  bool is_softmax() const { return kind == NormaliserKind::kSoftmax; }
  bool operator==(const NormaliserSpec&) const = default;
};

}  // namespace wordsway
