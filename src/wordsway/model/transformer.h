// A transformer, encoder or decoder: text as ids in, hidden states out, and the vector-Jacobian product back to the
// embedding. In a decoder a token sees itself and what comes before it: rows before a token do not depend on it.
//
// hidden_states[0] is the embedding output, after its LayerNorm where there is one, hidden_states[l] the output of
// block l, as in Transformers; the last is after the final normalisation where a model has one. All are [n, d],
// float32. Functions take hidden_states[0] instead of ids, so that a token can be moved in embedding space. Results
// have the same bits with any number of threads. Forward passes and vjps throw Stopped between layers when their thread
// is asked to stop (core/stop.h).
//
// A forward pass takes several texts at once: their rows below each other, and AttentionMask::of_texts. A text has the
// same bits alone and among others.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "wordsway/model/architecture_registry.h"
#include "wordsway/model/device_engine.h"
#include "wordsway/model/sentence_folder.h"

namespace wordsway {

/// What a forward pass keeps for the vjp: about 9·n·d floats per layer for BERT. A trace that is reused allocates
/// memory only the first time. Movable.
struct TransformerTrace {
  std::vector<std::unique_ptr<BlockTrace>> blocks;
  Index layers = 0;  // that ran; the other `blocks` are left over from another forward pass
  Index tokens = 0;  // n, of one text
  Index texts = 1;   // below each other; more than 1 only after forward_changed_rows
  Index first = 0;   // the first row of the trace: forward_changed_row of a decoder does not compute those before it
  MatrixF output;    // hidden_states[layers], [n, d], of decoders
  AttentionMask mask;
};

/// Consecutive layers and heads.
struct AttentionRange {
  Index first_layer = 1, layers = 1;  // layers count from 1
  Index first_head = 0, heads = 1;
};

/// Immutable; may be used from several threads at once, each with its own traces.
class Transformer {
 public:
  /// A Hugging Face folder: config.json, model.safetensors (or shards with their index), optionally with what
  /// sentence-transformers adds (sentence_folder.h). Or a GGUF file, FILE.gguf, of an architecture that is read from
  /// them (gguf_config.h); any file of a model in several. Throws FileError or DataError naming the file and the fault.
  static std::unique_ptr<Transformer> load(const std::filesystem::path& folder);
  /// Loads a folder whose sentence-transformers files have been read already.
  static std::unique_ptr<Transformer> load(const std::filesystem::path& folder, SentenceFolder sentence);

  /// `files` are those that the parts were read from, if any. Throws DataError unless there are as many blocks as the
  /// config says, at least one, and the chain takes their output.
  Transformer(ModelConfig config, ModelParts parts, SentenceChain chain = {}, std::string name = "model",
              std::vector<SourceFile> files = {});

  const ModelConfig& config() const { return config_; }
  const SentenceChain& sentence_chain() const { return chain_; }
  const std::string& name() const { return name_; }                  // that of the folder, or of the file without .gguf
  Index parameters() const { return parameters_; }                   // numbers in all loaded tensors
  double weight_bytes() const { return weight_bytes_; }              // their bytes in memory
  const std::string& weight_types() const { return weight_types_; }  // as they are stored: "BF16 2.0 GiB, F32 8.0 KiB"

  /// Makes forward passes without a trace, growing texts, logits, and models as maps (model_map.h) use this engine,
  /// which has the same model on a device. Null: the CPU. Call it before the model is shared between threads.
  void use_engine(std::shared_ptr<const DeviceEngine> engine) { engine_ = std::move(engine); }
  /// Null if the model runs on the CPU.
  const DeviceEngine* engine() const { return engine_.get(); }
  /// The weights of block `layer`, counted from 0.
  BlockParts block_parts(Index layer) const { return block(layer).parts(); }

  /// Identifies the model by content: the digests of its files, and the method of the engine. The files are read at the
  /// first call. Throws UsageError when the model did not come from files, FileError when one has changed since.
  Record content() const;

  /// hidden_states[0]. Token types default to 0. Throws DataError on ids the model does not know or too many of them.
  MatrixF embed(std::span<const int> ids, std::span<const int> token_types = {}) const;

  /// Row j of embed() for texts that have each of these ids there: [ids, d]. Throws DataError as embed() does.
  MatrixF embed_at_row(std::span<const int> ids, Index j) const;

  /// hidden_states[0 ... layers].
  std::vector<MatrixF> hidden_states(ConstMatrixFRef x, const AttentionMask& mask = {}) const;
  /// hidden_states[layer], layer in 0 ... layers. Throws UsageError on another.
  MatrixF forward(ConstMatrixFRef x, Index layer, const AttentionMask& mask = {}) const;
  /// Computes hidden_states[layer] on the CPU and keeps a trace for vjp().
  MatrixF forward(ConstMatrixFRef x, Index layer, const AttentionMask& mask, TransformerTrace& trace) const;
  /// Does that for an x that differs only in row i from the x of `base`, for the same layer and mask. A decoder
  /// computes only the rows from i on, in every layer, and leaves a trace of them. Throws UsageError when there is no
  /// row i or `base` does not have all rows, DataError when x has another shape than that of `base`.
  MatrixF forward_changed_row(ConstMatrixFRef x, Index i, const TransformerTrace& base, TransformerTrace& trace) const;
  /// The first row that moving row i may change: i in a decoder, else 0.
  Index first_changed_row(Index i) const { return is_decoder() ? i : 0; }
  /// Computes k texts at once, which differ from the x of `base` only in row i, where they have these rows, [k, d].
  /// Returns the rows of their hidden states from m = first_changed_row(i) on, below each other: [k·(n − m), d], with
  /// the bits that each would have alone. Keeps no trace if none is given. Throws what forward_changed_row throws, and
  /// UsageError when `base` has several texts or hides tokens.
  MatrixF forward_changed_rows(ConstMatrixFRef x, ConstMatrixFRef rows, Index i, const TransformerTrace& base,
                               TransformerTrace* trace) const;

  /// The gradient of ⟨hidden_states[layer], cotangent⟩ with respect to x, at the x and the layer of the trace, [n, d].
  /// Throws DataError when the cotangent has another shape, UsageError when the trace does not have all rows.
  MatrixF vjp(const TransformerTrace& trace, ConstMatrixFRef cotangent) const;
  /// Row i of that gradient, [d]. Throws UsageError when there is no such row in the text or in the trace.
  RowF vjp_row(const TransformerTrace& trace, ConstMatrixFRef cotangent, Index i) const;
  /// That row for each text of forward_changed_rows: [k, d] from the cotangents of the rows that it returned.
  MatrixF vjp_changed_rows(const TransformerTrace& trace, ConstMatrixFRef cotangent, Index i) const;

  /// Attention probabilities of block `layer` in 1 ... layers and a head in 0 ... heads − 1, [n, n]: row j says where
  /// token j looks. Throws UsageError for another layer or head.
  MatrixF attention(ConstMatrixFRef x, Index layer, Index head, const AttentionMask& mask = {}) const;

  /// Throws UsageError when one of these layers and heads does not exist.
  void check_attention(const AttentionRange& range) const;
  /// Computes the attention of all these layers and heads in one forward pass: calls visit(layer, heads) for one layer
  /// after the other. Throws what check_attention throws, before anything is computed.
  using VisitAttention = std::function<void(Index layer, const std::vector<MatrixF>& heads)>;
  void for_each_attention(ConstMatrixFRef x, const AttentionRange& range, const VisitAttention& visit,
                          const AttentionMask& mask = {}) const;

  /// The mean over all heads, from one forward pass. Throws UsageError for another layer.
  Matrix mean_attention(ConstMatrixFRef x, Index layer, const AttentionMask& mask = {}) const;

  /// The gradients of the first block's scores of all queries on one token with respect to that token's row: [heads·n,
  /// d], row h·n + j for query j in head h (j not the token itself); zero where query j does not see the token. Throws
  /// UsageError when there is no such token.
  MatrixF score_gradients(ConstMatrixFRef x, Index token) const;

  /// Whether a token sees only itself and the tokens before it.
  bool is_decoder() const { return config_.causal; }

  /// An empty cache for extend().
  KeyValueCache make_cache() const;
  /// Appends tokens to the text in the cache, a whole prompt or one token; returns their rows of the last hidden state,
  /// [m, d], as a forward pass over the whole text would, up to rounding. A token costs one row in every layer and its
  /// attention to the cached keys. Throws DataError when the model is not a decoder, for unknown ids, and when the text
  /// gets longer than its positions; UsageError when the cache is of another model. The cache is then unchanged.
  MatrixF extend(std::span<const int> ids, KeyValueCache& cache) const;
  /// Appends rows of the embedding, [m, d], that have these positions already.
  MatrixF extend(ConstMatrixFRef x, KeyValueCache& cache) const;

  /// Whether the folder came with a head that predicts the next word, as those of decoders do.
  bool predicts_next_word() const { return parts_.next_word_head.has_value(); }
  /// The table of that head, [V, d]; null without one.
  const PackedWeights* next_word_table() const;
  /// Logits of the word after each of these tokens: [rows, V] from rows of the last hidden state, [rows, d]. Throws
  /// DataError without such a head.
  MatrixF logits(ConstMatrixFRef hidden) const;
  /// The cotangent of these rows, [rows, d], from that of the logits, [rows, V].
  MatrixF logits_vjp(ConstMatrixFRef cotangent) const;

  /// Whether the folder came with a head that predicts masked words.
  bool predicts_words() const { return parts_.masked_word_head.has_value(); }
  /// [n, V] from the last hidden state, [n, d]. Throws DataError without such a head.
  MatrixF word_logits(ConstMatrixFRef hidden) const;

 private:
  static std::unique_ptr<Transformer> load_gguf(const std::filesystem::path& path);
  static std::unique_ptr<Transformer> build(const ConfigFile& file, const ModelConfig& config, const Weights& weights,
                                            SentenceChain chain, std::string name, std::vector<SourceFile> files);
  void check(ConstMatrixFRef x, Index layer, const AttentionMask& mask) const;
  void check_extension(Index count, const KeyValueCache& cache) const;
  void check_cotangent(ConstMatrixFRef cotangent, Index rows) const;
  void check_changed(ConstMatrixFRef x, Index i, const TransformerTrace& base) const;
  MatrixF forward_from(MatrixF state, Index texts, Index first, const TransformerTrace& base,
                       TransformerTrace* trace) const;
  template <typename Step>
  MatrixF run_layers(MatrixF x, Index layers, Step step) const;
  MatrixF vjp_layers(const TransformerTrace& trace, MatrixF cotangent, Index first) const;
  std::unique_ptr<BlockTrace> make_scratch() const;
  void prepare(TransformerTrace& trace, Index tokens, Index layer, const AttentionMask& mask) const;
  const Block& block(Index layer) const { return *parts_.blocks[static_cast<size_t>(layer)]; }

  const DeviceEngine* engine_for(const AttentionMask& mask) const;

  ModelConfig config_;
  ModelParts parts_;
  std::shared_ptr<const DeviceEngine> engine_;
  SentenceChain chain_;
  std::string name_;
  FileContent files_;
  Index parameters_ = 0;
  double weight_bytes_ = 0;
  std::string weight_types_ = "F32";
};

}  // namespace wordsway
