// The table of activations σ: names, and which parts of the program have them. Random features have theirs in double
// (maps/activations, cuda/map_feature_kernels.cu), layers of models in float32 (model/layers/activation.h,
// cuda/row_kernels.cu).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wordsway {

enum class ActivationKind {
  kGelu,       // x·Φ(x)
  kGeluTanh,   // x/2·(1 + tanh(√(2/π)(x + 0.044715 x³)))
  kRelu,       // max(x, 0)
  kSilu,       // x/(1 + e^-x)
  kTanh,       // tanh(x)
  kIdentity,   // x
  kLeakyRelu,  // max(x, x/100)
  kSine,       // sin(x)
  kStep3,      // smooth steps from −1 to 1 (maps/activations/step.cpp)
  kStep5,
};

struct ActivationEntry {
  ActivationKind kind;
  const char* name;   // of random features, and in config.json; a kind may have several names there
  bool in_layers;     // whether config.json may name it so
  bool in_maps;       // whether random features have it under this name
  const char* torch;  // the class of PyTorch, in folders of sentence-transformers; null: not there
};

inline constexpr ActivationEntry kActivations[] = {
    {ActivationKind::kGelu, "gelu", true, true, "GELU"},
    {ActivationKind::kGeluTanh, "gelu_new", true, false, nullptr},
    {ActivationKind::kGeluTanh, "gelu_pytorch_tanh", true, false, nullptr},
    {ActivationKind::kRelu, "relu", true, true, "ReLU"},
    {ActivationKind::kSilu, "silu", true, true, "SiLU"},
    {ActivationKind::kSilu, "swish", true, false, nullptr},
    {ActivationKind::kTanh, "tanh", true, true, "Tanh"},
    {ActivationKind::kIdentity, "identity", true, true, "Identity"},
    {ActivationKind::kLeakyRelu, "leaky-relu", false, true, nullptr},
    {ActivationKind::kSine, "sine", false, true, nullptr},
    {ActivationKind::kStep3, "step3", false, true, nullptr},
    {ActivationKind::kStep5, "step5", false, true, nullptr},
};

/// The first name of the kind.
std::string activation_name(ActivationKind kind);

/// The activation of a layer with this name in config.json. Throws UsageError naming those there are; the caller adds
/// the file.
ActivationKind layer_activation_named(const std::string& name);

/// The activation with this name in PyTorch, or nothing; and the names there are.
std::optional<ActivationKind> torch_activation(const std::string& name);
std::vector<std::string> torch_activation_names();

}  // namespace wordsway
