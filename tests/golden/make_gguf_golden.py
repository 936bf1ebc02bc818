#!/usr/bin/env python3
"""A small GGUF file with a tensor of every type that wordsway reads, and what the package gguf makes of it.

    python tests/golden/make_gguf_golden.py      into tests/golden/gguf/

Made with gguf 0.19.0, numpy 2.4.6, safetensors 0.8.0.
    types.gguf            metadata of all value types, and tensors named by their types: (3, 512), and one of three
                          extents. F16, BF16, Q8_0 and Q4_0 are quantised by the package from Gaussian values. It has
                          no code for Q4_K, Q5_K and Q6_K: these are random bytes with scales that are sane f16 values.
    expected.safetensors  the same tensors in float32, as gguf.quants.dequantize gives them.
"""
import pathlib

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf import GGUFValueType as Value
from safetensors.numpy import save_file

HERE = pathlib.Path(__file__).resolve().parent / "gguf"
ROWS, COLUMNS = 3, 512
F16_SCALES = {Type.Q4_K: [0, 2], Type.Q5_K: [0, 2], Type.Q6_K: [208]}  # where they lie in a block


def gaussian(random, *shape):
    values = random.standard_normal(shape).astype(np.float32)
    values.flat[:4] = [0, -0.0, 60000, 1e-6]
    return values


def random_blocks(random, kind, rows, columns):
    block_values, block_bytes = gguf.GGML_QUANT_SIZES[kind]
    blocks = random.integers(0, 256, (rows * columns // block_values, block_bytes), dtype=np.uint8)
    for place in F16_SCALES[kind]:
        scales = random.standard_normal(len(blocks)).astype(np.float16) / 16
        scales[:3] = [0, 2**-24, -65504]  # no scale, the least, and the largest
        blocks[:, place:place + 2] = scales.view(np.uint8).reshape(-1, 2)
    return blocks.reshape(rows, -1)


def add_metadata(writer):
    for name, kind, value in [("u8", Value.UINT8, 200), ("i8", Value.INT8, -100), ("u16", Value.UINT16, 60000),
                              ("i16", Value.INT16, -30000), ("u32", Value.UINT32, 4000000000),
                              ("i32", Value.INT32, -2000000000), ("u64", Value.UINT64, 2**63 - 1),
                              ("i64", Value.INT64, -2**63), ("u64_large", Value.UINT64, 2**64 - 1),
                              ("f32", Value.FLOAT32, 0.1), ("f64", Value.FLOAT64, 0.1), ("bool", Value.BOOL, True),
                              ("string", Value.STRING, "a café")]:
        writer.add_key_value(f"test.{name}", value, kind)
    writer.add_array("test.strings", ["one", "", "zwölf"])
    writer.add_array("test.tokens", [b"\xe2\x96", b"\x00", b"ab"])
    writer.add_array("test.integers", [1, -2, 3])
    writer.add_array("test.numbers", [0.5, -0.25])
    writer.add_array("test.flags", [True, False, True])


def main():
    HERE.mkdir(exist_ok=True)
    random = np.random.default_rng(20)
    writer = gguf.GGUFWriter(HERE / "types.gguf", "llama")
    writer.add_custom_alignment(64)
    add_metadata(writer)
    expected = {}

    def add(name, data, kind):
        writer.add_tensor(name, data, raw_dtype=kind)
        expected[name] = np.ascontiguousarray(gguf.quants.dequantize(data, kind))

    for kind in [Type.F32, Type.F16, Type.BF16, Type.Q8_0, Type.Q4_0]:
        add(kind.name, gguf.quants.quantize(gaussian(random, ROWS, COLUMNS), kind), kind)
    for kind in F16_SCALES:
        add(kind.name, random_blocks(random, kind, ROWS, COLUMNS), kind)
    add("Q8_0.3d", gguf.quants.quantize(gaussian(random, 2, 3, 32), Type.Q8_0), Type.Q8_0)
    add("F32.1d", gaussian(random, 5), Type.F32)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    save_file(expected, HERE / "expected.safetensors")


main()
