// A transformer, encoder or decoder: text as ids in, hidden states out, and the vector-Jacobian product back to the
// embedding. In a decoder a token sees itself and what comes before it: rows before a token do not depend on it.
//
// hidden_states[0] is the embedding output, after its LayerNorm where there is one, hidden_states[l] the output of
// block l, as in Transformers; the last is after the final normalisation where a model has one. All are [n, d],
// float32. Every function takes hidden_states[0] and not ids, so that a token may be moved in embedding space. Results
// have the same bits with any number of threads. Forwards and vjps throw Stopped between layers when their thread is
// asked to stop (core/stop.h).
//
// Forwards take several texts at once: their rows below each other, and AttentionMask::of_texts. A text has the same
// bits alone and among others.
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

/// What a forward leaves for the vjp: about 9·n·d floats per layer for BERT. Reused, it allocates nothing after the
/// first time. Movable.
struct TransformerTrace {
  std::vector<std::unique_ptr<BlockTrace>> blocks;
  Index layers = 0;  // that ran; the rest of `blocks` is left over from another forward
  Index tokens = 0;  // n, of one text
  Index texts = 1;   // below each other: more than 1 after forward_changed_rows alone
  Index first = 0;   // rows before it are not in the trace: forward_changed_row of a decoder does not compute them
  MatrixF output;    // of decoders: hidden_states[layers], [n, d]
  AttentionMask mask;
};

/// Layers and heads that stand side by side.
struct AttentionRange {
  Index first_layer = 1, layers = 1;  // layers count from 1
  Index first_head = 0, heads = 1;
};

/// Immutable; may be used from several threads at once, each with its own traces.
class Transformer {
 public:
  /// A Hugging Face folder: config.json, model.safetensors (or shards with their index), optionally with what
  /// sentence-transformers adds (sentence_folder.h). Or a GGUF file, FILE.gguf, of the architectures llama, qwen2 and
  /// qwen3 (gguf_config.h); of a model in several files any one of them. Throws FileError or DataError naming the file
  /// and the fault.
  static std::unique_ptr<Transformer> load(const std::filesystem::path& folder);
  /// The same, where the second has been read already.
  static std::unique_ptr<Transformer> load(const std::filesystem::path& folder, SentenceFolder sentence);

  /// `files` are those that the parts came from, where they came from any. Throws DataError unless there are as many
  /// blocks as the config says, at least one, and the chain takes what they give.
  Transformer(ModelConfig config, ModelParts parts, SentenceChain chain = {}, std::string name = "model",
              std::vector<SourceFile> files = {});

  const ModelConfig& config() const { return config_; }
  const SentenceChain& sentence_chain() const { return chain_; }
  const std::string& name() const { return name_; }                  // that of the folder, or of the file without .gguf
  Index parameters() const { return parameters_; }                   // numbers in all tensors that were loaded
  double weight_bytes() const { return weight_bytes_; }              // of them in memory
  const std::string& weight_types() const { return weight_types_; }  // as they are stored: "BF16 2.0 GiB, F32 8.0 KiB"

  /// Forwards without a trace, texts that grow, logits, and models as maps (model_map.h) then use this engine, that of
  /// the same model elsewhere. Null: the one here. To be called before the model is shared between threads.
  void use_engine(std::shared_ptr<const DeviceEngine> engine) { engine_ = std::move(engine); }
  /// Null for the one here.
  const DeviceEngine* engine() const { return engine_.get(); }
  /// The weights of block `layer`, counted from 0.
  BlockParts block_parts(Index layer) const { return block(layer).parts(); }

  /// What this model is, by content: the digests of its files, and the method of the engine. The files are read at the
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
  /// The same, leaving a trace.
  MatrixF forward(ConstMatrixFRef x, Index layer, const AttentionMask& mask, TransformerTrace& trace) const;
  /// The same as the last for x that differs in row i alone from the x that `base` was made with (same layer and mask).
  /// A decoder computes the rows from i on alone, in every layer, and leaves a trace of them.
  /// Throws UsageError when there is no row i or `base` has not all rows, DataError when x has another shape than that
  /// of `base`.
  MatrixF forward_changed_row(ConstMatrixFRef x, Index i, const TransformerTrace& base, TransformerTrace& trace) const;
  /// The rows of a text that moving row i may change begin here: in a decoder at i, else at 0.
  Index first_changed_row(Index i) const { return is_decoder() ? i : 0; }
  /// The same for k texts at once, which differ from x, that of `base`, in row i alone and have there these rows, [k,
  /// d]: the rows of their hidden states from m = first_changed_row(i) on below each other, [k·(n − m), d], with the
  /// bits that each would have alone. Leaves no trace where none is given. Throws UsageError also when `base` is of
  /// several texts or hides tokens.
  MatrixF forward_changed_rows(ConstMatrixFRef x, ConstMatrixFRef rows, Index i, const TransformerTrace& base,
                               TransformerTrace* trace) const;

  /// The gradient of ⟨hidden_states[layer], cotangent⟩ by x at the x of the trace, [n, d]; layer is that of the trace.
  /// Throws DataError when the cotangent has another shape, UsageError when the trace has not all rows.
  MatrixF vjp(const TransformerTrace& trace, ConstMatrixFRef cotangent) const;
  /// Its row i alone, [d]. Throws UsageError when there is no such row, in the text or in the trace.
  RowF vjp_row(const TransformerTrace& trace, ConstMatrixFRef cotangent, Index i) const;
  /// The same after forward_changed_rows for each of its texts: [k, d] from the cotangents of the rows that it gave.
  MatrixF vjp_changed_rows(const TransformerTrace& trace, ConstMatrixFRef cotangent, Index i) const;

  /// Attention probabilities of block `layer` in 1 ... layers and a head in 0 ... heads − 1, [n, n]: row j says where
  /// token j looks. Throws UsageError on another layer or head.
  MatrixF attention(ConstMatrixFRef x, Index layer, Index head, const AttentionMask& mask = {}) const;

  /// Throws UsageError when one of these layers and heads does not exist.
  void check_attention(const AttentionRange& range) const;
  /// The same of all these layers and heads, from one forward: calls visit(layer, heads) with the heads of one layer
  /// after the other. Throws what check_attention throws, before anything is computed.
  using VisitAttention = std::function<void(Index layer, const std::vector<MatrixF>& heads)>;
  void for_each_attention(ConstMatrixFRef x, const AttentionRange& range, const VisitAttention& visit,
                          const AttentionMask& mask = {}) const;

  /// The mean over all heads, from one forward. Throws UsageError on another layer.
  Matrix mean_attention(ConstMatrixFRef x, Index layer, const AttentionMask& mask = {}) const;

  /// How the first block's scores of all queries on one token move with that token's row: [heads·n, d], row h·n + j for
  /// query j in head h (j not the token itself); zero where query j does not see the token. Throws UsageError when
  /// there is no such token.
  MatrixF score_gradients(ConstMatrixFRef x, Index token) const;

  /// Whether a token sees itself and what comes before it alone.
  bool is_decoder() const { return config_.causal; }

  /// A cache of no tokens for extend().
  KeyValueCache make_cache() const;
  /// Appends tokens to the text in the cache, a whole prompt or one token; gives their rows of the last hidden state,
  /// [m, d], as a forward over the whole text would up to rounding. A token costs its row in every layer and a look at
  /// the keys it sees. Throws DataError when the model is no decoder, on ids it does not know, and when the text gets
  /// longer than its positions; UsageError when the cache is of another model. The cache is then what it was before.
  MatrixF extend(std::span<const int> ids, KeyValueCache& cache) const;
  /// The same for rows of the embedding, [m, d], at these positions.
  MatrixF extend(ConstMatrixFRef x, KeyValueCache& cache) const;

  /// Whether the folder came with a head that predicts the next word, as those of decoders do.
  bool predicts_next_word() const { return parts_.next_word_head.has_value(); }
  /// The table of that head, [V, d]; null without one.
  const PackedWeights* next_word_table() const;
  /// Of the word after each of these tokens: [rows, V] from rows of the last hidden state, [rows, d]. Throws DataError
  /// without such a head.
  MatrixF logits(ConstMatrixFRef hidden) const;
  /// The cotangent of these rows, [rows, d], from that of the logits, [rows, V].
  MatrixF logits_vjp(ConstMatrixFRef cotangent) const;

  /// Whether the folder came with a head that predicts masked words.
  bool predicts_words() const { return parts_.word_head.has_value(); }
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
