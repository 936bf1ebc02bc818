#!/usr/bin/env python3
"""Writes a Llama with random weights, as a folder or as a GGUF file.

    write_model.py OUT --type f32|f16|bf16|q8_0|q4_0 [--gguf] [--size mini|small|tiny-llama]

mini: 0.04 billion parameters (d = 512, 8 layers, embeddings tied). small: 0.34 billion (d = 1024, 24 layers, tied).
tiny-llama: 1.1 billion, of TinyLlama's shape. OUT is a folder without a tokenizer, or with --gguf a file with a
vocabulary of made-up words; quantised types need --gguf. Needs numpy, with --gguf also the package gguf. One tensor is
in memory at a time, with --gguf all.
"""
import argparse
import json
import pathlib
import zlib

import numpy as np

SIZES = {
    "mini": dict(hidden_size=512, num_hidden_layers=8, num_attention_heads=8, num_key_value_heads=8,
                 intermediate_size=1408, tie_word_embeddings=True),
    "small": dict(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, num_key_value_heads=16,
                  intermediate_size=2816, tie_word_embeddings=True),
    "tiny-llama": dict(hidden_size=2048, num_hidden_layers=22, num_attention_heads=32, num_key_value_heads=4,
                       intermediate_size=5632, tie_word_embeddings=False),
}
COMMON = dict(architectures=["LlamaForCausalLM"], model_type="llama", vocab_size=32000, max_position_embeddings=2048,
              rms_norm_eps=1e-5, rope_theta=10000.0, hidden_act="silu", bos_token_id=1, eos_token_id=2)


def shapes(config):
    d, f = config["hidden_size"], config["intermediate_size"]
    keys = d // config["num_attention_heads"] * config["num_key_value_heads"]
    yield "model.embed_tokens.weight", "token_embd.weight", (config["vocab_size"], d)
    for layer in range(config["num_hidden_layers"]):
        theirs, ggml = f"model.layers.{layer}.", f"blk.{layer}."
        yield theirs + "input_layernorm.weight", ggml + "attn_norm.weight", (d,)
        for name, short, rows in (("q", "q", d), ("k", "k", keys), ("v", "v", keys)):
            yield f"{theirs}self_attn.{name}_proj.weight", f"{ggml}attn_{short}.weight", (rows, d)
        yield theirs + "self_attn.o_proj.weight", ggml + "attn_output.weight", (d, d)
        yield theirs + "post_attention_layernorm.weight", ggml + "ffn_norm.weight", (d,)
        yield theirs + "mlp.gate_proj.weight", ggml + "ffn_gate.weight", (f, d)
        yield theirs + "mlp.up_proj.weight", ggml + "ffn_up.weight", (f, d)
        yield theirs + "mlp.down_proj.weight", ggml + "ffn_down.weight", (d, f)
    yield "model.norm.weight", "output_norm.weight", (d,)
    if not config["tie_word_embeddings"]:
        yield "lm_head.weight", "output.weight", (config["vocab_size"], d)


def values(name, shape):
    if len(shape) == 1:
        return np.ones(shape, np.float32)
    generator = np.random.default_rng(zlib.crc32(name.encode()))
    return generator.standard_normal(shape, np.float32) / np.float32(np.sqrt(shape[1]))


def as_type(array, kind):
    """The bytes of an array, and their type as safetensors calls it."""
    if kind == "f32":
        return array.tobytes(), "F32"
    if kind == "f16":
        return array.astype(np.float16).tobytes(), "F16"
    bits = array.view(np.uint32)
    return ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16).astype(np.uint16).tobytes(), "BF16"


def write_folder(out, config, kind):
    out.mkdir(parents=True, exist_ok=True)
    names = {"f32": "float32", "f16": "float16", "bf16": "bfloat16"}
    (out / "config.json").write_text(json.dumps({**COMMON, **config, "dtype": names[kind]}, indent=1))
    size = 4 if kind == "f32" else 2
    header, end = {}, 0
    for name, _, shape in shapes({**COMMON, **config}):
        begin, end = end, end + int(np.prod(shape)) * size
        header[name] = {"dtype": kind.upper(), "shape": list(shape), "data_offsets": [begin, end]}
    text = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    text += b" " * (-len(text) % 8)
    with open(out / "model.safetensors", "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for name, _, shape in shapes({**COMMON, **config}):
            file.write(as_type(values(name, shape), kind)[0])


def write_gguf(out, config, kind):
    import gguf

    config = {**COMMON, **config}
    writer = gguf.GGUFWriter(str(out), "llama")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_dimension_count(config["hidden_size"] // config["num_attention_heads"])
    writer.add_rope_freq_base(config["rope_theta"])
    count = config["vocab_size"]
    special = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(special + [f"\u2581word{k}" for k in range(count - len(special))])
    writer.add_token_scores([-float(k) for k in range(count)])
    writer.add_token_types([2, 3, 3] + [6] * 256 + [1] * (count - len(special)))
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    for name, ggml, shape in shapes(config):
        array = values(name, shape)
        wanted = gguf.GGMLQuantizationType["F32" if len(shape) == 1 else kind.upper()]
        writer.add_tensor(ggml, gguf.quants.quantize(array, wanted), raw_dtype=wanted)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--type", choices=["f32", "f16", "bf16", "q8_0", "q4_0"], default="f32")
    parser.add_argument("--size", choices=list(SIZES), default="small")
    parser.add_argument("--gguf", action="store_true")
    options = parser.parse_args()
    if options.type.startswith("q") and not options.gguf:
        parser.error(f"a folder has no {options.type}: add --gguf")
    (write_gguf if options.gguf else write_folder)(options.out, SIZES[options.size], options.type)


if __name__ == "__main__":
    main()
