"""The paper's experiments the plain way: weights drawn and kept in memory, autodiff through the whole map, a fixed
number of projected gradient steps, pseudoinverses; float64. Our own code; nothing of it is clever.

    dense.py sensitivity MAP --n N --d D [--depth L] --steps T
    dense.py generalize MAP --n N --d D --train-size N --steps T

Token 0 moves, on spiked data (share 0.3). Prints one JSON object: `setup` seconds (data, weights, features,
interpolators), the seconds of the fastest `step` of a descent (of all four together where there are four), what was
found in T steps, and the peak memory of the process."""
import argparse
import json
import pathlib
import resource
import sys
import time

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from autodiff_loop import projected_ascent, sensitivity, with_first_token_moved

RATE = {"rf": 500.0, "drf": 500.0, "raf": 10.0, "raf-relu": 10.0}


def unit(rows):
    return rows / rows.norm(dim=-1, keepdim=True)


def spiked(samples, n, d, share=0.3):
    """Tokens of length sqrt(d) that have one direction in common."""
    mean = unit(torch.randn(d, dtype=torch.float64))
    noise = unit(torch.randn(samples, n, d, dtype=torch.float64))
    return d**0.5 * unit(share**0.5 * mean + (1 - share) ** 0.5 * noise)


def random_features(D, depth, variance):
    weights = [torch.empty(D, D, dtype=torch.float64).normal_(0, (variance / D) ** 0.5) for _ in range(depth)]

    def features(tokens):  # [n, d], or many of them in a batch
        layer = tokens.flatten(-2)
        for V in weights:
            layer = torch.relu(layer @ V.T)
        return layer

    return features


def attention_features(d, normalise):
    W = torch.randn(d, d, dtype=torch.float64) / d**0.5

    def features(tokens):  # likewise
        if tokens.dim() == 3:
            return torch.stack([features(x) for x in tokens])
        return (normalise(tokens @ W @ tokens.T / d**0.5) @ tokens).flatten()

    return features


def relu_scores(scores):
    positive = torch.relu(scores)
    return positive / positive.sum(dim=1, keepdim=True).clamp_min(1e-300)


def make_features(name, n, d, depth):
    if name in ("rf", "drf"):
        return random_features(n * d, depth, 2.0 if name == "drf" else 1.0)
    return attention_features(d, relu_scores if name == "raf-relu" else lambda scores: torch.softmax(scores, dim=1))


def run_sensitivity(options):
    begin = time.perf_counter()
    features = make_features(options.map, options.n, options.d, options.depth)
    X = spiked(1, options.n, options.d)[0]
    setup = time.perf_counter() - begin
    found = sensitivity(features, X, options.steps, RATE[options.map])
    return {"setup": setup, "step": found["step"], "sensitivity": found["best"]}


def run_generalize(options):
    begin = time.perf_counter()
    features = make_features(options.map, options.n, options.d, options.depth)
    drawn = time.perf_counter()
    X = spiked(options.train_size + 1, options.n, options.d)
    labels = torch.sign(X[:, :, 0].sum(dim=1))
    with torch.no_grad():
        phi = features(X)
        featured = time.perf_counter()
        old, new, y = phi[:-1], phi[-1], labels[-1]
        before = torch.linalg.pinv(old) @ labels[:-1]
        fine_tuned = before + new * (y - new @ before) / (new @ new)
        retrained = torch.linalg.pinv(phi) @ labels
        orthogonal = retrained - before  # a multiple of P⊥φ
        orthogonal = orthogonal / (orthogonal @ new)
    interpolated = time.perf_counter()
    moved = with_first_token_moved(X[-1])
    objectives = {("fine-tune", "align"): (new / (new @ new), -1.0), ("fine-tune", "error"): (fine_tuned, -y),
                  ("retrain", "align"): (orthogonal, -1.0), ("retrain", "error"): (retrained, -y)}
    step, found = 0.0, {}
    for (training, objective), (direction, target) in objectives.items():
        run = projected_ascent(lambda delta: -(features(moved(delta)) @ direction - target) ** 2, options.d,
                               options.steps, RATE[options.map])
        step += run["step"]
        found[f"{training}, {objective}"] = -run["best"]
    return {"weights": drawn - begin, "features": featured - drawn, "interpolate": interpolated - featured,
            "setup": interpolated - begin, "step": step, "losses": found}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiment", choices=("sensitivity", "generalize"))
    parser.add_argument("map", choices=sorted(RATE))
    parser.add_argument("--n", type=int, required=True)
    parser.add_argument("--d", type=int, required=True)
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--train-size", type=int, default=100)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    found = (run_sensitivity if options.experiment == "sensitivity" else run_generalize)(options)
    found["peak_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps(found))


if __name__ == "__main__":
    main()
