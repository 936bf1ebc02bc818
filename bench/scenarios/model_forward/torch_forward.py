#!/usr/bin/env python3
"""The same models through PyTorch: forward, and forward with the gradient by hidden_states[0]. One JSON object a line.

    torch_forward.py [--threads T] [--repeats R] [--only bert-base|mini-lm] [--n 128,256,512]

Transformers' defaults for inference: eval mode, inference_mode for the forward, its fastest attention (sdpa), no
gradients of weights.
"""
import argparse
import json
import time

import torch
from transformers import BertConfig, BertModel

MODELS = {
    "mini-lm": dict(hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536),
    "bert-base": dict(),
}


def best_ms(repeats, body):
    """The shortest wall time and the least processor time of several runs."""
    body()
    wall = processor = float("inf")
    for _ in range(repeats):
        cpu, start = time.process_time(), time.perf_counter()
        body()
        wall = min(wall, time.perf_counter() - start)
        processor = min(processor, time.process_time() - cpu)
    return round(wall * 1e3, 2), round(processor * 1e3, 2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--only", default="")
    parser.add_argument("--n", default="128,256,512")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    for name, sizes in MODELS.items():
        if options.only not in ("", name):
            continue
        model = BertModel(BertConfig(**sizes), add_pooling_layer=False).eval().requires_grad_(False)
        for n in map(int, options.n.split(",")):
            ids = torch.arange(n)[None] * 17 + 1000
            x = model.embeddings(ids).detach()

            def forward():
                with torch.inference_mode():
                    model.encoder(x)

            def step():
                start = x.clone().requires_grad_(True)
                y = model.encoder(start)[0]
                torch.autograd.grad(y, start, y.detach())

            row = dict(engine="torch " + torch.__version__, model=name, n=n, threads=options.threads)
            row["forward_ms"], row["forward_cpu_ms"] = best_ms(options.repeats, forward)
            row["step_ms"], row["step_cpu_ms"] = best_ms(options.repeats, step)
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
