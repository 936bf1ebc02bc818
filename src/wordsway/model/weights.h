// The tensors of a model by name, checked. Vectors become float32; matrices of linear layers stay as they are stored
// (products/packed_weights.h), but for those of small models: as float32 they take little memory, and short texts pay
// for turning them into floats in every product.
//
// Everything throws DataError naming the file or folder and the tensor when one is missing, has another shape, or holds
// a value that is not finite; FileError when a file cannot be read or changes while the weights are loaded.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "wordsway/io/tensor_source.h"
#include "wordsway/model/layers/layer_norm.h"
#include "wordsway/model/layers/linear.h"

namespace wordsway {

/// Cheap to copy; the files are closed with the last copy.
class Weights {
 public:
  /// model.safetensors, or the shards listed by model.safetensors.index.json. Throws SystemError when the weights need
  /// more memory than there is.
  explicit Weights(const std::filesystem::path& folder);
  /// `name` is what messages call the file or folder.
  Weights(std::filesystem::path name, std::shared_ptr<const TensorSource> tensors);

  /// These tensors, named without `prefix` if the folder's names have it: a checkpoint of a whole model says
  /// "bert.embeddings...", one of the transformer alone "embeddings...". `probe` is a name both have after the prefix.
  Weights without_prefix(const std::string& prefix, const std::string& probe) const;

  /// Bytes that the weights take in memory, and their types as they are stored, with the bytes of
  /// each ("BF16 2.0 GiB, F32 8.0 KiB").
  double memory_bytes() const;
  std::string types() const;

  /// The files that hold the tensors, and the index where there is one, each as it was when it was opened.
  std::vector<SourceFile> files() const;
  /// Throws FileError when one of them is not as it was when it was opened: what was read does not belong together.
  void check_unchanged() const;

  bool contains(const std::string& name) const;
  /// Throws DataError "FOLDER: the tensor 'NAME' PROBLEM".
  [[noreturn]] void refuse(const std::string& name, const std::string& problem) const;
  MatrixF matrix(const std::string& name, Index rows, Index columns) const;
  RowF row(const std::string& name, Index size) const;
  /// A matrix whose rows are looked up and that is multiplied with, such as a table of word vectors.
  PackedWeights table(const std::string& name, Index rows, Index columns) const;

  /// NAME.weight and NAME.bias, or the weight alone.
  Linear linear(const std::string& name, Index in, Index out, bool bias = true) const;
  /// A linear layer whose weight is stored as [in, out] (Conv1D of GPT-2).
  Linear transposed_linear(const std::string& name, Index in, Index out) const;
  /// Several linear layers of the same input as one: their outputs side by side, as many of each as `outs` says.
  Linear stacked(const std::vector<std::string>& names, Index in, const std::vector<Index>& outs,
                 bool bias = true) const;
  /// NAME.weight and NAME.bias, or NAME.gamma and NAME.beta as old checkpoints say, or the weight alone.
  LayerNorm layer_norm(const std::string& name, Index size, double epsilon, bool bias = true) const;
  /// RMS normalisation: NAME.weight.
  LayerNorm rms_norm(const std::string& name, Index size, double epsilon) const;

 private:
  StoredMatrix stored(const std::string& name, const std::vector<Index>& shape) const;
  PackedWeights pack(const std::vector<StoredMatrix>& parts) const;
  void read(const std::string& name, Index first, Index count, std::span<std::byte> bytes) const;
  MatrixF widened(const std::string& name, const std::vector<Index>& shape) const;

  std::filesystem::path folder_;
  std::shared_ptr<const TensorSource> tensors_;
  std::string prefix_;
  bool widened_ = false;
};

}  // namespace wordsway
