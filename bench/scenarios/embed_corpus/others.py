#!/usr/bin/env python3
"""The same sentence encoder through sentence-transformers (PyTorch), ONNX Runtime or wordsway in Python, float32.

    others.py sentence-transformers|onnxruntime|wordsway MODEL_FOLDER --threads T --batch B

Answers requests "FILE" (one text per line) on standard input by "wall processor" milliseconds of one run, texts to
vectors, tokens included; "FILE OUT.npy" writes the vectors too. ONNX Runtime gets the tokenizer of the Rust library,
texts sorted by length as sentence-transformers does, and mean pooling and normalisation in NumPy.
"""
import argparse
import functools
import os
import pathlib
import sys
import time

import numpy as np


def sentence_transformers_encoder(folder, threads, batch):
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    model = SentenceTransformer(folder, device="cpu")
    return lambda texts: model.encode(texts, batch_size=batch, show_progress_bar=False)


def wordsway_encoder(folder, threads, batch):
    import wordsway

    wordsway.set_threads(threads)
    model = wordsway.load(folder)
    return lambda texts: model.encode(texts, batch_size=batch, show_progress_bar=False)


def export_onnx(folder, file):
    import torch
    from transformers import AutoModel

    model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    names = ["input_ids", "attention_mask", "token_type_ids"]
    example = tuple(torch.ones(2, 8, dtype=torch.long) for _ in names)

    class Hidden(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, input_ids, attention_mask, token_type_ids):
            return self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)[0]

    axes = {name: {0: "batch", 1: "tokens"} for name in [*names, "hidden"]}
    torch.onnx.export(Hidden(), example, str(file), input_names=names, output_names=["hidden"], dynamic_axes=axes,
                      dynamo=False, opset_version=17)


def onnxruntime_encoder(folder, threads, batch):
    import json

    import onnxruntime
    from tokenizers import Tokenizer

    file = pathlib.Path(folder) / "onnx/model.onnx"
    if not file.exists():
        file = pathlib.Path("/tmp/wordsway_embed_corpus.onnx")
        if not file.exists():
            export_onnx(folder, file.with_suffix(f".{os.getpid()}"))  # several engines start at once
            file.with_suffix(f".{os.getpid()}").replace(file)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    length = json.loads((pathlib.Path(folder) / "sentence_bert_config.json").read_text())["max_seq_length"]
    tokenizer.enable_truncation(length)
    tokenizer.enable_padding()

    def encode(texts):
        order = np.argsort([-len(text) for text in texts], kind="stable")
        result = None
        for begin in range(0, len(texts), batch):
            chosen = order[begin:begin + batch]
            encodings = tokenizer.encode_batch([texts[k] for k in chosen])
            ids = np.array([e.ids for e in encodings], dtype=np.int64)
            mask = np.array([e.attention_mask for e in encodings], dtype=np.int64)
            inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            wanted = {i.name for i in session.get_inputs()}
            hidden = session.run(None, {k: v for k, v in inputs.items() if k in wanted})[0]
            weights = mask[:, :, None].astype(np.float32)
            pooled = (hidden * weights).sum(1) / weights.sum(1)
            pooled /= np.linalg.norm(pooled, axis=1, keepdims=True)
            if result is None:
                result = np.empty((len(texts), pooled.shape[1]), np.float32)
            result[chosen] = pooled
        return result

    return encode


@functools.cache
def texts_of(file):
    return pathlib.Path(file).read_text(encoding="utf-8").splitlines()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", choices=["sentence-transformers", "onnxruntime", "wordsway"])
    parser.add_argument("folder")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch", type=int, default=32)
    options = parser.parse_args()
    make = {"sentence-transformers": sentence_transformers_encoder, "onnxruntime": onnxruntime_encoder,
            "wordsway": wordsway_encoder}[options.engine]
    encode = make(options.folder, options.threads, options.batch)
    for line in sys.stdin:
        file, *out = line.split()
        texts = texts_of(file)
        wall, processor = time.perf_counter(), time.process_time()
        vectors = encode(texts)
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        if out:
            np.save(out[0], vectors)
        print(f"{1e3 * wall:.3f} {1e3 * processor:.3f}", flush=True)


if __name__ == "__main__":
    main()
