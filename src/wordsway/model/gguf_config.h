// The settings of a model in a GGUF file in the form of config.json, so that architectures read both alike and the same
// code checks them. Keys of GGUF begin with the name of the architecture; messages use these names. The table below is
// that of Llama's family (llama_parts.cpp): an architecture's entry has its own (gguf_names.h).
//
//   vocab_size               rows of token_embd.weight          rope_theta       {arch}.rope.freq_base
//   hidden_size              {arch}.embedding_length            rope_scaling     {arch}.rope.scaling.type and .factor
//   num_hidden_layers        {arch}.block_count                 sliding_window   {arch}.attention.sliding_window
//   intermediate_size        {arch}.feed_forward_length         rms_norm_eps {arch}.attention.layer_norm_rms_epsilon
//   num_attention_heads      {arch}.attention.head_count        tie_word_embeddings   there is no output.weight
//   num_key_value_heads      {arch}.attention.head_count_kv     attention_bias   there is blk.0.attn_q.bias
//   head_dim                 {arch}.attention.key_length        mlp_bias         there is blk.0.ffn_gate.bias
//   max_position_embeddings  {arch}.context_length
//
// Mistral is llama in GGUF; with a window it is read as Mistral. The scaling of Llama 3 is a tensor, rope_freqs.weight.
#pragma once

#include "wordsway/io/gguf_set.h"
#include "wordsway/model/config_file.h"

namespace wordsway {

/// Throws DataError naming file and key on an architecture that no entry reads, on a value of another type, and on what
/// the engine does not support: experts, rotations of a part of the columns, values of another width than keys,
/// attention to later tokens. Everything else is checked by the reader of the result.
ConfigFile read_gguf_config(const GgufSet& set);

}  // namespace wordsway
