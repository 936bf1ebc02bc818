#!/usr/bin/env python3
"""wordsway against PyTorch and llama.cpp on a decoder, run by turns on the same machine.

    compare.py BENCH_DECODER MODELS [--threads 2] [--turns 7] [--types f32,f16,bf16,q8_0,q4_0]
               [--torch PYTHON_WITH_TORCH] [--llama PYTHON_WITH_LLAMA_CPP]

MODELS is a folder for the models that write_model.py writes (about 5 GB); those that are there are not written again.
Engines are kept running and asked one after the other; a ratio is the median of the ratios of neighbours. Quantised
types are files of GGUF, which PyTorch does not take part in.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from engine import Engine, by_turns, column, median, median_ratio  # noqa: E402

PAUSE = 0.05  # seconds


def is_quantised(kind):
    return kind.startswith("q")


def write_models(folder, kind, python):
    folder.mkdir(parents=True, exist_ok=True)
    plain, gguf = folder / f"small-{kind}", folder / f"small-{kind}.gguf"
    if not is_quantised(kind) and not (plain / "config.json").exists():
        subprocess.run([python, HERE / "write_model.py", plain, "--type", kind], check=True)
    if not gguf.exists():
        subprocess.run([python, HERE / "write_model.py", gguf, "--type", kind, "--gguf"], check=True)
    return plain, gguf


def compare(kind, options):
    plain, gguf = write_models(options.models, kind, options.llama)
    threads = options.threads
    ours = Engine([options.program, str(gguf if is_quantised(kind) else plain), threads], PAUSE)
    weights = ours.ask("weights")[0]
    loaded = ours.peak_memory_mb() * 1.048576
    others = {"llama.cpp": Engine([options.llama, str(HERE / "others.py"), "llama.cpp", str(gguf), threads], PAUSE)}
    if not is_quantised(kind):
        others["torch"] = Engine([options.torch, str(HERE / "others.py"), "torch", str(plain), threads], PAUSE)
    engines = [ours, *others.values()]

    def ratios(mine, theirs):
        return ", ".join(f"{name}/ours {median_ratio(times, mine):.2f}" for name, times in zip(others, theirs))

    print(f"{kind}: weights {weights:.0f} MB, {loaded:.0f} MB resident once loaded ({loaded / weights:.2f})")
    for n in (128, 512):
        mine, *theirs = by_turns(engines, f"prompt {n}", options.turns)
        rate = ours.ask(f"flops {n}")[0] / median(mine) * 1e3
        peak = ours.ask("peak")[0]
        print(f"  prompt of {n}: {median(mine):.0f} ms ({rate / peak:.2f} of peak); {ratios(mine, theirs)}",
              flush=True)
    mine, *theirs = by_turns(engines, "token 128", 3 * options.turns)
    reading = [column(answers) for answers in
               by_turns([ours, Request(ours, "bandwidth 0")], "token 128", options.turns)]
    share = statistics.median(weights / 1e3 / (ms / 1e3) / best for ms, best in zip(*reading))
    print(f"  token after 128: {median(mine):.1f} ms ({share:.2f} of the bandwidth); {ratios(mine, theirs)}",
          flush=True)
    forward, gradient = by_turns([Kind(ours, "forward"), Kind(ours, "gradient")], "256", options.turns)
    print(f"  with gradient, 256 tokens: {median_ratio(gradient, forward):.2f} forwards; at most "
          f"{ours.peak_memory_mb():.0f} MB resident in all this", flush=True)
    for engine in engines:
        engine.process.kill()


class Request:
    """Always the same request of an engine."""

    def __init__(self, engine, request):
        self.engine, self.request = engine, request

    def ask(self, _):
        return self.engine.ask(self.request)


class Kind:
    def __init__(self, engine, kind):
        self.engine, self.kind = engine, kind

    def ask(self, n):
        return self.engine.ask(f"{self.kind} {n}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("--threads", default="2")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--types", default="f32,f16,bf16")
    parser.add_argument("--torch", default=sys.executable)
    parser.add_argument("--llama", default=sys.executable)
    options = parser.parse_args()
    for kind in options.types.split(","):
        compare(kind, options)


if __name__ == "__main__":
    main()
