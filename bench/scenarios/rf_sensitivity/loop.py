"""The plain way: S of rf by autodiff through the whole map with V in memory, projected gradient ascent.

Reads X.npy (n x d) and V.npy (k x nd), moves token 0 in the ball of radius sqrt(d), all in float64. Prints one JSON
object: the best value it saw, its last one, seconds, and the curve of (seconds, best so far).

    python loop.py X.npy V.npy [--steps N] [--threads T] [--rate R]
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
    parser.add_argument("v")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rate", type=float, default=500.0)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    X, V = (torch.from_numpy(np.load(path)) for path in (options.x, options.v))
    print(json.dumps(sensitivity(lambda tokens: torch.relu(V @ tokens.reshape(-1)), X, options.steps, options.rate)))


if __name__ == "__main__":
    main()
