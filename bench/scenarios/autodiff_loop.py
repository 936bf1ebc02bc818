"""The plain way to move one token, shared by the scenarios: autodiff through the whole map, projected gradient ascent
in the ball of radius sqrt(d), a fixed number of steps, float64."""
import time

import torch


def projected_ascent(value, d, steps, rate):
    """Maximises value(delta) over |delta| <= sqrt(d) from a random direction. Returns the best value seen, the last one,
    seconds, steps, the seconds of its fastest step, and the curve of (seconds, best so far)."""
    radius = d**0.5
    delta = torch.randn(d, dtype=torch.float64)
    delta = (delta * radius / delta.norm()).requires_grad_()
    best, last, curve, times = -float("inf"), 0.0, [], []
    begin = time.perf_counter()
    for _ in range(steps):
        step_begin = time.perf_counter()
        reached = value(delta)
        (gradient,) = torch.autograd.grad(reached, delta)
        last = reached.item()
        if last > best:
            best = last
            curve.append((time.perf_counter() - begin, best))
        with torch.no_grad():
            delta += rate * gradient
            length = delta.norm()
            if length > radius:
                delta *= radius / length
        times.append(time.perf_counter() - step_begin)
    return {"best": best, "last": last, "seconds": time.perf_counter() - begin, "steps": steps,
            "step": min(times), "curve": curve[:: max(1, len(curve) // 200)]}


def with_first_token_moved(X):
    """The function delta -> X with delta added to token 0."""
    first = torch.zeros(X.shape[0], 1, dtype=X.dtype)
    first[0] = 1
    return lambda delta: X + first * delta


def sensitivity(features, X, steps, rate):
    """S of token 0: the largest relative change of features(X)."""
    with torch.no_grad():
        base = features(X)
        norm = base.norm()
    moved = with_first_token_moved(X)
    return projected_ascent(lambda delta: (features(moved(delta)) - base).norm() / norm, X.shape[1], steps, rate)
