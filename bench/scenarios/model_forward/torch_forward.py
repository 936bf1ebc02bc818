#!/usr/bin/env python3
"""The same models through PyTorch: forward, and forward with the gradient by hidden_states[0].

    torch_forward.py --threads T

Answers requests "MODEL N forward|step" on standard input by "wall processor" milliseconds of one run.

Transformers' defaults for inference: eval mode, inference_mode for the forward, its fastest attention (sdpa), no
gradients of weights.
"""
import argparse
import functools
import sys
import time

import torch
from transformers import BertConfig, BertModel

MODELS = {
    "mini-lm": dict(hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536),
    "bert-base": dict(),
}


@functools.cache
def model_of(name):
    return BertModel(BertConfig(**MODELS[name]), add_pooling_layer=False).eval().requires_grad_(False)


@functools.cache
def text(name, n):
    return model_of(name).embeddings(torch.arange(n)[None] * 17 + 1000).detach()


def forward(name, n):
    with torch.inference_mode():
        model_of(name).encoder(text(name, n))


def step(name, n):
    start = text(name, n).clone().requires_grad_(True)
    y = model_of(name).encoder(start)[0]
    torch.autograd.grad(y, start, y.detach())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=2)
    torch.set_num_threads(parser.parse_args().threads)
    for line in sys.stdin:
        name, n, kind = line.split()
        text(name, int(n))
        processor, wall = time.process_time(), time.perf_counter()
        (step if kind == "step" else forward)(name, int(n))
        print(1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - processor), flush=True)


if __name__ == "__main__":
    main()
