// What is read from a transformer at a text: the rows of a layer, its last row, the pooled vector, or logits.
//
//   output   = forward(h)              h: [n, d], hidden_states[layer]      output: [n, d] or one row
//   features = features(output)        what a ModelMap calls φ: the output in double, logits less their mean
//
// A readout is one file in model/readouts; the build finds it (cmake/WordswayRegistry.cmake), and nothing else names
// it. docs/adding_an_architecture.md adds one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/core/record.h"
#include "wordsway/core/registry.h"
#include "wordsway/model/layers/attention.h"

namespace wordsway {

class Transformer;

/// The text that is read: `mask` hides its padding, and its first `first_pooled` tokens are a prompt, which pooling
/// leaves out.
struct ReadoutText {
  const Transformer& transformer;
  const AttentionMask& mask;
  Index first_pooled = 0;
};

/// Immutable; may be used from several threads at once.
class Readout {
 public:
  virtual ~Readout() = default;

  /// Whether the output has one row for each text, however long the text is.
  virtual bool is_vector() const = 0;
  /// Whether the output is the model's sentence vector, for which the model's default prompt is used.
  virtual bool is_sentence_vector() const { return false; }
  /// Whether the output is the logits of a distribution: outputs are then compared by the divergence of distributions.
  virtual bool is_distribution() const { return false; }
  /// Whether every layer has this output; otherwise it belongs after the last layer.
  virtual bool is_of_every_layer() const { return false; }
  /// Whether the output is the hidden state itself, every row of it.
  virtual bool is_hidden_state() const { return false; }
  /// What charts call it: "the text's vector"; empty for all rows of a layer.
  virtual std::string description() const { return {}; }
  /// Fields that tell it from another readout with the same {layer} in settings of rows and journals.
  virtual Record settings() const { return {}; }

  /// Why `transformer` does not have this output after `layer`; empty if it has.
  virtual std::string why_missing(const Transformer& transformer, Index layer) const;

  /// The number of columns of the output.
  virtual Index columns(const Transformer& transformer) const;
  /// The names of the columns; empty where columns have no names.
  virtual std::vector<std::string> labels(const Transformer& transformer) const;

  virtual MatrixF forward(const ReadoutText& text, ConstMatrixFRef hidden) const = 0;
  /// The cotangent of the hidden state, [n, d], from that of the output.
  virtual MatrixF vjp(const ReadoutText& text, ConstMatrixFRef hidden, ConstMatrixFRef cotangent) const = 0;

  virtual Matrix features(ConstMatrixFRef output) const;
  /// The cotangent of the output from that of the features.
  virtual MatrixF features_vjp(const Matrix& cotangent) const;
  /// Norm of the features below which they are rounding errors of `hidden`; 0 where they never are.
  virtual double noise_norm(const ReadoutText& text, ConstMatrixFRef hidden) const;

  /// Weights w, [n], if the output is a function of Σ_j w_j h_j alone; empty otherwise. A device then computes the sums
  /// of many texts instead of returning all their rows.
  virtual RowF row_weights(const ReadoutText& text, Index n) const;
  /// Outputs from such sums, one row for each text: [texts, columns] from [texts, d].
  virtual MatrixF forward_sums(const Transformer& transformer, ConstMatrixFRef sums) const;
  /// The cotangents of the sums from those of the outputs.
  virtual MatrixF sums_vjp(const Transformer& transformer, ConstMatrixFRef sums, ConstMatrixFRef cotangents) const;
  /// How many of `texts` outputs are computed at once, so that wide outputs do not fill the memory.
  virtual Index texts_at_once(Index texts) const { return texts; }
};

/// What a file of model/readouts registers. Readouts of every layer are values of {rows}, the others values of {layer}.
struct ReadoutEntry {
  int order = 0;  // in lists of choices
  std::shared_ptr<const Readout> readout;
};

using ReadoutRegistry = Registry<ReadoutEntry>;

/// All readouts; built on first use, thread-safe.
const ReadoutRegistry& readout_registry();

/// Throws UsageError naming the readouts there are.
std::shared_ptr<const Readout> readout_named(const std::string& name);

/// Names of the readouts that are values of {layer} (pooled, logits) or of {rows} (all, last), in their order.
std::vector<std::string> names_of_layer_readouts();
std::vector<std::string> names_of_row_readouts();

/// The last row that is not padding.
Index last_visible_row(Index rows, const AttentionMask& mask);

/// Which output of a model is asked for.
struct ModelOutput {
  Index layer;  // 0 ... layers: hidden_states[layer]
  std::shared_ptr<const Readout> readout = readout_named("all");
  Index first_pooled = 0;  // tokens before it are a prompt that pooling leaves out

  bool is_pooled() const { return readout->is_sentence_vector(); }
  bool is_vector() const { return readout->is_vector(); }
  /// The output itself, from the hidden state of the layer, of one text.
  MatrixF read(const Transformer& transformer, ConstMatrixFRef hidden, const AttentionMask& mask = {}) const;
};

}  // namespace wordsway
