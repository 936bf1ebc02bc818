// Golden values written by tests/golden/make_model_golden.py and make_sentence_golden.py.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wordsway/io/safetensors.h"
#include "wordsway/model/layers/attention.h"

namespace wordsway::test {

class Golden {
 public:
  explicit Golden(const std::filesystem::path& file) : tensors_(SafeTensors::open(file)) {}

  /// A tensor of one or two dimensions as a matrix, one row for a vector.
  MatrixF matrix(const std::string& name) const;
  /// One [n, n] slice of a tensor of three.
  MatrixF slice(const std::string& name, Index which) const;
  std::vector<int> integers(const std::string& name) const;
  bool contains(const std::string& name) const { return tensors_.contains(name); }
  std::vector<int> ids() const { return integers("ids"); }
  AttentionMask mask() const { return AttentionMask(integers("mask")); }

 private:
  SafeTensors tensors_;
};

std::filesystem::path golden_models();

/// The folders of golden_models(), and those of decoders, which have their name in architecture_registry().
std::vector<std::string> golden_model_names();
std::vector<std::string> golden_decoder_names();
/// The golden models in GGUF files, without .gguf.
std::vector<std::string> golden_gguf_names();
std::filesystem::path golden_ggufs();
/// The `model_type` of a folder of golden_models().
std::string golden_architecture(const std::string& name);

/// The name with underscores, as gtest wants it.
std::string test_name(std::string name);

}  // namespace wordsway::test
