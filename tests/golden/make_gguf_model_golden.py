#!/usr/bin/env python3
"""Small models in GGUF files, and what Transformers computes from the same weights after dequantisation.

    PYTHONPATH=VENV_WITH_GGUF/lib/python3.11/site-packages VENV/bin/python tests/golden/make_gguf_model_golden.py

Made with gguf 0.19.0, torch 2.13.0, transformers 5.22.2, tokenizers 0.23.3, into tests/golden/gguf/models/:
    NAME.gguf          a model with random weights and its tokenizer, as llama.cpp's converter writes them: rows of
                       queries and keys of the architecture llama permuted, the scaling of Llama 3 as rope_freqs.weight
    split-0000N-of-00003.gguf   the model of qwen2.gguf in several files
    NAME.safetensors   what make_model_golden.py writes for a folder; the ids are those of TEXT by the Python library

The package has no code to quantise to Q4_K, Q5_K and Q6_K: such tensors are random blocks with scales that give weights
of the usual size.
"""
import json
import math
import pathlib

import gguf
import numpy as np
import torch
import transformers
from gguf import GGMLQuantizationType as Type
from gguf import TokenType
from make_model_golden import expected_values, shake
from safetensors.torch import save_file
from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).resolve().parent / "gguf" / "models"
TEXT = "the cat sat, 12!"
MARK, SPACE = "\u2581", "\u0120"
WORDS = ["th", "the", "at", "an", "and", "en"]
PARTS = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
         "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm",
         "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate",
         "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"}
WHOLE = {"model.embed_tokens.weight": "token_embd.weight", "model.norm.weight": "output_norm.weight",
         "lm_head.weight": "output.weight"}
SIZES = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=32,
             max_position_embeddings=64)
LLAMA3_ROPE = dict(rope_type="llama3", rope_theta=100.0, factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0,
                   original_max_position_embeddings=48)


# --------------------------------------------------------------------------------------------------------- tokenizers

def byte_level_tokenizer(writer, pre, pattern_digits, bos):
    """Letters of the text, a few merges; <|end|> special, and the pieces that fill the vocabulary up."""
    letters = [SPACE] + list("abcdefghijklmnopqrstuvwxyz,.!0123456789")
    tokens = letters + WORDS + [SPACE + "the", SPACE + "c"] + ["<|end|>"]
    merges = ["t h", "th e", "a t", "a n", "an d", "e n", f"{SPACE} the", f"{SPACE} c"]
    types = [TokenType.NORMAL] * (len(tokens) - 1) + [TokenType.CONTROL]
    end = len(tokens) - 1
    padded = [f"[PAD{id}]" for id in range(len(tokens), 64)]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens + padded)
    writer.add_token_types(types + [TokenType.UNUSED] * len(padded))
    writer.add_token_merges(merges)
    writer.add_bos_token_id(end)
    writer.add_eos_token_id(end)
    writer.add_add_bos_token(bos)
    split = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|" + pattern_digits +
             r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
    saved = {"version": "1.0", "added_tokens": [], "model": {
        "type": "BPE", "vocab": {token: id for id, token in enumerate(tokens)}, "merges": merges},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": split}, "behavior": "Isolated", "invert": False},
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}]}}
    return ([end] if bos else []) + Tokenizer.from_str(json.dumps(saved)).encode(TEXT).ids


def sentencepiece_tokenizer(writer):
    tokens = ["<unk>", "<s>", "</s>", "<0x21>"] + WORDS + [MARK + "the", MARK + "c", MARK]
    tokens += list("abcdefghijklmnopqrstuvwxyz,.12")
    types = [TokenType.UNKNOWN, TokenType.CONTROL, TokenType.CONTROL, TokenType.BYTE]
    types += [TokenType.NORMAL] * (len(tokens) - 4)
    padded = 64 - len(tokens)
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens + [f"[PAD{i}]" for i in range(padded)])
    writer.add_token_scores([0.0] * 4 + [-float(i) for i in range(len(tokens) - 4)] + [-10000.0] * padded)
    writer.add_token_types(types + [TokenType.UNUSED] * padded)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    merges = [["t", "h"], ["th", "e"], ["a", "t"], ["a", "n"], ["an", "d"], ["e", "n"], [MARK, "the"], [MARK, "c"]]
    saved = {"version": "1.0", "added_tokens": [], "model": {
        "type": "BPE", "vocab": {token: id for id, token in enumerate(tokens)}, "merges": merges, "unk_token": "<unk>",
        "fuse_unk": True, "byte_fallback": True}, "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": MARK}, {"type": "Replace", "pattern": {"String": " "}, "content": MARK}]}}
    return [1] + Tokenizer.from_str(json.dumps(saved)).encode(TEXT).ids


def llama3_tokenizer(writer):
    return byte_level_tokenizer(writer, "llama-bpe", r"\p{N}{1,3}", True)


def qwen2_tokenizer(writer):
    return byte_level_tokenizer(writer, "qwen2", r"\p{N}", False)


# ------------------------------------------------------------------------------------------------------------ weights

def gguf_name(name):
    if name in WHOLE:
        return WHOLE[name]
    _, _, layer, rest = name.split(".", 3)
    part, kind = rest.rsplit(".", 1)
    return f"blk.{layer}.{PARTS[part]}.{kind}"


def permuted(values, heads):
    """As convert_hf_to_gguf.py has it: halves of a head become neighbours."""
    return values.reshape(heads, 2, values.shape[0] // heads // 2, *values.shape[1:]).swapaxes(1, 2).reshape(values.shape)


def unpermuted(values, heads):
    return values.reshape(heads, values.shape[0] // heads // 2, 2, *values.shape[1:]).swapaxes(1, 2).reshape(values.shape)


def random_blocks(random, kind, rows, columns):
    """Weights of mean about 0 and deviation about 0.06."""
    block_values, block_bytes = gguf.GGML_QUANT_SIZES[kind]
    blocks = random.integers(0, 256, (rows * columns // block_values, block_bytes), dtype=np.uint8)
    places = {Type.Q4_K: [(0, 2.5e-4), (2, 7.5 * 2.5e-4)], Type.Q5_K: [(0, 1.2e-4), (2, 15.5 * 1.2e-4)],
              Type.Q6_K: [(208, 4.5e-5)]}[kind]
    size = random.uniform(0.5, 1.5, len(blocks))
    for place, scale in places:
        blocks[:, place:place + 2] = (scale * size).astype(np.float16).view(np.uint8).reshape(-1, 2)
    return blocks.reshape(rows, -1)


def store(writer, name, values, kind, random):
    """Writes a tensor and gives it back as it can be read."""
    if kind in (Type.Q4_K, Type.Q5_K, Type.Q6_K):
        data = random_blocks(random, kind, *values.shape)
    else:
        data = gguf.quants.quantize(values, kind)
    writer.add_tensor(name, data, raw_dtype=kind)
    return np.ascontiguousarray(gguf.quants.dequantize(data, kind)).reshape(values.shape)


def store_all(writer, model, architecture, kind_of, random):
    config = model.config
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads} if architecture == "llama" else {}
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            target = gguf_name(name)
            values = parameter.numpy().astype(np.float32)
            turns = heads.get(target.split(".")[-2])
            kind = Type.F32 if values.ndim == 1 else kind_of(target)
            stored = store(writer, target, permuted(values, turns) if turns else values, kind, random)
            parameter.copy_(torch.from_numpy(np.ascontiguousarray(unpermuted(stored, turns) if turns else stored)))


def rope_divisors(config):
    """As convert_hf_to_gguf.py computes them for Llama 3."""
    rope, width = config.rope_parameters, config.head_dim
    old, low, high, factor = (rope[key] for key in ("original_max_position_embeddings", "low_freq_factor",
                                                    "high_freq_factor", "factor"))
    divisors = []
    for i in range(0, width, 2):
        wavelength = 2 * math.pi * rope["rope_theta"] ** (i / width)
        if wavelength < old / high:
            divisors.append(1)
        elif wavelength > old / low:
            divisors.append(factor)
        else:
            smooth = (old / wavelength - low) / (high - low)
            divisors.append(1 / ((1 - smooth) / factor + smooth))
    return np.array(divisors, dtype=np.float32)


# ------------------------------------------------------------------------------------------------------------- models

def add_settings(writer, config):
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    writer.add_rope_dimension_count(width)
    if width != config.hidden_size // config.num_attention_heads:
        writer.add_key_length(width)
        writer.add_value_length(width)
    if config.rope_parameters["rope_type"] == "linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(config.rope_parameters["factor"])
    if config.model_type == "mistral":
        writer.add_sliding_window(config.sliding_window)


def write_gguf(name, architecture, model, tokenizer, kind_of, seed, most_tensors=0):
    """Gives the ids of the text; the model's weights are those of the file then."""
    shake(model, seed)
    writer = gguf.GGUFWriter(HERE / f"{name}.gguf", architecture, split_max_tensors=most_tensors)
    add_settings(writer, model.config)
    ids = torch.tensor(tokenizer(writer))
    if model.config.rope_parameters["rope_type"] == "llama3":
        writer.add_tensor("rope_freqs.weight", rope_divisors(model.config))
    store_all(writer, model, architecture, kind_of if callable(kind_of) else lambda _: kind_of,
              np.random.default_rng(seed))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return ids


def write(name, architecture, model, tokenizer, kind_of, seed):
    ids = write_gguf(name, architecture, model, tokenizer, kind_of, seed)
    model = model.eval()
    model.set_attn_implementation("eager")
    save_file(expected_values(model, ids, torch.ones_like(ids)), HERE / f"{name}.safetensors")
    print(name, ids.tolist(), [(HERE / f"{name}{ending}").stat().st_size for ending in (".gguf", ".safetensors")])


def mixed(name):
    """Several types in one product: queries, keys and values, gate and values."""
    kinds = {"token_embd": Type.Q4_K, "output": Type.Q6_K, "attn_q": Type.Q4_K, "attn_k": Type.Q5_K, "attn_v": Type.Q6_K,
             "attn_output": Type.Q8_0, "ffn_gate": Type.Q5_K, "ffn_up": Type.Q6_K, "ffn_down": Type.Q4_0}
    return kinds[name.split(".")[-2]]


def make(kind, **changes):
    config = getattr(transformers, f"{kind}Config")(**{**SIZES, "vocab_size": 64, **changes})
    return getattr(transformers, f"{kind}ForCausalLM")(config)


def main():
    torch.set_num_threads(1)
    HERE.mkdir(parents=True, exist_ok=True)
    write("llama3", "llama", make("Llama", rope_parameters=LLAMA3_ROPE), llama3_tokenizer, Type.F16, 31)
    write("llama2", "llama", make(
        "Llama", hidden_size=64, num_key_value_heads=1, num_hidden_layers=1, attention_bias=True, mlp_bias=True,
        tie_word_embeddings=True, rope_parameters=dict(rope_type="linear", rope_theta=200.0, factor=3.0)),
        sentencepiece_tokenizer, Type.Q8_0, 32)
    write("mistral", "llama", make("Mistral", num_hidden_layers=1, tie_word_embeddings=True, sliding_window=5,
                                   rms_norm_eps=1e-5), sentencepiece_tokenizer, Type.F32, 33)
    qwen2 = dict(num_hidden_layers=1, tie_word_embeddings=True)
    write("qwen2", "qwen2", make("Qwen2", **qwen2), qwen2_tokenizer, Type.BF16, 34)
    write_gguf("split", "qwen2", make("Qwen2", **qwen2), qwen2_tokenizer, Type.BF16, 34, most_tensors=5)
    write("qwen3", "qwen3", make("Qwen3", hidden_size=64, head_dim=24), qwen2_tokenizer, Type.Q4_0, 35)
    write("mixed", "llama", make("Llama", hidden_size=256, num_hidden_layers=1, head_dim=8), llama3_tokenizer, mixed, 36)


if __name__ == "__main__":
    main()
