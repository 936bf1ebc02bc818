"""The plain way: S of raf by autodiff through the whole map, projected gradient ascent, learning rate 10, 50·n steps.

Reads X.npy (n x d) and W.npy (d x d), moves token 0 in the ball of radius sqrt(d), all in float64. Prints one JSON
object: the best value it saw, its last one, seconds, and the curve of (seconds, best so far).

    python loop.py X.npy W.npy [--steps N] [--threads T]
"""
import argparse
import json
import pathlib
import sys

import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from autodiff_loop import sensitivity


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("x")
    parser.add_argument("w")
    parser.add_argument("--steps", type=int, help="default: 50·n")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rate", type=float, default=10.0)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    X, W = (torch.from_numpy(np.load(path)) for path in (options.x, options.w))
    n, d = X.shape

    def features(tokens):
        return torch.softmax(tokens @ W @ tokens.T / d**0.5, dim=1) @ tokens

    print(json.dumps(sensitivity(features, X, options.steps or 50 * n, options.rate)))


if __name__ == "__main__":
    main()
