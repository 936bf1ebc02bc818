#!/usr/bin/env python3
"""On a processor, with a tiny network: the loss falls, a training that was stopped and continued gives the same bits as
one that was not, and what it exports is what Transformers loads.

    python -m training.decoder.test_train DATA     (a folder of prepare.py; a small one will do)
"""
import pathlib
import subprocess
import sys
import tempfile

import safetensors.torch

SMALL = ("--device cpu --tokens 1024 --warm-up 4 --every 100 --hidden 32 --layers 2 --heads 4 --kv-heads 2 --inner 48 "
         "--steps 12 --rate 0.01 --seconds 3600").split()


def run(module, *arguments):
    return subprocess.run([sys.executable, "-m", f"training.decoder.{module}", *map(str, arguments)], check=True,
                          capture_output=True, text=True).stdout


def main():
    data = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        whole, parts = pathlib.Path(name) / "whole", pathlib.Path(name) / "parts"
        run("train", "--data", data, "--work", whole, *SMALL, "--every", 6)
        run("train", "--data", data, "--work", parts, *SMALL, "--call-steps", 5)
        run("train", "--data", data, "--work", parts, *SMALL)
        weights = [safetensors.torch.load_file(folder / "model" / "model.safetensors") for folder in (whole, parts)]
        assert weights[0].keys() == weights[1].keys()
        assert all((weights[0][key] == weights[1][key]).all() for key in weights[0]), "the bits are not the same"
        rows = [line.split(",") for line in (whole / "curve.csv").read_text().splitlines()]
        losses = [float(row[rows[0].index("train_loss")]) for row in rows[1:]]
        print("loss", losses)
        assert losses[-1] < losses[0]
        print(run("test_forward", whole / "model"))
        print(run("evaluate", "--data", data, "--model", whole / "model", "--output", pathlib.Path(name) / "e.json",
                  "--device", "cpu", "--pairs", 8))


if __name__ == "__main__":
    main()
