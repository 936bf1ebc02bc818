// How GGUF files name and store what an architecture reads from a folder.
#pragma once

#include <string>
#include <vector>

namespace wordsway {

/// A key of config.json or a tensor of a folder, and its name in a GGUF file.
struct GgufName {
  std::string own, gguf;
};

/// When a linear layer of a GGUF file has a bias: never, or in files whose first layer has one for its queries, or for
/// the gate of its feed-forward.
enum class GgufBias { kNone, kWithQueries, kWithGate };

/// The order of the rows of a tensor. llama.cpp rotates neighbouring rows of a head where Hugging Face rotates its
/// halves, so some architectures store queries and keys interleaved: row s·w/2 + j of a head with w rows is row 2j + s
/// in the file.
enum class GgufRows { kAsTheyAre, kInterleavedQueries, kInterleavedKeys };

/// OWN.weight of a layer is GGUF.weight.
struct GgufLayerTensor {
  std::string own, gguf;
  GgufBias bias = GgufBias::kNone;
  GgufRows rows = GgufRows::kAsTheyAre;
};

/// Whether a file may have a sliding window. Files with and without one may belong to two entries (Mistral, Llama).
enum class GgufWindow { kNever, kAlways, kOptional };

struct GgufNames {
  std::string architecture;        // value of general.architecture, which keys begin with
  std::vector<GgufName> integers;  // keys of config.json whose values are whole numbers
  std::vector<GgufName> numbers;   // and others
  std::string required_number;     // a GGUF key that must be there, although config.json may leave it out
  GgufWindow window = GgufWindow::kNever;
  std::vector<GgufName> tensors;               // outside of layers
  std::string layer_prefix;                    // of a folder's names: "model.layers."; "blk." in GGUF
  std::vector<GgufLayerTensor> layer_tensors;  // OWN after layer_prefix + "N.", GGUF after "blk.N."
};

}  // namespace wordsway
