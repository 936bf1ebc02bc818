"""Recomputes with Transformers what `wordsway measure -m` reports.

Runs the program on a model folder and a text, adds the written Δ to one row of hidden_states[0], pushes that through
the same layers in PyTorch and compares the relative change of the chosen layer with `sensitivity`.

    python check_model_delta.py PROGRAM MODEL_FOLDER [TEXT]
"""
import json
import subprocess
import sys
import tempfile

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer


def main():
    program, folder = sys.argv[1:3]
    text = sys.argv[3] if len(sys.argv) > 3 else "I love her smile"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, torch_dtype=torch.float32).eval()
    layers = model.config.num_hidden_layers
    worst = 0.0
    for layer in (1, layers):
        for token in (1, 3):
            with tempfile.TemporaryDirectory() as scratch:
                path = f"{scratch}/delta.npy"
                row = json.loads(subprocess.run(
                    [program, "measure", "-m", folder, text, "--layer", str(layer), "--token", str(token), "--starts", "1",
                     "--delta-out", path, "--format", "json", "--quiet"], check=True, capture_output=True).stdout)
                delta = torch.from_numpy(np.load(path)).float()
            with torch.no_grad():
                ids = tokenizer(text, return_tensors="pt")
                states = model(**ids, output_hidden_states=True).hidden_states
                moved = states[0].clone()
                moved[0, token] += delta
                for block in model.encoder.layer[:layer]:
                    moved = block(moved)
                    moved = moved[0] if isinstance(moved, tuple) else moved
                change = ((moved - states[layer]).double().norm() / states[layer].double().norm()).item()
            error = abs(change - row["sensitivity"]) / change
            worst = max(worst, error)
            print(f"layer {layer}, token {token}: wordsway {row['sensitivity']:.8f}, Transformers {change:.8f}, "
                  f"relative difference {error:.1e}")
    print("largest relative difference", worst)
    assert worst < 1e-4


if __name__ == "__main__":
    main()
