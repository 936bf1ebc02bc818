#!/usr/bin/env python3
"""wordsway against PyTorch on the same machine, run by turns.

    compare.py BENCH_MODEL_PROGRAM [--threads T] [--turns 15] [--only MODEL] [--python PYTHON_WITH_TORCH]

Clouds change the speed of a core by half from one second to the next. So both engines are kept running, do one forward
each by turns, and the ratio is the median of the ratios of neighbours. Milliseconds are medians too.
"""
import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from engine import Engine, by_turns, median, median_ratio  # noqa: E402

PAUSE = 0.02  # seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--only", default="mini-lm,bert-base")
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    threads = ["--threads", options.threads]
    ours = Engine([options.program, *threads, "--serve"], PAUSE)
    engines = [ours, Engine([options.python, str(HERE / "torch_forward.py"), *threads], PAUSE)]
    peak = ours.ask("peak")[0]
    print(f"{options.threads} threads, medians of {options.turns} turns; peak {peak:.0f} GF/s\n"
          "model        n | forward ms   torch  torch/ours | with backward ms   torch  torch/ours | step/forward |"
          " fraction of peak")
    for model in options.only.split(","):
        for n in (128, 256, 512):
            forward, forward_torch = by_turns(engines, f"{model} {n} forward", options.turns)
            step, step_torch = by_turns(engines, f"{model} {n} step", options.turns)
            plain, with_backward = by_turns([Turn(ours, "forward"), Turn(ours, "step")], f"{model} {n}", options.turns)
            rate = forward[0][2] / median(forward) * 1e3  # our answers carry gigaflops
            print(f"{model:10} {n:3} | {median(forward):10.1f} {median(forward_torch):7.1f}"
                  f" {median_ratio(forward_torch, forward):11.2f} | {median(step):16.1f}"
                  f" {median(step_torch):7.1f} {median_ratio(step_torch, step):11.2f} |"
                  f" {median_ratio(with_backward, plain):12.2f} | {rate / peak:16.2f}", flush=True)
        print(f"{model}: this process has held at most {ours.peak_memory_mb():.0f} MB so far, weights included")


class Turn:
    """One kind of run of an engine, to be set against another kind of the same engine."""

    def __init__(self, engine, kind):
        self.engine, self.kind = engine, kind

    def ask(self, request):
        return self.engine.ask(f"{request} {self.kind}")


if __name__ == "__main__":
    main()
