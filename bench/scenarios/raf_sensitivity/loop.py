"""The plain way: S of raf by autodiff through the whole map, projected gradient ascent, learning rate 10, 50·n steps.

Reads X.npy (n x d) and W.npy (d x d), moves token 0 in the ball of radius sqrt(d), all in float64. Prints one JSON
object: the best value it saw, its last one, seconds, and the curve of (seconds, best so far).

    python loop.py X.npy W.npy [--steps N] [--threads T]
"""
import argparse
import json
import time

import numpy as np
import torch


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
    radius = d**0.5

    def features(tokens):
        return torch.softmax(tokens @ W @ tokens.T / d**0.5, dim=1) @ tokens

    with torch.no_grad():
        base = features(X)
        norm = base.norm()
    delta = torch.randn(d, dtype=torch.float64)
    delta = (delta * radius / delta.norm()).requires_grad_()
    first = torch.zeros(n, 1, dtype=torch.float64)
    first[0] = 1
    best, last, curve = 0.0, 0.0, []
    begin = time.perf_counter()
    for step in range(options.steps or 50 * n):
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
    print(json.dumps({"best": best, "last": last, "seconds": time.perf_counter() - begin,
                      "steps": options.steps or 50 * n, "curve": curve[:: max(1, len(curve) // 200)]}))


if __name__ == "__main__":
    main()
