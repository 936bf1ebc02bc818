"""The network: Transformers' LlamaForCausalLM, run over packed documents of different lengths without padding.

A batch is one row of T tokens: documents one after another, bounds[k] ... bounds[k + 1] the k-th. Attention stays
inside a document and looks back only, positions restart at each, so the result is Llama's own (test_forward.py
compares them).
"""
import inspect

import torch
import torch.nn.functional as F
import transformers

from training.decoder import packing

try:
    from torch.nn.attention.varlen import varlen_attn
    # PyTorch 2.10 says is_causal, later versions a window that ends at the token itself.
    CAUSAL = ({"is_causal": True} if "is_causal" in inspect.signature(varlen_attn).parameters
              else {"window_size": (-1, 0)})
except ImportError:  # older than PyTorch 2.10: a processor still works
    varlen_attn = None


def make_llama(vocabulary=8192, hidden=256, layers=6, heads=8, kv_heads=4, inner=512):
    config = transformers.LlamaConfig(
        vocab_size=vocabulary, hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=heads,
        num_key_value_heads=kv_heads, intermediate_size=inner, max_position_embeddings=packing.LONGEST,
        rms_norm_eps=1e-5, tie_word_embeddings=True, bos_token_id=packing.BEGIN, eos_token_id=packing.END,
        pad_token_id=None, rope_parameters={"rope_type": "default", "rope_theta": 10000.0})
    return transformers.LlamaForCausalLM(config)


def attention_in_documents(query, key, value, bounds, document):
    """softmax(q k / sqrt(width)) v over a document's tokens up to this one. [T, heads, width] each."""
    if query.is_cuda:
        return varlen_attn(query, key, value, bounds, bounds, packing.LONGEST, packing.LONGEST, **CAUSAL)
    mask = (document[:, None] == document[None, :]).tril()  # slow and plain: for tests on a processor
    q, k, v = (x.transpose(0, 1) for x in (query, key, value))
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(0, 1)


def rotated(x, cos, sin):
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-second, first), dim=-1) * sin


def hidden_states(llama, batch, half=torch.bfloat16):
    """[T, hidden] after the last norm. On the GPU activations are kept in `half`; sums and norms are in float32."""
    config = llama.config
    heads, groups = config.num_attention_heads, config.num_attention_heads // config.num_key_value_heads
    width = config.hidden_size // heads

    def stored(x):
        return x.to(half) if x.is_cuda else x

    def norm(part, x):
        return stored(F.rms_norm(x.float(), (config.hidden_size,), part.weight.float(), config.rms_norm_eps))

    angle = batch.place[:, None].float() * llama.rotary_emb.inv_freq.float()
    angle = torch.cat((angle, angle), dim=-1)[:, None, :]
    cos, sin = angle.cos(), angle.sin()
    x = stored(llama.embed_tokens(batch.tokens))
    for layer in llama.layers:
        part = layer.self_attn
        y = norm(layer.input_layernorm, x)
        q, k, v = (project(y).unflatten(-1, (-1, width)) for project in (part.q_proj, part.k_proj, part.v_proj))
        q, k = stored(rotated(q.float(), cos, sin)), stored(rotated(k.float(), cos, sin))
        k, v = k.repeat_interleave(groups, dim=1), stored(v).repeat_interleave(groups, dim=1)
        x = stored(x + part.o_proj(attention_in_documents(q, k, v, batch.bounds, batch.document).flatten(-2)))
        y = norm(layer.post_attention_layernorm, x)
        x = stored(x + layer.mlp.down_proj(F.silu(layer.mlp.gate_proj(y)) * layer.mlp.up_proj(y)))
    return norm(llama.norm, x)


def word_logits(model, states):
    return F.linear(states, model.model.embed_tokens.weight)
