// The tensors of a GGUF file under the names of Hugging Face, so that architectures find them as in a folder:
// model.layers.0.self_attn.q_proj.weight is blk.0.attn_q.weight. The architecture's entry has the names (gguf_names.h).
//
// Interleaved rows of queries and keys are read in the order of Hugging Face. A quantised block runs along a row, so
// rows can be read in any order.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "wordsway/io/gguf_set.h"
#include "wordsway/io/tensor_source.h"
#include "wordsway/model/config.h"
#include "wordsway/model/gguf_names.h"

namespace wordsway {

class GgufTensors final : public TensorSource {
 public:
  /// `config` is what was read from the same files. Throws DataError on a tensor that models of this architecture and
  /// with so many layers do not have: it would change what the model computes.
  GgufTensors(std::shared_ptr<const GgufSet> set, const ModelConfig& config);

  std::vector<SourceFile> source_files() const override { return set_->source_files("weights"); }
  void check_unchanged() const override { set_->check_unchanged(); }
  std::map<std::string, TensorTotal> totals_by_type() const override;
  std::string name_in_file(const std::string& name) const override { return place(name).name; }
  bool contains(const std::string& name) const override;
  const TensorInfo& info(const std::string& name) const override;
  const TensorInfo& info(const std::string& name, const std::vector<Index>& shape) const override;
  void copy_rows(const std::string& name, Index first_row, Index rows, std::span<std::byte> bytes) const override;

 private:
  struct Place {
    std::string name;  // in the file
    Index heads = 0;   // whose rows are interleaved; 0: none are
  };

  void add_layer(Index layer, const GgufNames& names, const AttentionShape& shape);
  void refuse_other_tensors() const;
  Place place(const std::string& name) const;

  std::shared_ptr<const GgufSet> set_;
  std::map<std::string, Place> places_;  // all tensors that such a model may have
};

}  // namespace wordsway
