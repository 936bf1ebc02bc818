"""The plain way: S of rf by autodiff through the whole map with V in memory, projected gradient ascent.

Reads X.npy (n x d) and V.npy (k x nd), moves token 0 in the ball of radius sqrt(d), all in float64. Prints one JSON
object: the best value it saw, its last one, seconds, and the curve of (seconds, best so far).

    python loop.py X.npy V.npy [--steps N] [--threads T] [--rate R]
"""
import argparse
import json
import time

import numpy as np
import torch


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
    n, d = X.shape
    radius = d**0.5

    def features(tokens):
        return torch.relu(V @ tokens.reshape(-1))

    with torch.no_grad():
        base = features(X)
        norm = base.norm()
    delta = torch.randn(d, dtype=torch.float64)
    delta = (delta * radius / delta.norm()).requires_grad_()
    first = torch.zeros(n, 1, dtype=torch.float64)
    first[0] = 1
    best, last, curve = 0.0, 0.0, []
    begin = time.perf_counter()
    for _ in range(options.steps):
        value = (features(X + first * delta) - base).norm() / norm
        (gradient,) = torch.autograd.grad(value, delta)
        last = value.item()
        if last > best:
            best = last
            curve.append((time.perf_counter() - begin, best))
        with torch.no_grad():
            delta += options.rate * gradient
            length = delta.norm()
            if length > radius:
                delta *= radius / length
    print(json.dumps({"best": best, "last": last, "seconds": time.perf_counter() - begin, "steps": options.steps,
                      "curve": curve[:: max(1, len(curve) // 200)]}))


if __name__ == "__main__":
    main()
